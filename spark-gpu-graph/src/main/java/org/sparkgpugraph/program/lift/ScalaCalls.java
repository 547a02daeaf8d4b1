package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.bytecode.LibraryCalls;
import org.sparkgpugraph.program.bytecode.StructClass;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Kind;

/**
 * What Scala closures call for things that Java has in the language: boxes, tuples, iterators of
 * messages, {@code math.min}. Both Scala 2.12 and 2.13.
 */
final class ScalaCalls {
  private static final Set<String> SEQUENCES =
      Set.of(
          "scala.collection.Iterator$",
          "scala.collection.immutable.List$",
          "scala.collection.Seq$",
          "scala.collection.immutable.Seq$",
          "scala.collection.immutable.Vector$");

  private final SymbolicMachine machine;
  private final Boxing boxing;
  private final NewObjects objects;
  private final Equality equality;
  private final MethodEntry methods;
  private final CallInliner calls;

  /**
   * @param calls executes those that the Java library has, too
   */
  ScalaCalls(
      SymbolicMachine machine,
      Boxing boxing,
      NewObjects objects,
      Equality equality,
      MethodEntry methods,
      CallInliner calls) {
    this.machine = machine;
    this.boxing = boxing;
    this.objects = objects;
    this.equality = equality;
    this.methods = methods;
    this.calls = calls;
  }

  /** Whether an object is a singleton of the Scala library. */
  static boolean isModule(Object object) {
    String name = object.getClass().getName();
    return name.startsWith("scala.") && name.endsWith("$");
  }

  /** Whether this is the class of a list's cell. */
  static boolean isCons(Class<?> type) {
    return type.getName().equals("scala.collection.immutable.$colon$colon");
  }

  private static boolean isNil(Sym value) {
    return value instanceof Sym.Host host
        && host.value().getClass().getName().equals("scala.collection.immutable.Nil$");
  }

  /** The list of a head and a tail. */
  Sym cons(Sym head, Sym tail) {
    Sym.Elements first = new Sym.Elements(List.of(head));
    return isNil(tail) ? first : concatenated(first, tail);
  }

  /** A call of BoxesRunTime. */
  Sym box(String name, String descriptor, List<Sym> arguments) {
    Type returns = Type.getReturnType(descriptor);
    Sym value = arguments.get(0);
    if (name.startsWith("boxTo")) {
      return Boxing.boxed(value, Type.getArgumentTypes(descriptor)[0]);
    } else if (name.startsWith("unboxTo")) {
      return value instanceof Sym.Null
          ? machine.zeroPrim(Boxing.boxKind(returns))
          : boxing.adapt(value, returns);
    } else if (name.equals("equals")
        && value instanceof Sym.Box left
        && arguments.get(1) instanceof Sym.Box right
        && left.kind() == right.kind()) {
      // Scala's == of boxed numbers is that of the numbers: NaN differs from itself, 0.0 == -0.0.
      if (left.kind().isIntegral()) {
        return new Sym.Prim(Kind.INT, equality.test(left, right));
      }
      int order =
          machine
              .binary(BinaryOp.COMPARE_L, Kind.INT, left.variable(), right.variable())
              .variable();
      int one = machine.constant(1);
      int differs = machine.binary(BinaryOp.AND, Kind.INT, order, one).variable();
      return machine.binary(BinaryOp.XOR, Kind.INT, differs, one);
    }
    throw machine.refuse(
        "compares " + value.describe() + " with " + arguments.get(arguments.size() - 1).describe());
  }

