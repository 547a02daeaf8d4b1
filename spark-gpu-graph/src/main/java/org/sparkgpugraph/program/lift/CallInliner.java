package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.bytecode.FunctionObject;
import org.sparkgpugraph.program.bytecode.LibraryCalls;
import org.sparkgpugraph.program.bytecode.MethodBody;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Executes calls: methods of the user are entered, library functions become intrinsics, and what
 * the edge and the superstep context are asked becomes parameters.
 */
final class CallInliner {
  private static final String MATRICES = "org/sparkgpugraph/vector/Matrices";

  private static final String CARRIED =
      "; what is not a number, a record, tuple or case class of numbers or an option of them can only"
          + " be carried along";

  private final SymbolicMachine machine;
  private final NewObjects objects;
  private final Equality equality;
  private final HostValues hosts;
  private final MethodEntry methods;
  private final BoxCalls boxes;
  private final EdgeCalls edges;
  private final ContextCalls context;
  private final ScalaCalls scala;
  private final CapturedTables tables;

  CallInliner(
      SymbolicMachine machine,
      Boxing boxing,
      NewObjects objects,
      HostValues hosts,
      MethodEntry methods,
      EdgeCalls edges,
      ContextCalls context,
      ExecutionPaths paths) {
    this.machine = machine;
    this.objects = objects;
    this.hosts = hosts;
    this.methods = methods;
    this.edges = edges;
    this.context = context;
    equality = new Equality(machine);
    boxes = new BoxCalls(machine, equality, methods);
    scala = new ScalaCalls(machine, boxing, objects, equality, methods, this, paths);
    tables = new CapturedTables(machine, hosts, this, paths);
  }

  /** Captured arrays, maps and sets. */
  CapturedTables tables() {
    return tables;
  }

  /** Calls of the Scala library. */
  ScalaCalls scala() {
    return scala;
  }

