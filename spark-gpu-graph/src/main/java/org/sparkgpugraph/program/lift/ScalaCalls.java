package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.bytecode.LibraryCalls;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
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
          "scala.collection.immutable.Vector$",
          "scala.collection.Iterable$",
          "scala.collection.Traversable$");

  private final SymbolicMachine machine;
  private final Boxing boxing;
  private final NewObjects objects;
  private final Equality equality;
  private final MethodEntry methods;
  private final CallInliner calls;
  private final ExecutionPaths paths;
  private final SequenceLoops loops;
  private final ScalaSequences sequences;
  private final KeyedCalls keyed;

  /**
   * @param calls executes those that the Java library has, too
   */
  ScalaCalls(
      SymbolicMachine machine,
      Boxing boxing,
      NewObjects objects,
      Equality equality,
      MethodEntry methods,
      CallInliner calls,
      ExecutionPaths paths) {
    this.machine = machine;
    this.boxing = boxing;
    this.objects = objects;
    this.equality = equality;
    this.methods = methods;
    this.calls = calls;
    this.paths = paths;
    loops = new SequenceLoops(machine, paths, calls, objects);
    sequences = new ScalaSequences(machine, objects, calls, loops);
    keyed = new KeyedCalls(machine, calls, paths);
  }

  /** Loops of the library over sequences. */
  SequenceLoops loops() {
    return loops;
  }

  /** Whether an object is a singleton of the Scala library. */
  static boolean isModule(Object object) {
    String name = object.getClass().getName();
    return name.startsWith("scala.") && name.endsWith("$");
  }

  /** Whether a class is that of a local variable which lambdas assign, such as IntRef. */
  static boolean isReference(String className) {
    return className.startsWith("scala.runtime.") && className.endsWith("Ref");
  }

  /** A local variable that lambdas assign. */
  Sym reference(String owner, String descriptor, List<Sym> arguments) {
    Sym.Fresh variable = objects.mutable(machine.load(owner), 1);
    Type type = Type.getArgumentTypes(descriptor)[0];
    machine.state.heap.get(variable.id())[0] = Boxing.boxed(arguments.get(0), type);
    return variable;
  }

  /** A call of BoxesRunTime; returns false when the path has ended. */
  boolean box(String name, String descriptor, List<Sym> arguments) {
    Frame frame = machine.top();
    Type returns = Type.getReturnType(descriptor);
    Sym value = arguments.get(0);
    if (name.startsWith("boxTo")) {
      frame.push(Boxing.boxed(value, Type.getArgumentTypes(descriptor)[0]));
      return true;
    } else if (name.startsWith("unboxTo")) {
      if (value instanceof Sym.Box box && box.kind() != Boxing.boxKind(returns)) {
        return machine.stop(
            FaultCode.THROWN,
            "java.lang.ClassCastException: "
                + value.describe()
                + " is not a "
                + Boxing.boxKind(returns).box().getName());
      }
      frame.push(
          value instanceof Sym.Null
              ? machine.zeroPrim(Boxing.boxKind(returns))
              : boxing.adapt(value, returns));
      return true;
    } else if (name.equals("equals")) {
      Sym other = arguments.get(1);
      if (value instanceof Sym.Rec rec && !StructClass.isTuple(rec.layout().type())) {
        return calls.enter(rec, "equals", "(Ljava/lang/Object;)Z", List.of(other));
      }
      frame.push(new Sym.Prim(Kind.INT, equal(value, other)));
      return true;
    }
    throw machine.refuse(
        "compares " + value.describe() + " with " + arguments.get(arguments.size() - 1).describe());
  }

  /** Methods of sequences, options and buffers. */
  ScalaSequences sequences() {
    return sequences;
  }

  /** Methods of maps and sets that are values. */
  KeyedCalls keyed() {
    return keyed;
  }

  /** Scala's == of two references, as an INT variable that is 0 or 1. */
  int equal(Sym left, Sym right) {
    if (left instanceof Sym.Box a
        && right instanceof Sym.Box b
        && (a.kind() == b.kind() || a.kind() != Kind.BOOLEAN && b.kind() != Kind.BOOLEAN)) {
      Kind kind = a.kind().ordinal() > b.kind().ordinal() ? a.kind() : b.kind();
      return equal(
          kind,
          machine.convert(a.variable(), a.kind(), kind).variable(),
          machine.convert(b.variable(), b.kind(), kind).variable());
    } else if (left instanceof Sym.Rec a
        && right instanceof Sym.Rec b
        && a.layout().equals(b.layout())
        && StructClass.isTuple(a.layout().type())) {
      return equal(a.fields(), b.fields());
    } else if (left instanceof Sym.Elements a
        && right instanceof Sym.Elements b
        && a.form() != Sym.Form.TRY
        && b.form() != Sym.Form.TRY
        && !a.isPending()
        && !b.isPending()) {
      boolean options = a.form() == Sym.Form.OPTION;
      return options == (b.form() == Sym.Form.OPTION) && a.values().size() == b.values().size()
          ? equal(a.values(), b.values())
          : machine.constant(0);
    } else if (keyed.of(left) instanceof Sym.Keyed a && keyed.of(right) instanceof Sym.Keyed b) {
      return keyed.equal(a, b);
    } else if (left instanceof Sym.Rec && right instanceof Sym.Rec) {
      throw machine.refuse("compares " + left.describe() + " with " + right.describe());
    }
    return equality.test(left, right);
  }

  private int equal(List<Sym> left, List<Sym> right) {
    int all = machine.constant(1);
    for (int i = 0; i < left.size(); i++) {
      int same = equal(left.get(i), right.get(i));
      all = machine.binary(BinaryOp.AND, Kind.INT, all, same).variable();
    }
    return all;
  }

  /** Scala's == of boxed numbers is that of the numbers: NaN differs from itself, 0.0 == -0.0. */
  private int equal(Kind kind, int left, int right) {
    if (kind.isIntegral()) {
      return equality.test(new Sym.Box(kind, left), new Sym.Box(kind, right));
    }
    int order = machine.binary(BinaryOp.COMPARE_L, Kind.INT, left, right).variable();
    int one = machine.constant(1);
    int differs = machine.binary(BinaryOp.AND, Kind.INT, order, one).variable();
    return machine.binary(BinaryOp.XOR, Kind.INT, differs, one).variable();
  }

  /** A method of a tuple or of a sequence of known length. */
  boolean onValue(Sym receiver, String name, String descriptor, List<Sym> arguments) {
    Frame frame = machine.top();
    if (receiver instanceof Sym.Rec tuple) {
      Sym result = onTuple(tuple, name, descriptor, arguments);
      if (result != null) {
        frame.push(result);
        return true;
      }
    } else if (receiver instanceof Sym.Elements elements) {
      if (name.equals("equals")) {
        frame.push(new Sym.Prim(Kind.INT, equal(elements, arguments.get(0))));
        return true;
      }
      return sequences.onElements(elements, name, arguments);
    }
    throw machine.refuse(
        "calls " + name + " on " + receiver.describe() + "; use its components, copy, swap and ==");
  }

  /** A method of a tuple; null when it is none of those that can be lifted. */
  private Sym onTuple(Sym.Rec tuple, String name, String descriptor, List<Sym> arguments) {
    // A specialised tuple has _1$mcJ$sp beside _1, and likewise copy$mJDc$sp,
    // copy$default$1$mcJ$sp.
    String plain = name.replaceFirst("\\$mc?[A-Z]+c?\\$sp$", "");
    if (plain.startsWith("copy$default$")) {
      plain = "_" + plain.substring("copy$default$".length());
    }
    Type returns = Type.getReturnType(descriptor);
    int index = tuple.layout().indexOf(plain);
    if (index >= 0 && arguments.isEmpty()) {
      return boxing.unboxed(tuple.fields().get(index), returns);
    }
    return switch (plain) {
      case "copy" -> new Sym.Rec(tuple.layout(), boxed(arguments, descriptor));
      case "swap" ->
          new Sym.Rec(tuple.layout(), List.of(tuple.fields().get(1), tuple.fields().get(0)));
      case "equals" -> new Sym.Prim(Kind.INT, equal(tuple, arguments.get(0)));
      default -> null;
    };
  }

  /** Arguments of a call, as a tuple holds them. */
  static List<Sym> boxed(List<Sym> arguments, String descriptor) {
    Type[] types = Type.getArgumentTypes(descriptor);
    List<Sym> boxed = new ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      boxed.add(Boxing.boxed(arguments.get(i), types[i]));
    }
    return boxed;
  }

  /** A method of a singleton of the Scala library. */
  boolean onModule(Sym.Host host, String name, String descriptor, List<Sym> arguments) {
    Frame frame = machine.top();
    String module = host.value().getClass().getName();
    Sym first = arguments.isEmpty() ? null : arguments.get(0);
    if (name.equals("canBuildFrom")) {
      frame.push(host);
      return true;
    } else if (keyed.onModule(host, name, arguments)) {
      return true;
    } else if (module.equals("scala.package$") && arguments.isEmpty()) {
      frame.push(read(host.value(), name));
      return true;
    } else if (module.equals("scala.math.package$")
        && arguments.isEmpty()
        && (name.equals("Pi") || name.equals("E"))) {
      frame.push(machine.constantPrim(name.equals("E") ? Math.E : Math.PI));
      return true;
    } else if (module.equals("scala.math.package$")) {
      return calls.invokeStatic("java/lang/Math", name, descriptor, arguments);
    } else if (SEQUENCES.contains(module)) {
      if (name.equals("empty")
          || name.equals("single")
          || name.equals("apply") && first instanceof Sym.Elements) {
        List<Sym> values =
            name.equals("empty")
                ? List.of()
                : name.equals("single") ? List.of(first) : ((Sym.Elements) first).values();
        boolean isVector = module.equals("scala.collection.immutable.Vector$");
        frame.push(
            module.equals("scala.collection.Iterator$")
                ? sequences.iterator(values)
                : new Sym.Elements(isVector ? Sym.Form.SEQUENCE : Sym.Form.LIST, values));
        return true;
      }
    } else if (module.startsWith("scala.collection.mutable.")
        && ScalaSequences.isBuffer(module.substring(0, module.length() - 1))
        && (name.equals("empty") || name.equals("apply"))) {
      String type = module.substring(0, module.length() - 1);
      Sym.Fresh buffer = objects.mutable(machine.load(type.replace('.', '/')), 0);
      frame.push(buffer);
      if (name.equals("apply")) {
        frame.pop();
        return sequences.onBuffer(buffer, "addAll", descriptor, List.of(first));
      }
      return true;
    } else if (name.equals("apply") && module.matches("scala\\.(Option|Some)\\$")
        || module.equals("scala.Option$") && name.equals("empty")) {
      if (first instanceof Sym.Carried) {
        throw machine.refuse("reads " + first.describe());
      }
      boolean isSome = first != null && (module.equals("scala.Some$") || !machine.isNull(first));
      List<Sym> values = isSome ? List.of(first) : List.of();
      frame.push(new Sym.Elements(Sym.Form.OPTION, values));
      return true;
    } else if (module.equals("scala.Option$")
        && name.equals("option2Iterable")
        && first instanceof Sym.Elements option) {
      frame.push(Sym.Elements.list(option.values()));
      return true;
    } else if (module.equals("scala.util.control.NonFatal$")
        && first instanceof Sym.Thrown thrown
        && (name.equals("apply") || name.equals("unapply"))) {
      boolean fatal = isFatal(machine.load(thrown.className().replace('.', '/')));
      frame.push(
          name.equals("apply")
              ? machine.constantPrim(fatal ? 0 : 1)
              : new Sym.Elements(Sym.Form.OPTION, fatal ? List.of() : List.of(thrown)));
      return true;
    } else if (module.equals("scala.util.Try$") && name.equals("apply")) {
      return loops.attempt(first);
    } else if (module.equals("scala.Predef$")
        && (name.equals("identity") || name.equals("locally"))) {
      frame.push(first);
      return true;
    } else if (module.equals("scala.Predef$")
        && (name.equals("require") || name.equals("assert") || name.equals("assume"))) {
      return require(name, machine.prim(first));
    } else if (name.startsWith("wrap") && name.endsWith("Array") && NewObjects.isArray(first)) {
      // From here on it is a sequence: code that changes the array is refused.
      Sym.Elements elements = objects.elements(first);
      if (first instanceof Sym.Fresh array) {
        objects.replace(array, elements);
      }
      frame.push(elements);
      return true;
    } else if (name.equals("$minus$greater$extension")) {
      frame.push(new Sym.Rec(pair(), List.of(arguments.get(0), arguments.get(1))));
      return true;
    } else if (module.equals("scala.Predef$") && arguments.size() == 1) {
      // intWrapper, ArrowAssoc, double2Double, Double2double, …: the same value in another box
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
    } else if (module.equals("scala.runtime.RichInt$")
        && name.matches("(to|until)\\$extension0?")
        && range(name, arguments) != null) {
      frame.push(range(name, arguments));
      return true;
    } else if (module.startsWith("scala.runtime.Rich")) {
      return methods.enter(module.replace('.', '/'), name, descriptor, host, arguments, -1);
    }
    throw machine.refuse(LibraryCalls.unknown(module, name));
  }

  /** A range between constants and captured numbers; null between others, or when it is long. */
  private Sym.Elements range(String name, List<Sym> arguments) {
    Integer from = machine.known(arguments.get(0));
    Integer to = machine.known(arguments.get(1));
    if (from == null || to == null || to - (long) from > CapturedTables.MOST) {
      return null;
    }
    List<Sym> values = new ArrayList<>();
    for (long i = from; i < to || i == to && name.startsWith("to"); i++) {
      values.add(new Sym.Box(Kind.INT, machine.constant((int) i)));
    }
    return new Sym.Elements(Sym.Form.SEQUENCE, values);
  }

  /** Goes on where a condition holds; elsewhere the program is stopped, as Scala throws there. */
  private boolean require(String name, Sym.Prim condition) {
    boolean argument = name.equals("require");
    String thrown = argument ? "java.lang.IllegalArgumentException" : "java.lang.AssertionError";
    String what = argument ? "requirement" : name.equals("assert") ? "assertion" : "assumption";
    return paths.fork(
        Condition.EQ,
        condition.variable(),
        machine.constant(0),
        () -> machine.stop(FaultCode.THROWN, thrown + ": " + what + " failed"),
        () -> true);
  }

  /** Whether {@code NonFatal} passes an exception on. */
  static boolean isFatal(Class<?> thrown) {
    return Stream.of(
            VirtualMachineError.class,
            InterruptedException.class,
            LinkageError.class,
            scala.util.control.ControlThrowable.class)
        .anyMatch(fatal -> fatal.isAssignableFrom(thrown));
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
