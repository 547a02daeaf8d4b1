package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * Executes calls: methods of the user are entered, library functions become intrinsics, and what
 * the edge and the superstep context are asked becomes parameters.
 */
abstract class CallInliner extends SymbolicMachine {
  static final int MAX_DEPTH = 100;
  final LiftBudget budget;
  final List<String> aggregates;
  final HostValues hosts;
  final ScalaCalls scala;
  final ValueType vertex;
  final ValueType edge;
  final ValueType message;
  final Map<Handle, MethodBody> adapters = new HashMap<>();

  /**
   * Prepares the machine.
   *
   * @param budget of the program
   * @param aggregates names of the aggregates that may be read
   * @param vertex type of the values of the edge's ends (send functions)
   * @param edge type of the edge's attribute (send functions)
   * @param message type of the messages sent (send functions)
   */
  CallInliner(
      ClassFiles classes,
      Captures captures,
      LiftBudget budget,
      List<String> aggregates,
      ValueType vertex,
      ValueType edge,
      ValueType message) {
    super(classes);
    this.budget = budget;
    this.aggregates = aggregates;
    this.vertex = vertex;
    this.edge = edge;
    this.message = message;
    this.hosts = new HostValues(this, captures);
    this.scala = new ScalaCalls(this);
  }

  /** The symbolic form of a value whose columns are parameters. */
  Sym value(Role role, ValueType type) {
    if (type instanceof ValueType.Opaque) {
      return new Sym.Host(new HostValues.Unreadable(type.className()));
    }
    return value(role, type, new int[1]);
  }

  Sym value(Role role, ValueType type, int[] column) {
    if (type instanceof ValueType.Scalar scalar) {
      return new Sym.Box(scalar.kind(), ssa.parameter(role, column[0]++, scalar.kind()));
    }
    ValueType.Struct struct = (ValueType.Struct) type;
    List<Sym> fields = new ArrayList<>();
    for (ValueType.Field field : struct.fields()) {
      fields.add(value(role, field.type(), column));
    }
    return new Sym.Rec(StructClass.of(load(struct.className().replace('.', '/'))), fields);
  }

