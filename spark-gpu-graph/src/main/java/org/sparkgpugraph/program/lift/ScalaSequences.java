package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.ir.FaultCode;

/**
 * Methods of Scala's lists, iterators, options and buffers whose length is known while lifting, as
 * send functions use them to build their messages. Further arguments, such as Scala 2.12's {@code
 * CanBuildFrom}, only say which class the result has.
 */
final class ScalaSequences {
  private static final String BUFFERS = "scala.collection.mutable.";

  private final SymbolicMachine machine;
  private final NewObjects objects;
  private final MethodEntry methods;
  private final CallInliner calls;
  private final SequenceLoops loops;

  ScalaSequences(
      SymbolicMachine machine,
      NewObjects objects,
      MethodEntry methods,
      CallInliner calls,
      SequenceLoops loops) {
    this.machine = machine;
    this.objects = objects;
    this.methods = methods;
    this.calls = calls;
    this.loops = loops;
  }

  /** Whether the lifted code may make objects of a class of the Scala library. */
  static boolean isMade(String className) {
    return className.equals("scala.collection.immutable.$colon$colon")
        || className.equals("scala.Some")
        || className.startsWith("scala.runtime.Rich")
        || isBuffer(className);
  }

  static boolean isBuffer(String className) {
    return className.equals(BUFFERS + "ListBuffer") || className.equals(BUFFERS + "ArrayBuffer");
  }

  /** Whether a sequence or option is of a class. */
  static boolean isInstance(Sym.Elements value, String className) {
    boolean isEmpty = value.values().isEmpty();
    return switch (className) {
      case "scala.Some", "scala.collection.immutable.$colon$colon" -> !isEmpty;
      case "scala.None$", "scala.collection.immutable.Nil$" -> isEmpty;
      case "scala.Option" -> value.form() == Sym.Form.OPTION;
      default -> true;
    };
  }

  /** Replaces an object by what its constructor makes of it. */
  void construct(Sym.Fresh fresh, List<Sym> arguments) {
    String type = fresh.type().getName();
    if (isBuffer(type)) {
      return;
    }
    Sym first = arguments.get(0);
    objects.replace(
        fresh,
        switch (type) {
          case "scala.Some" -> new Sym.Elements(Sym.Form.OPTION, List.of(first));
          case "scala.collection.immutable.$colon$colon" ->
              joined(new Sym.Elements(List.of(first)), arguments.get(1));
          default -> first instanceof Sym.Prim prim ? boxed(prim) : first;
        });
  }

  private static Sym boxed(Sym.Prim prim) {
    return new Sym.Box(prim.kind(), prim.variable());
  }

  /** A method of a buffer; returns false when the path has ended. */
  boolean onBuffer(Sym.Fresh buffer, String name, String descriptor, List<Sym> arguments) {
    Frame frame = machine.top();
    Sym.Elements now = objects.elements(buffer);
    switch (name) {
      case "$plus$eq", "addOne", "append" -> {
        Sym more = arguments.get(0);
        // Scala 2.12's append takes any number of arguments.
        boolean several = more instanceof Sym.Elements && name.equals("append");
        set(buffer, joined(now, several ? more : new Sym.Elements(List.of(more))));
        if (Type.getReturnType(descriptor) != Type.VOID_TYPE) {
          frame.push(buffer);
        }
        return true;
      }
      case "$plus$plus$eq", "addAll" -> {
        set(buffer, joined(now, arguments.get(0)));
        frame.push(buffer);
        return true;
      }
      default -> {
        return onElements(now, name, arguments);
      }
    }
  }

  private void set(Sym.Fresh buffer, Sym.Elements elements) {
    machine.state.heap.put(buffer.id(), elements.values().toArray(Sym[]::new));
  }