  /** A method of a tuple or of a sequence of known length. */
  boolean onValue(Sym receiver, String name, String descriptor, List<Sym> arguments) {
    Frame frame = machine.top();
    if (receiver instanceof Sym.Rec tuple) {
      // _1, or _1$mcJ$sp of a specialised tuple
      int end = name.indexOf('$');
      int index = tuple.layout().indexOf(end < 0 ? name : name.substring(0, end));
      if (index >= 0 && arguments.isEmpty()) {
        frame.push(boxing.unboxed(tuple.fields().get(index), Type.getReturnType(descriptor)));
        return true;
      }
    } else if (receiver instanceof Sym.Elements elements) {
      switch (name) {
        case "iterator", "toIterator", "toSeq", "toList", "seq" -> {
          frame.push(elements);
          return true;
        }
        case "$plus$plus", "concat" -> {
          if (arguments.get(0) instanceof Sym.Closure later) {
            methods.enterClosure(
                later.method(), later.captured(), List.of(), "()Ljava/lang/Object;");
            machine.top().locals[0] = elements;
            return true;
          } else if (arguments.get(0) instanceof Sym.Elements) {
            frame.push(concatenated(elements, arguments.get(0)));
            return true;
          }
        }
        default -> {}
      }
    }
    throw machine.refuse(
        "calls "
            + name
            + " on "
            + receiver.describe()
            + "; build messages with Iterator.empty, Iterator((id, message)) and ++");
  }

  /** The messages of two sequences. */
  Sym concatenated(Sym.Elements first, Sym second) {
    if (!(second instanceof Sym.Elements other)) {
      throw machine.refuse("appends " + second.describe() + " to an iterator");
    }
    List<Sym> all = new ArrayList<>(first.values());
    all.addAll(other.values());
    return new Sym.Elements(all);
  }

  /** A method of a singleton of the Scala library. */
  boolean onModule(Sym.Host host, String name, String descriptor, List<Sym> arguments) {
    Frame frame = machine.top();
    String module = host.value().getClass().getName();
    Sym first = arguments.isEmpty() ? null : arguments.get(0);
    if (module.equals("scala.package$") && arguments.isEmpty()) {
      frame.push(read(host.value(), name));
      return true;
    } else if (module.equals("scala.math.package$")) {
      return calls.invokeStatic("java/lang/Math", name, descriptor, arguments);
    } else if (SEQUENCES.contains(module)) {
      if (name.equals("empty")) {
        frame.push(new Sym.Elements(List.of()));
        return true;
      } else if (name.equals("single")) {
        frame.push(new Sym.Elements(List.of(first)));
        return true;
      } else if (name.equals("apply") && first instanceof Sym.Elements) {
        frame.push(first);
        return true;
      } else if (name.equals("apply") && isNil(first)) {
        frame.push(new Sym.Elements(List.of()));
        return true;
      }
    } else if (isNil(host)) {
      return onValue(new Sym.Elements(List.of()), name, descriptor, arguments);
    } else if (name.equals("wrapRefArray") && first instanceof Sym.Fresh array) {
      frame.push(objects.elements(array));
      return true;
    } else if (name.equals("$minus$greater$extension")) {
      frame.push(new Sym.Rec(pair(), List.of(arguments.get(0), arguments.get(1))));
      return true;
    } else if (module.equals("scala.Predef$") && arguments.size() == 1) {
      // intWrapper, ArrowAssoc, double2Double, Double2double, …: the same value in another dress
      Type takes = Type.getArgumentTypes(descriptor)[0];
      Type returns = Type.getReturnType(descriptor);
      if (name.endsWith("Wrapper")
          || name.equals("ArrowAssoc")
          || name.matches("[A-Za-z]+2[A-Za-z]+")) {
        frame.push(
            Boxing.isPrimitive(returns)
                ? boxing.adapt(first, returns)
                : Boxing.boxed(first, takes));
        return true;
      }
    } else if (module.startsWith("scala.runtime.Rich")) {
      return methods.enter(module.replace('.', '/'), name, descriptor, host, arguments, -1);
    }
    throw machine.refuse(LibraryCalls.unknown(module, name));
  }

  private StructClass pair() {
    return StructClass.of(scala.Tuple2.class);
  }

  /** The value of a {@code val} of the package object, such as {@code Iterator}. */
  private Sym read(Object module, String name) {
    try {
      return new Sym.Host(module.getClass().getMethod(name).invoke(module));
    } catch (ReflectiveOperationException e) {
      throw machine.refuse("scala.package." + name + " cannot be read: " + e);
    }
  }
}