  /** Executes a call instruction; returns false when the path has ended. */
  boolean invoke(int opcode, String owner, String name, String descriptor) {
    Frame frame = machine.top();
    Type[] types = Type.getArgumentTypes(descriptor);
    List<Sym> arguments = new ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      arguments.add(0, frame.pop());
    }
    if (opcode == Opcodes.INVOKESTATIC) {
      return invokeStatic(owner, name, descriptor, arguments);
    }
    Sym receiver = frame.pop();
    if (name.equals("<init>")) {
      return construct(receiver, owner, descriptor, arguments);
    } else if (receiver instanceof Sym.Null) {
      return machine.stop(FaultCode.NULL_VALUE, "calling " + owner.replace('/', '.') + "." + name);
    } else if (receiver instanceof Sym.Box box) {
      return boxes.invoke(box, owner, name, arguments);
    } else if (receiver instanceof Sym.Edge of) {
      return edges.invoke(of, name, arguments);
    } else if (receiver instanceof Sym.Context) {
      frame.push(context.invoke(name, arguments));
      return true;
    } else if (receiver instanceof Sym.Keyed keyed) {
      return scala.keyed().invoke(keyed, name, descriptor, arguments);
    } else if (receiver instanceof Sym.Elements
        || receiver instanceof Sym.Rec
            && StructClass.isTuple(((Sym.Rec) receiver).layout().type())) {
      return scala.onValue(receiver, name, descriptor, arguments);
    } else if (receiver instanceof Sym.Rec && isSuperOrPrivate(opcode, owner, name, descriptor)) {
      return methods.enter(owner, name, descriptor, receiver, arguments, -1);
    } else if (receiver instanceof Sym.Rec rec) {
      return enter(rec, name, descriptor, arguments);
    } else if (receiver instanceof Sym.Fresh fresh && ScalaSequences.isMutable(fresh)) {
      return scala.sequences().onMutable(fresh, name, descriptor, arguments);
    } else if (NewObjects.isArray(receiver) && name.equals("clone")) {
      frame.push(objects.copy(receiver));
      return true;
    } else if (receiver instanceof Sym.Fresh fresh) {
      boolean fixed = isSuperOrPrivate(opcode, owner, name, descriptor);
      String start = fixed ? owner : Type.getInternalName(fresh.type());
      return methods.enter(start, name, descriptor, receiver, arguments, -1);
    } else if (receiver instanceof Sym.Closure closure && isItsMethod(owner, name, descriptor)) {
      return methods.enterClosure(closure.method(), closure.captured(), arguments, descriptor);
    } else if (receiver instanceof Sym.Text && name.equals("equals")) {
      frame.push(new Sym.Prim(Kind.INT, equality.test(receiver, arguments.get(0))));
      return true;
    } else if (receiver instanceof Sym.Host host) {
      return invokeOnHost(opcode, host, owner, name, descriptor, arguments);
    } else if (receiver instanceof Sym.Carried) {
      throw machine.refuse("reads " + receiver.describe() + " (" + name + ")" + CARRIED);
    }
    throw machine.refuse(
        "calls " + owner.replace('/', '.') + "." + name + " on " + receiver.describe());
  }

  /** Whether a call is of the method that it names, whatever the object overrides. */
  private boolean isSuperOrPrivate(int opcode, String owner, String name, String descriptor) {
    MethodBody declared = machine.classes.find(owner, name, descriptor);
    return opcode == Opcodes.INVOKESPECIAL
        || declared != null && (declared.method().access & Opcodes.ACC_PRIVATE) != 0;
  }

  /** Whether a method of an interface is the one that a lambda implements. */
  private boolean isItsMethod(String owner, String name, String descriptor) {
    return name.equals("apply")
        || name.startsWith("apply$mc")
        || machine.classes.find(owner, name, descriptor) == null
            && machine.classes.find("java/lang/Object", name, descriptor) == null;
  }

  /** Calls a function of Scala; returns false when the path has ended. */
  boolean function(Sym function, List<Sym> arguments) {
    String descriptor = "(" + "Ljava/lang/Object;".repeat(arguments.size()) + ")Ljava/lang/Object;";
    if (function instanceof Sym.Closure closure) {
      return methods.enterClosure(closure.method(), closure.captured(), arguments, descriptor);
    } else if (function instanceof Sym.Host host) {
      return invokeOnHost(
          Opcodes.INVOKEINTERFACE,
          host,
          "scala/Function" + arguments.size(),
          "apply",
          descriptor,
          arguments);
    }
    throw machine.refuse("calls " + function.describe() + " as a function");
  }

  /** Enters a method of a record or case class. */
  boolean enter(Sym.Rec receiver, String name, String descriptor, List<Sym> arguments) {
    return methods.enter(
        Type.getInternalName(receiver.layout().type()), name, descriptor, receiver, arguments, -1);
  }

  /** Executes a call of a static method; returns false when the path has ended. */
  boolean invokeStatic(String owner, String name, String descriptor, List<Sym> arguments) {
    Frame frame = machine.top();
    Kind box = LibraryCalls.boxKind(owner);
    Type[] types = Type.getArgumentTypes(descriptor);
    if (box != null
        && name.equals("valueOf")
        && types.length == 1
        && Boxing.isPrimitive(types[0])) {
      frame.push(new Sym.Box(box, machine.prim(arguments.get(0)).variable()));
      return true;
    }
    if (name.equals("valueOf")
        && owner.matches("java/lang/(Byte|Short|Character)")
        && Boxing.isPrimitive(types[0])) {
      frame.push(Boxing.boxed(arguments.get(0), types[0]));
      return true;
    }
    Intrinsic intrinsic = LibraryCalls.intrinsic(owner, name, descriptor);
    if (intrinsic != null) {
      List<Integer> variables = new ArrayList<>();
      arguments.forEach(argument -> variables.add(machine.prim(argument).variable()));
      Kind kind = Boxing.boxKind(Type.getReturnType(descriptor));
      if (intrinsic == Intrinsic.FLOOR_DIV || intrinsic == Intrinsic.FLOOR_MOD) {
        variables.set(1, machine.checkDivisor(kind, variables.get(1)));
      }
      frame.push(machine.call(intrinsic, kind == Kind.BOOLEAN ? Kind.INT : kind, variables));
      return true;
    }
    if (owner.equals("scala/runtime/BoxesRunTime")) {
      return scala.box(name, descriptor, arguments);
    } else if (name.equals("create") && ScalaCalls.isReference(owner.replace('/', '.'))) {
      frame.push(scala.reference(owner, descriptor, arguments));
      return true;
    } else if (name.equals("$init$") && owner.startsWith("scala/")) {
      // What a case class inherits from Product and its like has no state.
      return true;
    }
    if (owner.equals("java/util/Arrays") && NewObjects.isArray(arguments.get(0))) {
      return onArray(arguments.get(0), name, arguments);
    }
    if (owner.equals(MATRICES) && name.equals("dimension")) {
      Integer length = machine.known(arguments.get(0));
      int k = length == null ? -1 : (int) Math.sqrt(length);
      if (length != null && k * k == length) {
        // A length, which must be known: what is computed by a square root is not.
        frame.push(machine.constantPrim(k));
        return true;
      }
    }
    if (LibraryCalls.isLibrary(owner) && !LibraryCalls.isInlined(owner)) {
      throw machine.refuse(LibraryCalls.unknown(owner, name));
    }
    return methods.enter(owner, name, descriptor, null, arguments, -1);
  }

  /** What java.util.Arrays does with an array that the function has made, or is given. */
  private boolean onArray(Sym array, String name, List<Sym> arguments) {
    int length = objects.length(array);
    boolean isWhole = arguments.size() == 2;
    Class<?> component = NewObjects.component(array);
    if (name.equals("fill")
        && isWhole
        && array instanceof Sym.Fresh own
        && component.isPrimitive()) {
      machine.requireOwn(own.id());
      int value = machine.prim(arguments.get(1)).variable();
      objects.set(own, machine.filled(NewObjects.elementKind(component), length, value));
      return true;
    } else if (name.equals("copyOf")
        && isWhole
        && arguments.get(1) instanceof Sym.Prim prim
        && Integer.valueOf(length).equals(machine.constants.get(prim.variable()))) {
      machine.top().push(objects.copy(array));
      return true;
    }
    throw machine.refuse(
        "calls java.util.Arrays."
            + name
            + " with an array of the function; there are fill of a whole array, copyOf"
            + " of the same length, and loops");
  }

  private boolean construct(Sym receiver, String owner, String descriptor, List<Sym> arguments) {
    if (!(receiver instanceof Sym.Fresh fresh)) {
      throw machine.refuse("calls a constructor on " + receiver.describe());
    }
    if (owner.equals("java/lang/Record") || owner.equals("java/lang/Object")) {
      return true;
    }
    if (Throwable.class.isAssignableFrom(fresh.type())) {
      String text =
          arguments.stream()
              .filter(Sym.Text.class::isInstance)
              .map(argument -> ((Sym.Text) argument).value())
              .findFirst()
              .orElse(null);
      objects.replace(fresh, new Sym.Thrown(fresh.type().getName(), text));
      return true;
    } else if (ScalaSequences.isMade(fresh.type().getName())) {
      scala.sequences().construct(fresh, arguments);
      return true;
    }
    if (StructClass.isTuple(fresh.type())) {
      List<Sym> fields = ScalaCalls.boxed(arguments, descriptor);
      objects.replace(fresh, new Sym.Rec(StructClass.of(fresh.type()), fields));
      return true;
    }
    return methods.enter(owner, "<init>", descriptor, receiver, arguments, fresh.id());
  }

  private boolean invokeOnHost(
      int opcode,
      Sym.Host host,
      String owner,
      String name,
      String descriptor,
      List<Sym> arguments) {
    Object object = host.value();
    if (object instanceof Enum<?> constant && name.equals("ordinal")) {
      machine.top().push(machine.constantPrim(constant.ordinal()));
      return true;
    }
    if (CapturedTables.isTable(object) && KeyedCalls.isChanging(name)) {
      Sym.Keyed keyed = scala.keyed().captured(host);
      if (keyed != null) {
        return scala.keyed().invoke(keyed, name, descriptor, arguments);
      }
    }
    // Empty maps and sets are objects of the library.
    if (CapturedTables.isTable(object)) {
      return tables.invoke(host, name, arguments);
    }
    if (ScalaCalls.isModule(object)) {
      return scala.onModule(host, name, descriptor, arguments);
    }
    MethodBody declared = machine.classes.find(owner, name, descriptor);
    if (arguments.isEmpty() && hosts.isLazy(declared)) {
      machine.top().push(hosts.lazyValue(host, declared));
      return true;
    }
    if (object instanceof Broadcast<?> broadcast && name.equals("value")) {
      machine.top().push(hosts.captured(broadcast.value(), List.of(host, name)));
      return true;
    }
    boolean fixed = isSuperOrPrivate(opcode, owner, name, descriptor);
    if (!fixed && object.getClass().isHidden()) {
      FunctionObject lambda =
          FunctionObject.serializedLambda(object) == null || !isItsMethod(owner, name, descriptor)
              ? null
              : FunctionObject.of(object, name, arguments.size());
      if (lambda == null) {
        throw machine.refuse(
            "calls "
                + name
                + " of a captured lambda that is not serializable, or not its own method ("
                + owner.replace('/', '.')
                + "); make its interface Serializable");
      }
      List<Sym> captured = new ArrayList<>();
      for (int i = 0; i < lambda.captured().size(); i++) {
        captured.add(hosts.captured(lambda.captured().get(i), List.of(host, i)));
      }
      return methods.enterClosure(lambda.method(), captured, arguments, descriptor);
    }
    String start = fixed ? owner : Type.getInternalName(object.getClass());
    return methods.enter(start, name, descriptor, host, arguments, -1);
  }

  /** Executes what Java compiles to a dynamic call: lambdas, string concatenation, records. */
  boolean dynamic(Frame frame, InvokeDynamicInsnNode dynamic) {
    int count = Type.getArgumentTypes(dynamic.desc).length;
    List<Sym> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      arguments.add(0, frame.pop());
    }
    switch (dynamic.bsm.getOwner()) {
      case "java/lang/invoke/LambdaMetafactory" ->
          frame.push(new Sym.Closure((Handle) dynamic.bsmArgs[1], arguments));
      case "java/lang/invoke/StringConcatFactory" -> frame.push(concatenation(dynamic, arguments));
      case "java/lang/runtime/ObjectMethods" -> {
        if (!dynamic.name.equals("equals")) {
          throw machine.refuse(
              "calls " + dynamic.name + " of a record, whose value Java does not specify");
        }
        frame.push(new Sym.Prim(Kind.INT, equality.test(arguments.get(0), arguments.get(1))));
      }
      default ->
          throw machine.refuse(
              "an instruction made by "
                  + dynamic.bsm.getOwner().replace('/', '.')
                  + " cannot be lifted");
    }
    return true;
  }

  private static Sym concatenation(InvokeDynamicInsnNode dynamic, List<Sym> arguments) {
    StringBuilder text = new StringBuilder();
    String recipe =
        dynamic.bsmArgs.length > 0 && dynamic.bsmArgs[0] instanceof String given
            ? given
            : "\u0001".repeat(arguments.size());
    int next = 0;
    for (char c : recipe.toCharArray()) {
      if (c == '\u0001') {
        Sym argument = arguments.get(next++);
        text.append(argument instanceof Sym.Text part ? part.value() : "…");
      } else {
        text.append(c == '\u0002' ? "…" : String.valueOf(c));
      }
    }
    return new Sym.Text(text.toString());
  }
}
