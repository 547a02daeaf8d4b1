package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Methods of Scala's lists, iterators, options and buffers whose length is known while lifting, as
 * send functions use them to build their messages. Further arguments, such as Scala 2.12's {@code
 * CanBuildFrom}, only say which class the result has.
 */
final class ScalaSequences {
  private static final String BUFFERS = "scala.collection.mutable.";

  /** Methods of buffers after which changes of the buffer would show in the result. */
  private static final Set<String> SHARING =
      Set.of("iterator", "toIterator", "toSeq", "seq", "toIterable", "result", "withFilter");

  /** What is left of an iterator that another one was made of, or whose end is not known. */
  private static final Sym[] USED = {Sym.TOP};

  private final SymbolicMachine machine;
  private final NewObjects objects;
  private final CallInliner calls;
  private final SequenceLoops loops;

  ScalaSequences(
      SymbolicMachine machine, NewObjects objects, CallInliner calls, SequenceLoops loops) {
    this.machine = machine;
    this.objects = objects;
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

  static boolean isIterator(Sym.Fresh object) {
    return object.type() == scala.collection.Iterator.class;
  }

  /** Whether calls on an object are executed here. */
  static boolean isMutable(Sym.Fresh object) {
    return isIterator(object) || isBuffer(object.type().getName());
  }

  /** Whether a sequence or option is of a class; null where it is not known. */
  static Boolean isInstance(Sym.Elements value, Class<?> type) {
    boolean isEmpty = value.values().isEmpty();
    Class<?> known =
        switch (value.form()) {
          case OPTION -> isEmpty ? scala.None$.class : scala.Some.class;
          case LIST ->
              isEmpty
                  ? scala.collection.immutable.Nil$.class
                  : scala.collection.immutable.$colon$colon.class;
          case SEQUENCE -> scala.collection.Seq.class;
          case TRY -> isEmpty ? scala.util.Failure.class : scala.util.Success.class;
        };
    if (type.isAssignableFrom(known)) {
      return true;
    }
    return value.form() == Sym.Form.SEQUENCE ? null : (Boolean) false;
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
              before(Sym.Elements.list(List.of(first)), arguments.get(1));
          default -> first instanceof Sym.Prim prim ? boxed(prim) : first;
        });
  }

  private static Sym boxed(Sym.Prim prim) {
    return new Sym.Box(prim.kind(), prim.variable());
  }

  /** A list that ends with another one, which must be one, too. */
  private Sym before(Sym.Elements first, Sym rest) {
    if (rest instanceof Sym.Elements list && list.form() == Sym.Form.LIST) {
      return joined(first, list.values());
    }
    throw machine.refuse("puts an element before " + rest.describe());
  }

  /** An iterator, which is used up by what asks it. */
  Sym.Fresh iterator(List<Sym> values) {
    Sym.Fresh iterator = objects.mutable(scala.collection.Iterator.class, 0);
    set(iterator, values);
    return iterator;
  }

  /** Whether functions are still to be called for the elements of an iterator. */
  boolean isPending(Sym value) {
    return value instanceof Sym.Fresh fresh
        && isIterator(fresh)
        && Arrays.stream(machine.state.heap.get(fresh.id()))
            .anyMatch(Sym.Pending.class::isInstance);
  }

  /** The elements of a sequence or buffer, or those of an iterator, which is used up then. */
  List<Sym> elements(Sym value) {
    if (value instanceof Sym.Elements elements) {
      return elements.values();
    } else if (value instanceof Sym.Fresh buffer && isBuffer(buffer.type().getName())) {
      return objects.elements(buffer).values();
    } else if (value instanceof Sym.Fresh iterator && isIterator(iterator)) {
      List<Sym> values = left(iterator);
      machine.requireOwn(iterator.id());
      machine.state.heap.put(iterator.id(), USED.clone());
      return values;
    }
    throw machine.refuse("takes the elements of " + value.describe());
  }

  private List<Sym> left(Sym.Fresh iterator) {
    List<Sym> values = List.of(machine.state.heap.get(iterator.id()));
    if (values.contains(Sym.TOP)) {
      throw machine.refuse(
          "uses an iterator again after it was asked, or another one was made of it; make a list"
              + " of it first");
    }
    return values;
  }

  private void set(Sym.Fresh object, List<Sym> values) {
    machine.requireOwn(object.id());
    machine.state.heap.put(object.id(), values.toArray(Sym[]::new));
  }

  /** A method of a buffer or iterator; returns false when the path has ended. */
  boolean onMutable(Sym.Fresh object, String name, String descriptor, List<Sym> arguments) {
    return isIterator(object)
        ? onIterator(object, name, arguments)
        : onBuffer(object, name, descriptor, arguments);
  }

  private boolean onIterator(Sym.Fresh iterator, String name, List<Sym> arguments) {
    Frame frame = machine.top();
    SequenceLoops.Loop loop = SequenceLoops.Loop.of(name);
    if (loop != null && loop.transforms()) {
      Sym function = arguments.get(0);
      frame.push(iterator(pending(elements(iterator), loop, function)));
      return true;
    } else if (loop != null) {
      return begin(loop, elements(iterator), arguments);
    }
    switch (name) {
      case "hasNext", "nonEmpty" -> {
        return loops.begin(SequenceLoops.Loop.HAS_NEXT, left(iterator), Sym.NULL, iterator);
      }
      case "isEmpty" -> {
        List<Sym> values = left(iterator);
        if (values.stream().noneMatch(Sym.Pending.class::isInstance)) {
          frame.push(machine.constantPrim(values.isEmpty() ? 1 : 0));
          return true;
        }
      }
      case "next" -> {
        return loops.begin(SequenceLoops.Loop.NEXT, left(iterator), Sym.NULL, iterator);
      }
      case "iterator", "toIterator", "seq" -> {
        frame.push(iterator);
        return true;
      }
      case "$plus$plus", "concat" -> {
        // Iterators take what follows by name.
        List<Sym> all = new ArrayList<>(elements(iterator));
        Sym more = arguments.get(0);
        all.add(Sym.Pending.of(Sym.NULL, List.of(SequenceLoops.Loop.LATER), List.of(more)));
        frame.push(iterator(all));
        return true;
      }
      case "toList", "toVector", "toSeq", "size", "length" -> {
        List<Sym> values = left(iterator);
        boolean isPending = values.stream().anyMatch(Sym.Pending.class::isInstance);
        Sym.Form form = name.equals("toList") ? Sym.Form.LIST : Sym.Form.SEQUENCE;
        // Scala 2.12 makes a Stream of toSeq, which puts off what the iterator does.
        if (!isPending) {
          elements(iterator);
          frame.push(
              name.equals("size") || name.equals("length")
                  ? machine.constantPrim(values.size())
                  : new Sym.Elements(form, values));
          return true;
        } else if (name.equals("toList") || name.equals("toVector")) {
          return loops.begin(
              SequenceLoops.Loop.COLLECT,
              elements(iterator),
              new Sym.Elements(form, List.of()),
              Sym.NULL);
        }
      }
      default -> {}
    }
    throw unknown(name, iterator);
  }

  private static List<Sym> pending(List<Sym> values, SequenceLoops.Loop loop, Sym function) {
    return values.stream()
        .map(value -> Sym.Pending.of(value, List.of(loop), List.of(function)))
        .toList();
  }

  /** Begins a loop that makes no sequence. */
  private boolean begin(SequenceLoops.Loop loop, List<Sym> over, List<Sym> arguments) {
    boolean folds = loop == SequenceLoops.Loop.FOLD;
    return loops.begin(
        loop, over, folds ? arguments.get(0) : loops.start(loop), arguments.get(folds ? 1 : 0));
  }

  /** A method of a buffer; returns false when the path has ended. */
  boolean onBuffer(Sym.Fresh buffer, String name, String descriptor, List<Sym> arguments) {
    Frame frame = machine.top();
    Sym.Elements now = objects.elements(buffer);
    Sym first = arguments.isEmpty() ? null : arguments.get(0);
    // Scala 2.12's append takes any number of arguments.
    boolean several = descriptor.startsWith("(Lscala/collection/Seq;)");
    if (Set.of("$plus$eq", "addOne", "append").contains(name) && arguments.size() == 1) {
      set(buffer, joined(now, several ? elements(first) : List.of(first)).values());
      if (Type.getReturnType(descriptor) != Type.VOID_TYPE) {
        frame.push(buffer);
      }
      return true;
    } else if (name.equals("$plus$plus$eq") || name.equals("addAll")) {
      return loops.begin(SequenceLoops.Loop.APPEND, elements(first), Sym.NULL, buffer);
    }
    boolean changes = arguments.stream().anyMatch(argument -> argument.extent().isUnfinished());
    if (SHARING.contains(name) || changes) {
      // From here on it is a sequence: code that changes it is refused.
      objects.replace(buffer, now);
      List<Sym> replaced = new ArrayList<>();
      for (Sym argument : arguments) {
        replaced.add(MachineState.replaced(argument, other -> other.equals(buffer) ? now : other));
      }
      return onElements(now, name, replaced);
    }
    return onElements(now, name, arguments);
  }

  /** A method of a sequence or option; returns false when the path has ended. */
  boolean onElements(Sym.Elements elements, String name, List<Sym> arguments) {
    Frame frame = machine.top();
    List<Sym> values = elements.values();
    Sym first = arguments.isEmpty() ? null : arguments.get(0);
    SequenceLoops.Loop loop = SequenceLoops.Loop.of(name);
    if (loop != null && elements.form() == Sym.Form.TRY) {
      throw unknown(name, elements);
    } else if (name.equals("withFilter")) {
      frame.push(elements.with(pending(values, loop, first)));
      return true;
    } else if (loop != null && loop.transforms()) {
      return loops.begin(
          SequenceLoops.Loop.COLLECT,
          pending(values, loop, first),
          elements.with(List.of()),
          Sym.NULL);
    } else if (loop != null) {
      return begin(loop, values, arguments);
    } else if (elements.isPending()) {
      throw unknown(name, elements);
    }
    boolean isOption = elements.form() == Sym.Form.OPTION;
    if (elements.form() == Sym.Form.TRY
        && !Set.of("getOrElse", "toOption", "isSuccess", "isFailure", "value").contains(name)) {
      throw unknown(name, elements);
    }
    switch (name) {
      case "iterator", "toIterator" -> frame.push(iterator(values));
      case "toList" -> frame.push(Sym.Elements.list(values));
      case "toSeq", "seq", "toIterable" ->
          frame.push(isOption ? Sym.Elements.list(values) : elements);
      case "toVector", "toIndexedSeq", "result" ->
          frame.push(new Sym.Elements(Sym.Form.SEQUENCE, values));
      case "$plus$plus", "concat", "$colon$colon$colon", "$plus$plus$colon" -> {
        boolean before = name.endsWith("$colon");
        if (before && first instanceof Sym.Elements other) {
          frame.push(elements.with(joined(other, values).values()));
        } else if (before) {
          throw unknown(name, first);
        } else {
          return loops.begin(
              SequenceLoops.Loop.COLLECT, elements(first), joined(elements, List.of()), Sym.NULL);
        }
      }
      case "$colon$colon", "$plus$colon", "prepended" -> {
        List<Sym> all = new ArrayList<>(values);
        all.add(0, first);
        frame.push(elements.with(all));
      }
      case "$colon$plus", "appended" -> frame.push(joined(elements, List.of(first)));
      case "headOption", "lastOption" -> {
        int from = name.equals("headOption") ? 0 : Math.max(values.size() - 1, 0);
        int to = Math.min(from + 1, values.size());
        frame.push(new Sym.Elements(Sym.Form.OPTION, values.subList(from, to)));
      }
      case "toOption" -> frame.push(new Sym.Elements(Sym.Form.OPTION, values));
      case "isSuccess" -> frame.push(machine.constantPrim(values.isEmpty() ? 0 : 1));
      case "isFailure" -> frame.push(machine.constantPrim(values.isEmpty() ? 1 : 0));
      case "reverse" -> {
        List<Sym> reversed = new ArrayList<>(values);
        Collections.reverse(reversed);
        frame.push(elements.with(reversed));
      }
      case "isEmpty" -> frame.push(machine.constantPrim(values.isEmpty() ? 1 : 0));
      case "isDefined", "nonEmpty" -> frame.push(machine.constantPrim(values.isEmpty() ? 0 : 1));
      case "size", "length" -> frame.push(machine.constantPrim(values.size()));
      case "get", "value", "x", "head", "last" -> {
        if (values.isEmpty()) {
          return machine.stop(
              FaultCode.THROWN, "java.util.NoSuchElementException: " + name + " of nothing");
        }
        frame.push(values.get(name.equals("last") ? values.size() - 1 : 0));
      }
      // The others are what a pattern with :: reads, in Scala 2.12 and 2.13.
      case "tail", "tl$access$1", "next$access$1" -> {
        if (values.isEmpty()) {
          return machine.stop(
              FaultCode.THROWN, "java.lang.UnsupportedOperationException: tail of nothing");
        }
        frame.push(elements.with(values.subList(1, values.size())));
      }
      case "take", "drop" -> {
        int count = Math.min(Math.max(known(first, name), 0), values.size());
        frame.push(
            elements.with(
                name.equals("take")
                    ? values.subList(0, count)
                    : values.subList(count, values.size())));
      }
      case "apply" -> {
        int index = known(first, name);
        if (index < 0 || index >= values.size()) {
          return machine.stop(FaultCode.THROWN, "java.lang.IndexOutOfBoundsException: " + index);
        }
        frame.push(values.get(index));
      }
      case "contains" -> {
        int any = machine.constant(0);
        for (Sym value : values) {
          int same = calls.scala().equal(value, first);
          any = machine.binary(BinaryOp.OR, Kind.INT, any, same).variable();
        }
        frame.push(new Sym.Prim(Kind.INT, any));
      }
      case "zipWithIndex" -> {
        List<Sym> pairs = new ArrayList<>();
        for (Sym value : values) {
          Sym at = new Sym.Box(Kind.INT, machine.constant(pairs.size()));
          pairs.add(new Sym.Rec(StructClass.of(scala.Tuple2.class), List.of(value, at)));
        }
        frame.push(elements.with(pairs));
      }
      case "sum", "max", "min" -> {
        return reduce(elements, name, first);
      }
      case "reduce", "reduceLeft" -> {
        if (values.isEmpty()) {
          return machine.stop(
              FaultCode.THROWN, "java.lang.UnsupportedOperationException: empty." + name);
        }
        return loops.begin(
            SequenceLoops.Loop.FOLD, values.subList(1, values.size()), values.get(0), first);
      }
      case "getOrElse", "orElse" -> {
        if (values.isEmpty()) {
          return calls.function(first, List.of());
        }
        frame.push(name.equals("orElse") ? elements : values.get(0));
      }
      case "fold" -> {
        if (!isOption) {
          return begin(SequenceLoops.Loop.FOLD, values, arguments);
        }
        return values.isEmpty()
            ? calls.function(first, List.of())
            : calls.function(arguments.get(1), values);
      }
      default -> throw unknown(name, elements);
    }
    return true;
  }

  private RuntimeException unknown(String name, Sym receiver) {
    return machine.refuse(
        "calls "
            + name
            + " on "
            + receiver.describe()
            + "; build messages with Iterator.empty, Iterator((id, message)) and ++");
  }

  private int known(Sym value, String name) {
    if (value instanceof Sym.Prim prim
        && machine.constants.get(prim.variable()) instanceof Integer constant) {
      return constant;
    }
    throw machine.refuse("calls " + name + " of a sequence with a number that is not constant");
  }

  /** The kind of the numbers that a {@code Numeric} adds; null when it is not known. */
  private static Kind numbers(Sym numeric) {
    String name = numeric instanceof Sym.Host host ? host.value().getClass().getName() : "";
    return name.contains("$IntIs") ? Kind.INT : name.contains("$LongIs") ? Kind.LONG : null;
  }

  /** Sums, and least and greatest elements, of numbers in their usual order. */
  private boolean reduce(Sym.Elements elements, String name, Sym ordering) {
    if (elements.values().isEmpty() && !name.equals("sum")) {
      return machine.stop(
          FaultCode.THROWN, "java.lang.UnsupportedOperationException: empty." + name);
    }
    Kind kind = elements.values().isEmpty() ? numbers(ordering) : null;
    for (Sym value : elements.values()) {
      Kind own = value instanceof Sym.Box box ? box.kind() : Kind.BOOLEAN;
      kind = kind == null || kind == own ? own : Kind.BOOLEAN;
    }
    boolean sums = name.equals("sum");
    String usual =
        kind == Kind.INT ? "Int" : kind == Kind.LONG ? "Long" : kind == Kind.DOUBLE ? "Double" : "";
    boolean isUsual =
        ordering instanceof Sym.Host host
            && host.value()
                .getClass()
                .getName()
                .equals(
                    "scala.math."
                        + (sums ? "Numeric$" + usual + "Is" : "Ordering$" + usual + "$")
                        + (!sums ? "" : kind == Kind.DOUBLE ? "Fractional$" : "Integral$"));
    // Scala orders doubles in more than one way, and adds them to 0.0 in lists only.
    if (!isUsual || kind == Kind.DOUBLE && !(sums && elements.form() == Sym.Form.LIST)) {
      throw unknown(name, elements);
    }
    Sym.Prim all = sums ? machine.zeroPrim(kind) : null;
    for (Sym value : elements.values()) {
      int next = ((Sym.Box) value).variable();
      if (all == null) {
        all = new Sym.Prim(kind, next);
      } else if (sums) {
        all = machine.binary(BinaryOp.ADD, kind, all.variable(), next);
      } else {
        Intrinsic function = name.equals("max") ? Intrinsic.MAX : Intrinsic.MIN;
        all = machine.call(function, kind, List.of(all.variable(), next));
      }
    }
    machine.top().push(new Sym.Box(kind, all.variable()));
    return true;
  }

  /** A sequence with more elements behind its own. */
  private static Sym.Elements joined(Sym.Elements first, List<Sym> more) {
    List<Sym> all = new ArrayList<>(first.values());
    all.addAll(more);
    return first.form() == Sym.Form.OPTION ? Sym.Elements.list(all) : first.with(all);
  }
}