  /** A method of a sequence or option; returns false when the path has ended. */
  boolean onElements(Sym.Elements elements, String name, List<Sym> arguments) {
    Frame frame = machine.top();
    SequenceLoops.Loop loop = SequenceLoops.Loop.of(name);
    boolean isIterator = elements.form() == Sym.Form.ITERATOR;
    if (isIterator && (loop == null ? name.matches("size|length") : loop.consumes())) {
      throw machine.refuse(
          "calls " + name + " on an iterator, which uses it up; make it of a list or sequence");
    } else if (loop == SequenceLoops.Loop.FOLD) {
      return loops.begin(loop, elements, arguments.get(0), arguments.get(1));
    } else if (loop != null) {
      return loops.begin(loop, elements, loops.start(loop, elements), arguments.get(0));
    }
    List<Sym> values = elements.values();
    switch (name) {
      case "iterator", "toIterator" -> frame.push(Sym.Elements.iterator(values));
      case "toSeq", "toList", "toVector", "seq", "result", "toIterable" ->
          frame.push(new Sym.Elements(values));
      case "$plus$plus", "concat", "$colon$colon$colon", "$plus$plus$colon" -> {
        Sym other = arguments.get(0);
        if (other instanceof Sym.Closure later) {
          // Iterators take what follows by name.
          methods.enterClosure(later.method(), later.captured(), List.of(), "()Ljava/lang/Object;");
          machine.top().locals[0] = elements;
          return true;
        }
        boolean before = name.endsWith("$colon");
        frame.push(before ? joined(elements(other), elements) : joined(elements, other));
      }
      case "$colon$colon", "$plus$colon", "prepended" ->
          frame.push(joined(new Sym.Elements(List.of(arguments.get(0))), elements));
      case "$colon$plus", "appended" ->
          frame.push(joined(elements, new Sym.Elements(List.of(arguments.get(0)))));
      case "reverse" -> {
        List<Sym> reversed = new ArrayList<>(values);
        Collections.reverse(reversed);
        frame.push(elements.with(reversed));
      }
      case "isEmpty" -> frame.push(machine.constantPrim(values.isEmpty() ? 1 : 0));
      case "isDefined", "nonEmpty" -> frame.push(machine.constantPrim(values.isEmpty() ? 0 : 1));
      case "size", "length" -> frame.push(machine.constantPrim(values.size()));
      case "get", "value", "x", "head" -> {
        if (values.isEmpty()) {
          return machine.stop(
              FaultCode.THROWN, "java.util.NoSuchElementException: " + name + " of nothing");
        }
        frame.push(values.get(0));
      }
      // The others are what a pattern with :: reads, in Scala 2.12 and 2.13.
      case "tail", "tl$access$1", "next$access$1" -> {
        if (values.isEmpty()) {
          return machine.stop(
              FaultCode.THROWN, "java.lang.UnsupportedOperationException: tail of nothing");
        }
        frame.push(elements.with(values.subList(1, values.size())));
      }
      case "getOrElse" -> {
        if (values.isEmpty()) {
          return calls.function(arguments.get(0), List.of());
        }
        frame.push(values.get(0));
      }
      case "fold" -> {
        if (elements.form() == Sym.Form.SEQUENCE) {
          return loops.begin(SequenceLoops.Loop.FOLD, elements, arguments.get(0), arguments.get(1));
        }
        return values.isEmpty()
            ? calls.function(arguments.get(0), List.of())
            : calls.function(arguments.get(1), values);
      }
      case "orElse" -> {
        if (values.isEmpty()) {
          return calls.function(arguments.get(0), List.of());
        }
        frame.push(elements);
      }
      default ->
          throw machine.refuse(
              "calls "
                  + name
                  + " on "
                  + elements.describe()
                  + "; build messages with Iterator.empty, Iterator((id, message)) and ++");
    }
    return true;
  }

  /** The elements of two sequences. */
  Sym.Elements joined(Sym.Elements first, Sym second) {
    List<Sym> all = new ArrayList<>(first.values());
    all.addAll(elements(second).values());
    return first.form() == Sym.Form.OPTION ? new Sym.Elements(all) : first.with(all);
  }

  private Sym.Elements elements(Sym value) {
    if (value instanceof Sym.Elements elements) {
      return elements;
    } else if (value instanceof Sym.Fresh buffer && isBuffer(buffer.type().getName())) {
      return objects.elements(buffer);
    }
    throw machine.refuse("appends " + value.describe() + " to a sequence");
  }
}