  boolean invoke(int opcode, String owner, String name, String descriptor) {
    Frame frame = state.top();
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
      return stop(FaultCode.NULL_VALUE, "calling " + owner.replace('/', '.') + "." + name);
    } else if (receiver instanceof Sym.Box box) {
      return invokeOnBox(box, owner, name, arguments);
    } else if (receiver instanceof Sym.Edge of) {
      return invokeOnEdge(of, name, arguments);
    } else if (receiver instanceof Sym.Context) {
      frame.push(askContext(name, arguments));
      return true;
    } else if (receiver instanceof Sym.Elements
        || receiver instanceof Sym.Rec
            && StructClass.isTuple(((Sym.Rec) receiver).layout().type())) {
      return scala.onValue(receiver, name, descriptor, arguments);
    } else if (receiver instanceof Sym.Rec rec) {
      return enter(
          Type.getInternalName(rec.layout().type()), name, descriptor, receiver, arguments, -1);
    } else if (receiver instanceof Sym.Fresh fresh) {
      return enter(Type.getInternalName(fresh.type()), name, descriptor, receiver, arguments, -1);
    } else if (receiver instanceof Sym.Closure closure) {
      return invokeClosure(closure.method(), closure.captured(), arguments, descriptor);
    } else if (receiver instanceof Sym.Text && name.equals("equals")) {
      frame.push(new Sym.Prim(Kind.INT, equalTo(receiver, arguments.get(0))));
      return true;
    } else if (receiver instanceof Sym.Host host) {
      return invokeOnHost(opcode, host, owner, name, descriptor, arguments);
    }
    throw refuse("calls " + owner.replace('/', '.') + "." + name + " on " + describe(receiver));
  }

  boolean invokeStatic(String owner, String name, String descriptor, List<Sym> arguments) {
    Frame frame = state.top();
    Kind box = LibraryCalls.boxKind(owner);
    Type[] types = Type.getArgumentTypes(descriptor);
    if (box != null && name.equals("valueOf") && types.length == 1 && isPrimitive(types[0])) {
      frame.push(new Sym.Box(box, prim(arguments.get(0)).variable()));
      return true;
    }
    Intrinsic intrinsic = LibraryCalls.intrinsic(owner, name, descriptor);
    if (intrinsic != null) {
      List<Integer> variables = new ArrayList<>();
      arguments.forEach(argument -> variables.add(prim(argument).variable()));
      Kind kind = boxKind(Type.getReturnType(descriptor));
      if (intrinsic == Intrinsic.FLOOR_DIV || intrinsic == Intrinsic.FLOOR_MOD) {
        checkDivisor(kind, variables.get(1));
      }
      frame.push(call(intrinsic, kind == Kind.BOOLEAN ? Kind.INT : kind, variables));
      return true;
    }
    if (owner.equals("scala/runtime/BoxesRunTime")) {
      frame.push(scala.box(name, descriptor, arguments));
      return true;
    }
    if (LibraryCalls.isLibrary(owner) && !LibraryCalls.isInlined(owner)) {
      throw refuse(unknownCall(owner, name));
    }
    return enter(owner, name, descriptor, null, arguments, -1);
  }

  static String unknownCall(String owner, String name) {
    return "calls "
        + owner.replace('/', '.')
        + "."
        + name
        + ", which is not among the library methods that can be lifted (Math, and the arithmetic"
        + " of Integer, Long, Float, Double, Boolean); compute it outside the program and capture"
        + " the result";
  }

  boolean construct(Sym receiver, String owner, String descriptor, List<Sym> arguments) {
    if (!(receiver instanceof Sym.Fresh fresh)) {
      throw refuse("calls a constructor on " + describe(receiver));
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
      replaceObject(fresh, new Sym.Thrown(fresh.type().getName(), text));
      return true;
    } else if (ScalaCalls.isCons(fresh.type())) {
      replaceObject(fresh, scala.cons(arguments.get(0), arguments.get(1)));
      return true;
    }
    if (StructClass.isTuple(fresh.type())) {
      Type[] types = Type.getArgumentTypes(descriptor);
      Sym[] fields = state.heap.get(fresh.id());
      for (int i = 0; i < fields.length; i++) {
        fields[i] = boxed(arguments.get(i), types[i]);
      }
      completeObject(fresh.id());
      return true;
    }
    return enter(owner, "<init>", descriptor, receiver, arguments, fresh.id());
  }

  boolean invokeOnBox(Sym.Box box, String owner, String name, List<Sym> arguments) {
    Frame frame = state.top();
    Kind target =
        switch (name) {
          case "booleanValue" -> Kind.BOOLEAN;
          case "intValue", "shortValue", "byteValue" -> Kind.INT;
          case "longValue" -> Kind.LONG;
          case "floatValue" -> Kind.FLOAT;
          case "doubleValue" -> Kind.DOUBLE;
          default -> null;
        };
    Kind internal = box.kind() == Kind.BOOLEAN ? Kind.INT : box.kind();
    if (target == Kind.BOOLEAN) {
      frame.push(new Sym.Prim(Kind.INT, box.variable()));
      return true;
    } else if (target != null) {
      Sym.Prim value = convert(box.variable(), internal, target);
      frame.push(
          switch (name) {
            case "shortValue" -> unary(UnaryOp.TO_SHORT, Kind.INT, value.variable());
            case "byteValue" -> unary(UnaryOp.TO_BYTE, Kind.INT, value.variable());
            default -> value;
          });
      return true;
    }
    switch (name) {
      case "equals" -> frame.push(new Sym.Prim(Kind.INT, equalTo(box, arguments.get(0))));
      case "compareTo", "compare" -> {
        if (!(arguments.get(0) instanceof Sym.Box other) || other.kind() != box.kind()) {
          throw refuse("compares " + describe(box) + " with " + describe(arguments.get(0)));
        }
        frame.push(
            call(Intrinsic.COMPARE_TOTAL, Kind.INT, List.of(box.variable(), other.variable())));
      }
      case "isNaN" -> frame.push(call(Intrinsic.IS_NAN, Kind.INT, List.of(box.variable())));
      case "isInfinite" ->
          frame.push(call(Intrinsic.IS_INFINITE, Kind.INT, List.of(box.variable())));
      case "hashCode" -> {
        String type = Type.getInternalName(box.kind().box());
        String primitive = Type.getDescriptor(box.kind().primitive());
        return enter(
            type,
            "hashCode",
            "(" + primitive + ")I",
            null,
            List.of(new Sym.Prim(internal, box.variable())),
            -1);
      }
      default -> throw refuse(unknownCall(owner, name));
    }
    return true;
  }

  boolean invokeOnEdge(Sym.Edge of, String name, List<Sym> arguments) {
    Frame frame = state.top();
    // Scala specialises Edge.attr for primitives: attr$mcD$sp and so on.
    String plain = name.startsWith("attr$mc") ? "attr" : name;
    Sym value =
        switch (plain) {
          case "srcId" -> id(Role.SOURCE_ID);
          case "dstId" -> id(Role.DESTINATION_ID);
          case "srcAttr" -> value(Role.SOURCE, vertex);
          case "dstAttr" -> value(Role.DESTINATION, vertex);
          case "attr" -> value(Role.EDGE, edge);
          case "toEdgeTriplet" -> new Sym.Edge(true);
          default -> null;
        };
    if (value instanceof Sym.Box box && !plain.equals(name)) {
      value = new Sym.Prim(MachineState.variableKind(box), box.variable());
    }
    if (value != null) {
      frame.push(value);
      return true;
    }
    if (!of.triplet() && (plain.equals("sendToSrc") || plain.equals("sendToDst"))) {
      List<Integer> columns = new ArrayList<>();
      if (!flatten(arguments.get(0), message, false, columns)) {
        return false;
      }
      Side side = plain.equals("sendToSrc") ? Side.SOURCE : Side.DESTINATION;
      block.body.add(new Insn.Emit(side, columns, where()));
      return true;
    }
    throw refuse(
        "calls "
            + name
            + " on "
            + describe(of)
            + "; a send function may use srcId, dstId, srcAttr, dstAttr, attr, sendToSrc and"
            + " sendToDst");
  }

  Sym id(Role role) {
    return new Sym.Prim(Kind.LONG, ssa.parameter(role, 0, Kind.LONG));
  }

  Sym askContext(String name, List<Sym> arguments) {
    switch (name) {
      case "superstep" -> {
        return new Sym.Prim(Kind.INT, ssa.parameter(Role.SUPERSTEP, 0, Kind.INT));
      }
      case "vertexCount" -> {
        return new Sym.Prim(Kind.LONG, ssa.parameter(Role.VERTEX_COUNT, 0, Kind.LONG));
      }
      case "aggregate" -> {
        if (!(arguments.get(0) instanceof Sym.Text text)) {
          throw refuse("aggregate(name) needs a constant name");
        }
        int index = aggregates.indexOf(text.value());
        if (index < 0) {
          throw refuse(
              "aggregate(\"" + text.value() + "\") does not exist; the program has " + aggregates);
        }
        return new Sym.Prim(Kind.DOUBLE, ssa.parameter(Role.AGGREGATE, index, Kind.DOUBLE));
      }
      default -> throw refuse("calls " + name + " on the superstep context");
    }
  }

  boolean invokeOnHost(
      int opcode,
      Sym.Host host,
      String owner,
      String name,
      String descriptor,
      List<Sym> arguments) {
    Object object = host.value();
    if (object instanceof HostValues.Unreadable unreadable) {
      throw refuse(
          "reads a value of class "
              + unreadable.className()
              + "; values must be Integer, Long, Float, Double, Boolean or records of them");
    }
    if (object instanceof Enum<?> constant && name.equals("ordinal")) {
      state.top().push(constantPrim(constant.ordinal()));
      return true;
    }
    if (ScalaCalls.isModule(object)) {
      return scala.onModule(host, name, descriptor, arguments);
    }
    MethodBody declared = classes.find(owner, name, descriptor);
    boolean isPrivate = declared != null && (declared.method().access & Opcodes.ACC_PRIVATE) != 0;
    if (opcode != Opcodes.INVOKESPECIAL && !isPrivate && object.getClass().isHidden()) {
      FunctionObject lambda =
          FunctionObject.serializedLambda(object) == null
              ? null
              : FunctionObject.of(object, name, arguments.size());
      if (lambda == null) {
        throw refuse(
            "calls a captured lambda that is not serializable ("
                + owner.replace('/', '.')
                + "); make its interface Serializable");
      }
      List<Sym> captured = new ArrayList<>();
      for (int i = 0; i < lambda.captured().size(); i++) {
        captured.add(hosts.captured(lambda.captured().get(i), List.of(host, i)));
      }
      return invokeClosure(lambda.handle(), captured, arguments, descriptor);
    }
    String start =
        opcode == Opcodes.INVOKESPECIAL || isPrivate
            ? owner
            : Type.getInternalName(object.getClass());
    return enter(start, name, descriptor, host, arguments, -1);
  }

  /** Enters the method behind a lambda that was made in, or captured by, the lifted code. */
  boolean invokeClosure(Handle method, List<Sym> captured, List<Sym> arguments, String calledAs) {
    List<Sym> values = new ArrayList<>(captured);
    values.addAll(arguments);
    MethodBody body = adapters.computeIfAbsent(method, FunctionLifter::adapterBody);
    Frame adapter = new Frame(body, -1);
    adapter.adapter = true;
    adapter.returns = Type.getReturnType(calledAs);
    depthCheck();
    state.frames.add(adapter);
    boolean constructor = method.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    if (constructor) {
      Sym fresh = newObject(method.getOwner());
      adapter.push(fresh);
      adapter.push(fresh);
    }
    pushArguments(
        adapter,
        values,
        constructor || method.getTag() == Opcodes.H_INVOKESTATIC,
        method.getDesc());
    return true;
  }

  void pushArguments(Frame frame, List<Sym> values, boolean isStatic, String descriptor) {
    Type[] types = Type.getArgumentTypes(descriptor);
    int expected = types.length + (isStatic ? 0 : 1);
    if (expected != values.size()) {
      throw refuse(
          "a method of "
              + expected
              + " parameters is called with "
              + values.size()
              + " values: "
              + descriptor);
    }
    for (int i = 0; i < values.size(); i++) {
      int parameter = isStatic ? i : i - 1;
      frame.push(parameter < 0 ? values.get(i) : adapt(values.get(i), types[parameter]));
    }
  }

  /** A method of two instructions that calls another one: what a lambda's own class does. */
  static MethodBody adapterBody(Handle method) {
    boolean constructor = method.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    int opcode =
        switch (method.getTag()) {
          case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
          case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
          case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
          default -> Opcodes.INVOKEVIRTUAL;
        };
    Type returns =
        constructor ? Type.getObjectType(method.getOwner()) : Type.getReturnType(method.getDesc());
    MethodNode node =
        new MethodNode(
            Opcodes.ACC_STATIC, method.getName(), "()" + returns.getDescriptor(), null, null);
    node.instructions.add(
        new MethodInsnNode(
            opcode, method.getOwner(), method.getName(), method.getDesc(), method.isInterface()));
    node.instructions.add(
        new InsnNode(returns.getSort() == Type.VOID ? Opcodes.RETURN : Opcodes.ARETURN));
    return new MethodBody(method.getOwner(), node);
  }

  void depthCheck() {
    if (state.frames.size() >= MAX_DEPTH) {
      throw refuse("calls nest deeper than " + MAX_DEPTH);
    }
  }

  boolean enter(
      String owner,
      String name,
      String descriptor,
      Sym receiver,
      List<Sym> arguments,
      int constructs) {
    String called = owner.replace('/', '.') + "." + name;
    MethodBody body = classes.find(owner, name, descriptor);
    if (body == null) {
      throw refuse(
          LibraryCalls.isLibrary(owner)
              ? unknownCall(owner, name)
              : "calls "
                  + called
                  + descriptor
                  + ", whose bytecode the class loader of the lambda does not give; put the class"
                  + " on the class path or in a jar (--jars)");
    }
    if (LibraryCalls.isLibrary(body.owner()) && !LibraryCalls.isInlined(body.owner())) {
      throw refuse(unknownCall(body.owner(), name));
    }
    for (Frame frame : state.frames) {
      if (frame.body == body) {
        throw refuse("calls " + called + " recursively; write a loop");
      }
    }
    depthCheck();
    int access = body.method().access;
    if ((access & (Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT)) != 0) {
      throw refuse("calls " + called + ", which has no bytecode");
    }
    budget.enter(body);
    Frame frame = new Frame(body, constructs);
    int slot = 0;
    if (receiver != null) {
      frame.locals[slot++] = receiver;
    }
    for (Sym argument : arguments) {
      frame.locals[slot] = argument;
      slot += argument.wide() ? 2 : 1;
    }
    state.frames.add(frame);
    if ((access & Opcodes.ACC_SYNCHRONIZED) != 0 || body.locks()) {
      throw refuse(SYNCHRONIZED);
    }
    if (!body.method().tryCatchBlocks.isEmpty()) {
      frame.pc = body.index(body.method().tryCatchBlocks.get(0).start) + 1;
      while (frame.pc < body.size() && body.instruction(frame.pc).getOpcode() < 0) {
        frame.pc++;
      }
      throw refuse("try/catch cannot be lifted; test for the condition before");
    }
    return true;
  }

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
          throw refuse("calls " + dynamic.name + " of a record, whose value Java does not specify");
        }
        frame.push(new Sym.Prim(Kind.INT, equalTo(arguments.get(0), arguments.get(1))));
      }
      default ->
          throw refuse(
              "an instruction made by "
                  + dynamic.bsm.getOwner().replace('/', '.')
                  + " cannot be lifted");
    }
    return true;
  }

  Sym concatenation(InvokeDynamicInsnNode dynamic, List<Sym> arguments) {
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
