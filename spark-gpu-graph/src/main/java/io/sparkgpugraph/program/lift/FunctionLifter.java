package io.sparkgpugraph.program.lift;

import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.ValueType;
import io.sparkgpugraph.program.ir.BinaryOp;
import io.sparkgpugraph.program.ir.Condition;
import io.sparkgpugraph.program.ir.FaultCode;
import io.sparkgpugraph.program.ir.Insn;
import io.sparkgpugraph.program.ir.Intrinsic;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Role;
import io.sparkgpugraph.program.ir.Side;
import io.sparkgpugraph.program.ir.SourcePosition;
import io.sparkgpugraph.program.ir.UnaryOp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Translates one function of a program by symbolic execution of its bytecode.
 *
 * <p>The symbolic machine runs every path once. Primitives become variables of the intermediate
 * representation; all that is not primitive (records, the edge, lambdas, the call stack itself) is
 * part of the machine's state. At a merge point the block to continue with is looked up by the
 * state's shape, that is everything but the variables; paths that arrive with the same shape share
 * a block, others get a copy of the code that follows. Calls are therefore inlined, boxes erased
 * and records replaced by their fields without any further analysis.
 */
final class FunctionLifter {
  private static final int MAX_BLOCKS = 4000;
  private static final int MAX_DEPTH = 100;
  private static final int MAX_ARGUMENTS = 64;

  private final ClassFiles classes;
  private final Captures captures;
  private final List<String> aggregates;
  private final HostValues hosts;
  private final ScalaCalls scala;
  private final String function;

  /** Type of the result, or null to take it from the first value returned. */
  private ValueType result;

  private final ValueType vertex;
  private final ValueType edge;
  private final ValueType message;

  private final Ssa ssa = new Ssa();
  private final Map<List<Object>, Ssa.Block> blocks = new HashMap<>();
  private final Deque<Runnable> worklist = new ArrayDeque<>();
  private final Map<Integer, Object> constants = new HashMap<>();
  private final Map<Integer, Insn> comparisons = new HashMap<>();
  private final Map<Handle, MethodBody> adapters = new HashMap<>();
  private Ssa.Block block;
  private MachineState state;

  /** Variables of the two ids, when the function returns messages addressed by id; else empty. */
  private Set<Integer> endpoints = Set.of();

  /** Whether the next instruction is the first of its block. */
  private boolean entering;

  /**
   * Prepares to lift one function.
   *
   * @param function its name in messages
   * @param vertex type of the values of the edge's ends (send functions)
   * @param edge type of the edge's attribute (send functions)
   * @param message type of the messages sent (send functions)
   * @param result type of the result; null in a send function, and to infer it
   */
  FunctionLifter(
      String function,
      ClassFiles classes,
      Captures captures,
      List<String> aggregates,
      ValueType vertex,
      ValueType edge,
      ValueType message,
      ValueType result) {
    this.function = function;
    this.classes = classes;
    this.captures = captures;
    this.aggregates = aggregates;
    this.vertex = vertex;
    this.edge = edge;
    this.message = message;
    this.result = result;
    this.hosts = new HostValues(this, captures);
    this.scala = new ScalaCalls(this);
  }

  /** The result's type, known after {@link #lift}. */
  ValueType result() {
    return result;
  }

  /** The frame that executes. */
  Frame top() {
    return state.top();
  }

  /** The elements of an array under construction, which nobody will change any more. */
  Sym.Elements elements(Sym.Fresh array) {
    List<Sym> values = new ArrayList<>();
    for (Sym element : state.heap.get(array.id())) {
      values.add(element == null ? Sym.NULL : element);
    }
    return new Sym.Elements(values);
  }

  Ssa ssa() {
    return ssa;
  }

  ClassFiles classes() {
    return classes;
  }

  /** An argument of the interface's method. */
  sealed interface Argument {
    /** A primitive parameter. */
    record Scalar(Role role, Kind kind) implements Argument {}

    /** A value of columns. */
    record Value(Role role, ValueType type) implements Argument {}

    /** The edge. */
    record OfEdge() implements Argument {}

    /** The edge as GraphX's Pregel gives it to a Scala closure, which returns its messages. */
    record OfTriplet() implements Argument {}

    /** The superstep context. */
    record OfContext() implements Argument {}
  }

  /**
   * Lifts.
   *
   * @throws RefusedException at the first construct that has no place in a lifted program
   */
  IrFunction lift(FunctionObject object, List<Argument> arguments) {
    block = ssa.entry;
    state = new MachineState();
    List<Sym> values = new ArrayList<>();
    state.frames.add(new Frame(adapterBody(object.handle()), -1));
    for (int i = 0; i < object.captured().size(); i++) {
      values.add(hosts.captured(object.captured().get(i), List.of(function, i)));
    }
    for (Argument argument : arguments) {
      values.add(argument(argument));
    }
    Frame root = state.top();
    boolean constructor = object.opcode() == Opcodes.INVOKESPECIAL;
    if (constructor) {
      Sym fresh = newObject(object.owner());
      root.push(fresh);
      root.push(fresh);
    }
    pushArguments(
        root, values, constructor || object.opcode() == Opcodes.INVOKESTATIC, object.descriptor());
    run();
    while (!worklist.isEmpty()) {
      worklist.remove().run();
    }
    new SsaOptimizer(ssa).run();
    List<Kind> results = result == null ? List.of() : result.columns();
    return new Linearizer(ssa).function(function, results);
  }

  private Sym argument(Argument argument) {
    if (argument instanceof Argument.Scalar scalar) {
      return new Sym.Prim(scalar.kind(), ssa.parameter(scalar.role(), 0, scalar.kind()));
    } else if (argument instanceof Argument.Value value) {
      return value(value.role(), value.type());
    } else if (argument instanceof Argument.OfEdge) {
      return new Sym.Edge(false);
    } else if (argument instanceof Argument.OfTriplet) {
      // Which end a message goes to is decided by the variable that stands for its id.
      endpoints =
          Set.of(
              ssa.parameter(Role.SOURCE_ID, 0, Kind.LONG),
              ssa.parameter(Role.DESTINATION_ID, 0, Kind.LONG));
      return new Sym.Edge(true);
    }
    return new Sym.Context();
  }

  /** The symbolic form of a value whose columns are parameters. */
  private Sym value(Role role, ValueType type) {
    if (type instanceof ValueType.Opaque) {
      return new Sym.Host(new HostValues.Unreadable(type.className()));
    }
    return value(role, type, new int[1]);
  }

  private Sym value(Role role, ValueType type, int[] column) {
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

  // ------------------------------------------------------------------ the machine

  /** Runs the current state until the block ends. */
  private void run() {
    boolean running = true;
    while (running) {
      Frame frame = state.top();
      AbstractInsnNode instruction = frame.body.instruction(frame.pc);
      if (!entering && frame.body.isTarget(frame.pc)) {
        end(new Ssa.Goto(edge(state), where()));
        return;
      }
      entering = false;
      frame.pc++;
      if (instruction.getOpcode() >= 0) {
        running = step(frame, instruction);
      }
    }
  }

  /** The edge into the block for a state; the block is scheduled when it is new. */
  private Ssa.Edge edge(MachineState from) {
    MachineState target = from.copy();
    target.dropDeadLocals();
    target.dropUnreachable();
    target.keepIndexes(constants);
    List<Sym> leaves = new ArrayList<>();
    List<Object> shape = target.shape(endpoints, leaves);
    List<Integer> arguments = new ArrayList<>();
    for (Sym leaf : leaves) {
      arguments.add(leaf instanceof Sym.Prim prim ? prim.variable() : ((Sym.Box) leaf).variable());
    }
    Ssa.Block known = blocks.get(shape);
    if (known == null) {
      if (blocks.size() >= MAX_BLOCKS) {
        throw refuse(
            "too many combinations of object shapes (more than "
                + MAX_BLOCKS
                + " blocks); split the function or use fewer nested branches over records");
      }
      Ssa.Block created = new Ssa.Block();
      for (Sym leaf : leaves) {
        created.parameters.add(ssa.variable(MachineState.variableKind(leaf)));
      }
      target.rename(endpoints, created.parameters);
      blocks.put(shape, created);
      worklist.add(
          () -> {
            block = created;
            state = target;
            entering = true;
            run();
          });
      known = created;
    }
    return new Ssa.Edge(known, arguments);
  }

  private void end(Ssa.End end) {
    block.end = end;
  }

  /**
   * Where the machine is in the user's code: code of the Java library is attributed to its caller.
   */
  SourcePosition where() {
    for (int i = state.frames.size() - 1; i > 0; i--) {
      Frame frame = state.frames.get(i);
      if (!LibraryCalls.isLibrary(frame.body.owner()) && !frame.adapter) {
        return new SourcePosition(
            frame.body.owner().replace('/', '.'),
            frame.body.method().name,
            frame.body.line(frame.pc - 1));
      }
    }
    Frame root = state.frames.get(0);
    MethodInsnNode call = (MethodInsnNode) root.body.instruction(0);
    return new SourcePosition(call.owner.replace('/', '.'), call.name, -1);
  }

  /** A refusal at the current position. */
  RefusedException refuse(String reason) {
    for (int i = 1; i < state.frames.size(); i++) {
      Frame frame = state.frames.get(i);
      if (LibraryCalls.isLibrary(frame.body.owner())) {
        String called = frame.body.owner().replace('/', '.') + "." + frame.body.method().name;
        return new RefusedException(
            where(),
            "calls "
                + called
                + ", which is not among the library methods that can be lifted (inside it: "
                + reason
                + ")");
      }
    }
    return new RefusedException(where(), reason);
  }

  private Class<?> load(String internalName) {
    try {
      return classes.load(internalName);
    } catch (ClassNotFoundException | LinkageError e) {
      throw refuse("class " + internalName.replace('/', '.') + " cannot be loaded (" + e + ")");
    }
  }

  // ------------------------------------------------------------------ emitting code

  int constant(Object value) {
    Kind kind = Kind.of(value.getClass());
    int variable = ssa.variable(kind);
    block.body.add(new Insn.Constant(variable, value, where()));
    constants.put(variable, value);
    return variable;
  }

  Sym.Prim constantPrim(Object value) {
    return new Sym.Prim(Kind.of(value.getClass()), constant(value));
  }

  private Sym.Prim unary(UnaryOp op, Kind kind, int operand) {
    int target = ssa.variable(kind);
    block.body.add(new Insn.Unary(op, target, operand, where()));
    return new Sym.Prim(kind, target);
  }

  private Sym.Prim convert(int operand, Kind from, Kind to) {
    return from == to || (from == Kind.BOOLEAN && to == Kind.INT)
        ? new Sym.Prim(to, operand)
        : unary(UnaryOp.CONVERT, to, operand);
  }

  Sym.Prim binary(BinaryOp op, Kind kind, int left, int right) {
    int target = ssa.variable(kind);
    Insn.Binary insn = new Insn.Binary(op, target, left, right, where());
    block.body.add(insn);
    if (op == BinaryOp.COMPARE_L || op == BinaryOp.COMPARE_G) {
      comparisons.put(target, insn);
    }
    return new Sym.Prim(kind, target);
  }

  private Sym.Prim call(Intrinsic intrinsic, Kind kind, List<Integer> arguments) {
    int target = ssa.variable(kind);
    block.body.add(new Insn.Call(intrinsic, target, arguments, where()));
    return new Sym.Prim(kind, target);
  }

  /** Ends the path with a fault. */
  private boolean stop(FaultCode code, String detail) {
    end(new Ssa.Stop(code, detail, where()));
    return false;
  }

  /** Stops when an integer divisor is zero; goes on otherwise. */
  private void checkDivisor(Kind kind, int divisor) {
    Object known = constants.get(divisor);
    if (known != null && ((Number) known).longValue() != 0) {
      return;
    }
    int zero = constant(kind == Kind.INT ? (Object) 0 : (Object) 0L);
    Ssa.Block fault = new Ssa.Block();
    fault.end = new Ssa.Stop(FaultCode.DIVISION_BY_ZERO, "", where());
    Ssa.Block next = new Ssa.Block();
    end(
        new Ssa.If(
            Condition.EQ,
            divisor,
            zero,
            new Ssa.Edge(fault, List.of()),
            new Ssa.Edge(next, List.of()),
            where()));
    block = next;
  }

  /** Branches to an instruction of the current method; decides at once between constants. */
  private void branch(Frame frame, Condition condition, int left, int right, LabelNode label) {
    int target = frame.body.index(label);
    Object a = constants.get(left);
    Object b = constants.get(right);
    if (a != null && b != null) {
      if (ConstantFolding.test(condition, a, b)) {
        frame.pc = target;
      }
      return;
    }
    MachineState taken = state.copy();
    taken.top().pc = target;
    Ssa.Block next = new Ssa.Block();
    end(new Ssa.If(condition, left, right, edge(taken), new Ssa.Edge(next, List.of()), where()));
    block = next;
  }

  private void branchOnZero(Frame frame, Condition condition, LabelNode label) {
    Sym.Prim value = prim(frame.pop());
    if (comparisons.get(value.variable()) instanceof Insn.Binary compare) {
      boolean greater = compare.op() == BinaryOp.COMPARE_G;
      Condition fused =
          ssa.kinds.get(compare.left()) == Kind.LONG
              ? condition
              : switch (condition) {
                case LT -> greater ? Condition.LT : Condition.NOT_GE;
                case LE -> greater ? Condition.LE : Condition.NOT_GT;
                case GT -> greater ? Condition.NOT_LE : Condition.GT;
                case GE -> greater ? Condition.NOT_LT : Condition.GE;
                default -> condition;
              };
      branch(frame, fused, compare.left(), compare.right(), label);
    } else {
      branch(frame, condition, value.variable(), constant(0), label);
    }
  }

  // ------------------------------------------------------------------ values

  Sym.Prim prim(Sym value) {
    if (value instanceof Sym.Prim prim) {
      return prim;
    }
    throw refuse("a number was expected where the code has " + describe(value));
  }

  /** What a value is, for messages. */
  static String describe(Sym value) {
    if (value instanceof Sym.Host host) {
      return host.value() instanceof HostValues.Unreadable unreadable
          ? "a value of class " + unreadable.className()
          : "an object of class " + host.value().getClass().getName();
    } else if (value instanceof Sym.Rec rec) {
      return "a " + rec.layout().type().getName();
    } else if (value instanceof Sym.Box box) {
      return "a " + box.kind().box().getName();
    } else if (value instanceof Sym.Prim prim) {
      return "a primitive " + prim.kind().primitive().getName();
    } else if (value instanceof Sym.Text) {
      return "a String";
    } else if (value instanceof Sym.Edge edge) {
      return edge.triplet() ? "the edge triplet" : "the edge context";
    } else if (value instanceof Sym.Context) {
      return "the superstep context";
    } else if (value instanceof Sym.Fresh fresh) {
      return "an unfinished " + fresh.type().getName();
    } else if (value instanceof Sym.Closure) {
      return "a lambda";
    } else if (value instanceof Sym.Elements) {
      return "an iterator or sequence";
    }
    return value instanceof Sym.Null ? "null" : "an unusable value";
  }

  /**
   * Converts an argument or result between a lambda's own types and those of the method behind it,
   * as the lambda's bridge does: unboxing, boxing, widening.
   */
  Sym adapt(Sym value, Type type) {
    Kind target =
        switch (type.getSort()) {
          case Type.BOOLEAN, Type.BYTE, Type.SHORT, Type.CHAR, Type.INT -> Kind.INT;
          case Type.LONG -> Kind.LONG;
          case Type.FLOAT -> Kind.FLOAT;
          case Type.DOUBLE -> Kind.DOUBLE;
          default -> null;
        };
    if (target != null) {
      if (value instanceof Sym.Prim prim) {
        return convert(prim.variable(), prim.kind(), target);
      } else if (value instanceof Sym.Box box) {
        return convert(box.variable(), box.kind(), target);
      }
      return value;
    }
    return value instanceof Sym.Prim prim ? new Sym.Box(prim.kind(), prim.variable()) : value;
  }

  /** The box kind of a primitive type. */
  static Kind boxKind(Type type) {
    return switch (type.getSort()) {
      case Type.BOOLEAN -> Kind.BOOLEAN;
      case Type.LONG -> Kind.LONG;
      case Type.FLOAT -> Kind.FLOAT;
      case Type.DOUBLE -> Kind.DOUBLE;
      default -> Kind.INT;
    };
  }

  static boolean isPrimitive(Type type) {
    return type.getSort() >= Type.BOOLEAN && type.getSort() <= Type.DOUBLE;
  }

  /** Boxes a primitive of a declared type; leaves references alone. */
  static Sym boxed(Sym value, Type type) {
    return value instanceof Sym.Prim prim && isPrimitive(type)
        ? new Sym.Box(boxKind(type), prim.variable())
        : value;
  }

  /** Appends the variables of a value's columns; returns false when the path ended on a null. */
  private boolean flatten(Sym value, ValueType type, boolean widen, List<Integer> columns) {
    if (value instanceof Sym.Null) {
      return stop(FaultCode.NULL_VALUE, "null where a " + type.className() + " is needed");
    }
    if (type instanceof ValueType.Scalar scalar && value instanceof Sym.Box box) {
      if (box.kind() == scalar.kind()) {
        columns.add(box.variable());
        return true;
      } else if (widen
          && box.kind() != Kind.BOOLEAN
          && box.kind().ordinal() < scalar.kind().ordinal()) {
        columns.add(convert(box.variable(), box.kind(), scalar.kind()).variable());
        return true;
      }
    } else if (type instanceof ValueType.Struct struct
        && value instanceof Sym.Rec rec
        && rec.layout().type().getName().equals(struct.className())) {
      for (int i = 0; i < struct.fields().size(); i++) {
        if (!flatten(rec.fields().get(i), struct.fields().get(i).type(), false, columns)) {
          return false;
        }
      }
      return true;
    }
    throw refuse(
        "the value here is " + describe(value) + ", but a " + type.className() + " is needed");
  }

  private boolean finish(Sym value) {
    List<Integer> columns = new ArrayList<>();
    if (!endpoints.isEmpty()) {
      if (!sendAll(value)) {
        return false;
      }
    } else if (value != null) {
      Type returns = Type.getReturnType(state.frames.get(0).body.method().desc);
      if (result == null && !(value instanceof Sym.Null)) {
        result = typeOf(value);
      }
      if (result == null) {
        return stop(FaultCode.NULL_VALUE, "null result");
      }
      if (!flatten(boxed(value, returns), result, isPrimitive(returns), columns)) {
        return false;
      }
    }
    end(new Ssa.Leave(columns, where()));
    return false;
  }

  /** Sends the messages that a closure returned; false when the path has ended. */
  private boolean sendAll(Sym value) {
    if (!(value instanceof Sym.Elements messages)) {
      throw refuse(
          "returns "
              + describe(value)
              + "; return Iterator.empty, Iterator((id, message)) or Iterator((id, message), …)");
    }
    int source = ssa.parameter(Role.SOURCE_ID, 0, Kind.LONG);
    int destination = ssa.parameter(Role.DESTINATION_ID, 0, Kind.LONG);
    for (Sym pair : messages.values()) {
      if (!(pair instanceof Sym.Rec tuple
          && tuple.fields().size() == 2
          && tuple.fields().get(0) instanceof Sym.Box id
          && id.kind() == Kind.LONG)) {
        throw refuse("a message is " + describe(pair) + "; it must be a pair (id, message)");
      }
      List<Integer> columns = new ArrayList<>();
      if (!flatten(tuple.fields().get(1), message, false, columns)) {
        return false;
      }
      if (id.variable() == destination) {
        block.body.add(new Insn.Emit(Side.DESTINATION, columns, where()));
      } else if (id.variable() == source) {
        block.body.add(new Insn.Emit(Side.SOURCE, columns, where()));
      } else {
        sendById(id.variable(), source, destination, columns);
      }
    }
    return true;
  }

  /** An id that is computed: to the source if it is the source's, so that a loop counts once. */
  private void sendById(int id, int source, int destination, List<Integer> columns) {
    Ssa.Block after = new Ssa.Block();
    Ssa.Block stranger = new Ssa.Block();
    stranger.end = new Ssa.Stop(FaultCode.MESSAGE_TO_STRANGER, "", where());
    Ssa.Block toSource = new Ssa.Block();
    toSource.body.add(new Insn.Emit(Side.SOURCE, columns, where()));
    toSource.end = new Ssa.Goto(new Ssa.Edge(after, List.of()), where());
    Ssa.Block toDestination = new Ssa.Block();
    toDestination.body.add(new Insn.Emit(Side.DESTINATION, columns, where()));
    toDestination.end = new Ssa.Goto(new Ssa.Edge(after, List.of()), where());
    Ssa.Block other = new Ssa.Block();
    other.end =
        new Ssa.If(
            Condition.EQ,
            id,
            destination,
            new Ssa.Edge(toDestination, List.of()),
            new Ssa.Edge(stranger, List.of()),
            where());
    end(
        new Ssa.If(
            Condition.EQ,
            id,
            source,
            new Ssa.Edge(toSource, List.of()),
            new Ssa.Edge(other, List.of()),
            where()));
    block = after;
  }

  private ValueType typeOf(Sym value) {
    if (value instanceof Sym.Box box) {
      return new ValueType.Scalar(box.kind());
    } else if (value instanceof Sym.Rec rec) {
      return ValueType.of(rec.layout().type());
    }
    throw refuse("the type of the result cannot be found: it is " + describe(value));
  }

  // ------------------------------------------------------------------ instructions

  /** Executes one instruction; returns false when the path has ended. */
  private boolean step(Frame frame, AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    if (instruction instanceof InsnNode) {
      return simple(frame, opcode);
    } else if (instruction instanceof VarInsnNode access) {
      local(frame, opcode, access.var);
    } else if (instruction instanceof IincInsnNode increment) {
      Sym.Prim old = prim(frame.locals[increment.var]);
      frame.locals[increment.var] =
          binary(BinaryOp.ADD, Kind.INT, old.variable(), constant(increment.incr));
    } else if (instruction instanceof IntInsnNode push) {
      if (opcode == Opcodes.NEWARRAY) {
        throw refuse(ARRAYS);
      }
      frame.push(constantPrim(push.operand));
    } else if (instruction instanceof LdcInsnNode load) {
      loadConstant(frame, load.cst);
    } else if (instruction instanceof JumpInsnNode jump) {
      return jump(frame, opcode, jump.label);
    } else if (instruction instanceof TableSwitchInsnNode table) {
      List<Integer> keys = new ArrayList<>();
      for (int key = table.min; key <= table.max; key++) {
        keys.add(key);
      }
      choose(frame, keys, table.labels, table.dflt);
    } else if (instruction instanceof LookupSwitchInsnNode lookup) {
      choose(frame, lookup.keys, lookup.labels, lookup.dflt);
    } else if (instruction instanceof FieldInsnNode access) {
      return field(frame, opcode, access);
    } else if (instruction instanceof TypeInsnNode typed) {
      return typed(frame, opcode, typed.desc);
    } else if (instruction instanceof MethodInsnNode called) {
      return invoke(opcode, called.owner, called.name, called.desc);
    } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      return dynamic(frame, dynamic);
    } else {
      throw refuse(ARRAYS);
    }
    return true;
  }

  private static final String SYNCHRONIZED =
      "synchronized code cannot be lifted; a program has no shared state";

  private static final String ARRAYS =
      "arrays cannot be lifted; use a record with one component per element, or local variables";

  private void loadConstant(Frame frame, Object value) {
    if (value instanceof String text) {
      frame.push(new Sym.Text(text));
    } else if (Kind.of(value.getClass()) != null) {
      frame.push(constantPrim(value));
    } else {
      throw refuse("a constant of class " + value.getClass().getName() + " cannot be lifted");
    }
  }

  private void local(Frame frame, int opcode, int index) {
    if (opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD) {
      frame.push(frame.locals[index]);
    } else if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE) {
      Sym value = frame.pop();
      frame.locals[index] = value;
      if (value.wide()) {
        frame.locals[index + 1] = Sym.TOP;
      }
    } else {
      throw refuse("subroutines (jsr/ret) cannot be lifted");
    }
  }

  private boolean jump(Frame frame, int opcode, LabelNode label) {
    switch (opcode) {
      case Opcodes.GOTO -> frame.pc = frame.body.index(label);
      case Opcodes.IFEQ -> branchOnZero(frame, Condition.EQ, label);
      case Opcodes.IFNE -> branchOnZero(frame, Condition.NE, label);
      case Opcodes.IFLT -> branchOnZero(frame, Condition.LT, label);
      case Opcodes.IFLE -> branchOnZero(frame, Condition.LE, label);
      case Opcodes.IFGT -> branchOnZero(frame, Condition.GT, label);
      case Opcodes.IFGE -> branchOnZero(frame, Condition.GE, label);
      case Opcodes.IF_ICMPEQ -> compareAndBranch(frame, Condition.EQ, label);
      case Opcodes.IF_ICMPNE -> compareAndBranch(frame, Condition.NE, label);
      case Opcodes.IF_ICMPLT -> compareAndBranch(frame, Condition.LT, label);
      case Opcodes.IF_ICMPLE -> compareAndBranch(frame, Condition.LE, label);
      case Opcodes.IF_ICMPGT -> compareAndBranch(frame, Condition.GT, label);
      case Opcodes.IF_ICMPGE -> compareAndBranch(frame, Condition.GE, label);
      case Opcodes.IFNULL, Opcodes.IFNONNULL -> {
        boolean isNull = frame.pop() instanceof Sym.Null;
        if (isNull == (opcode == Opcodes.IFNULL)) {
          frame.pc = frame.body.index(label);
        }
      }
      case Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE -> {
        boolean same = sameReference(frame.pop(), frame.pop());
        if (same == (opcode == Opcodes.IF_ACMPEQ)) {
          frame.pc = frame.body.index(label);
        }
      }
      default -> throw refuse("subroutines (jsr/ret) cannot be lifted");
    }
    return true;
  }

  private void compareAndBranch(Frame frame, Condition condition, LabelNode label) {
    Sym.Prim right = prim(frame.pop());
    Sym.Prim left = prim(frame.pop());
    branch(frame, condition, left.variable(), right.variable(), label);
  }

  private boolean sameReference(Sym right, Sym left) {
    if (left instanceof Sym.Null || right instanceof Sym.Null) {
      return left instanceof Sym.Null && right instanceof Sym.Null;
    }
    if (left instanceof Sym.Host && right instanceof Sym.Host) {
      return left.equals(right);
    }
    throw refuse(
        "compares references with == or != ("
            + describe(left)
            + " and "
            + describe(right)
            + "); compare with equals, or as primitives");
  }

  private void choose(Frame frame, List<Integer> keys, List<LabelNode> labels, LabelNode other) {
    Sym.Prim value = prim(frame.pop());
    Object known = constants.get(value.variable());
    for (int i = 0; i < keys.size(); i++) {
      if (known != null) {
        if (known.equals(keys.get(i))) {
          frame.pc = frame.body.index(labels.get(i));
          return;
        }
      } else if (labels.get(i) != other) {
        branch(frame, Condition.EQ, value.variable(), constant(keys.get(i)), labels.get(i));
      }
    }
    frame.pc = frame.body.index(other);
  }

  private boolean simple(Frame frame, int opcode) {
    switch (opcode) {
      case Opcodes.NOP -> {}
      case Opcodes.ACONST_NULL -> frame.push(Sym.NULL);
      case Opcodes.ICONST_M1,
          Opcodes.ICONST_0,
          Opcodes.ICONST_1,
          Opcodes.ICONST_2,
          Opcodes.ICONST_3,
          Opcodes.ICONST_4,
          Opcodes.ICONST_5 ->
          frame.push(constantPrim(opcode - Opcodes.ICONST_0));
      case Opcodes.LCONST_0, Opcodes.LCONST_1 ->
          frame.push(constantPrim((long) (opcode - Opcodes.LCONST_0)));
      case Opcodes.FCONST_0, Opcodes.FCONST_1, Opcodes.FCONST_2 ->
          frame.push(constantPrim((float) (opcode - Opcodes.FCONST_0)));
      case Opcodes.DCONST_0, Opcodes.DCONST_1 ->
          frame.push(constantPrim((double) (opcode - Opcodes.DCONST_0)));
      case Opcodes.POP,
          Opcodes.POP2,
          Opcodes.DUP,
          Opcodes.DUP_X1,
          Opcodes.DUP_X2,
          Opcodes.DUP2,
          Opcodes.DUP2_X1,
          Opcodes.DUP2_X2,
          Opcodes.SWAP ->
          shuffle(frame, opcode);
      case Opcodes.IADD, Opcodes.LADD, Opcodes.FADD, Opcodes.DADD ->
          arithmetic(frame, BinaryOp.ADD);
      case Opcodes.ISUB, Opcodes.LSUB, Opcodes.FSUB, Opcodes.DSUB ->
          arithmetic(frame, BinaryOp.SUBTRACT);
      case Opcodes.IMUL, Opcodes.LMUL, Opcodes.FMUL, Opcodes.DMUL ->
          arithmetic(frame, BinaryOp.MULTIPLY);
      case Opcodes.IDIV, Opcodes.LDIV, Opcodes.FDIV, Opcodes.DDIV ->
          arithmetic(frame, BinaryOp.DIVIDE);
      case Opcodes.IREM, Opcodes.LREM, Opcodes.FREM, Opcodes.DREM ->
          arithmetic(frame, BinaryOp.REMAINDER);
      case Opcodes.IAND, Opcodes.LAND -> arithmetic(frame, BinaryOp.AND);
      case Opcodes.IOR, Opcodes.LOR -> arithmetic(frame, BinaryOp.OR);
      case Opcodes.IXOR, Opcodes.LXOR -> arithmetic(frame, BinaryOp.XOR);
      case Opcodes.ISHL, Opcodes.LSHL -> arithmetic(frame, BinaryOp.SHIFT_LEFT);
      case Opcodes.ISHR, Opcodes.LSHR -> arithmetic(frame, BinaryOp.SHIFT_RIGHT);
      case Opcodes.IUSHR, Opcodes.LUSHR -> arithmetic(frame, BinaryOp.SHIFT_RIGHT_UNSIGNED);
      case Opcodes.INEG, Opcodes.LNEG, Opcodes.FNEG, Opcodes.DNEG -> {
        Sym.Prim value = prim(frame.pop());
        frame.push(unary(UnaryOp.NEGATE, value.kind(), value.variable()));
      }
      case Opcodes.I2L, Opcodes.F2L, Opcodes.D2L -> convertTop(frame, Kind.LONG);
      case Opcodes.I2F, Opcodes.L2F, Opcodes.D2F -> convertTop(frame, Kind.FLOAT);
      case Opcodes.I2D, Opcodes.L2D, Opcodes.F2D -> convertTop(frame, Kind.DOUBLE);
      case Opcodes.L2I, Opcodes.F2I, Opcodes.D2I -> convertTop(frame, Kind.INT);
      case Opcodes.I2B -> narrowTop(frame, UnaryOp.TO_BYTE);
      case Opcodes.I2C -> narrowTop(frame, UnaryOp.TO_CHAR);
      case Opcodes.I2S -> narrowTop(frame, UnaryOp.TO_SHORT);
      case Opcodes.LCMP, Opcodes.FCMPL, Opcodes.DCMPL -> compare(frame, BinaryOp.COMPARE_L);
      case Opcodes.FCMPG, Opcodes.DCMPG -> compare(frame, BinaryOp.COMPARE_G);
      case Opcodes.IRETURN, Opcodes.LRETURN, Opcodes.FRETURN, Opcodes.DRETURN, Opcodes.ARETURN -> {
        return leave(frame.pop());
      }
      case Opcodes.RETURN -> {
        return leave(null);
      }
      case Opcodes.ATHROW -> {
        return raise(frame.pop());
      }
      case Opcodes.MONITORENTER, Opcodes.MONITOREXIT -> throw refuse(SYNCHRONIZED);
      default -> {
        return array(frame, opcode);
      }
    }
    return true;
  }

  /**
   * Array instructions: reads of constant arrays at known indexes, as enum switches do, and arrays
   * of references that hold a variable number of arguments.
   */
  private boolean array(Frame frame, int opcode) {
    if (opcode == Opcodes.AASTORE) {
      Sym value = frame.pop();
      Integer index = knownIndex(frame.pop());
      if (frame.pop() instanceof Sym.Fresh array && index != null) {
        Sym[] elements = state.heap.get(array.id());
        if (index >= 0 && index < elements.length) {
          elements[index] = value;
          return true;
        }
      }
      throw refuse(ARRAYS);
    }
    if (opcode == Opcodes.IALOAD) {
      Sym.Prim index = prim(frame.pop());
      Sym array = frame.pop();
      if (array instanceof Sym.Host host
          && host.value() instanceof HostValues.SwitchMap map
          && constants.get(index.variable()) instanceof Integer at) {
        frame.push(constantPrim(map.values()[at]));
        return true;
      }
    }
    throw refuse(ARRAYS);
  }

  private Integer knownIndex(Sym index) {
    if (index instanceof Sym.Index known) {
      return known.value();
    }
    return index instanceof Sym.Prim prim && constants.get(prim.variable()) instanceof Integer known
        ? known
        : null;
  }

  private void shuffle(Frame frame, int opcode) {
    Sym a = frame.pop();
    switch (opcode) {
      case Opcodes.POP -> {}
      case Opcodes.POP2 -> {
        if (!a.wide()) {
          frame.pop();
        }
      }
      case Opcodes.DUP -> pushAll(frame, a, a);
      case Opcodes.DUP_X1 -> {
        Sym b = frame.pop();
        pushAll(frame, a, b, a);
      }
      case Opcodes.DUP_X2 -> {
        Sym b = frame.pop();
        if (b.wide()) {
          pushAll(frame, a, b, a);
        } else {
          Sym c = frame.pop();
          pushAll(frame, a, c, b, a);
        }
      }
      case Opcodes.DUP2 -> {
        if (a.wide()) {
          pushAll(frame, a, a);
        } else {
          Sym b = frame.pop();
          pushAll(frame, b, a, b, a);
        }
      }
      case Opcodes.DUP2_X1 -> {
        Sym b = frame.pop();
        if (a.wide()) {
          pushAll(frame, a, b, a);
        } else {
          Sym c = frame.pop();
          pushAll(frame, b, a, c, b, a);
        }
      }
      case Opcodes.DUP2_X2 -> {
        Sym b = frame.pop();
        if (a.wide() && b.wide()) {
          pushAll(frame, a, b, a);
        } else if (a.wide()) {
          Sym c = frame.pop();
          pushAll(frame, a, c, b, a);
        } else {
          Sym c = frame.pop();
          if (c.wide()) {
            pushAll(frame, b, a, c, b, a);
          } else {
            Sym d = frame.pop();
            pushAll(frame, b, a, d, c, b, a);
          }
        }
      }
      default -> {
        Sym b = frame.pop();
        pushAll(frame, a, b);
      }
    }
  }

  private static void pushAll(Frame frame, Sym... values) {
    Collections.addAll(frame.stack, values);
  }

  private void arithmetic(Frame frame, BinaryOp op) {
    Sym.Prim right = prim(frame.pop());
    Sym.Prim left = prim(frame.pop());
    if ((op == BinaryOp.DIVIDE || op == BinaryOp.REMAINDER) && left.kind().isIntegral()) {
      checkDivisor(left.kind(), right.variable());
    }
    frame.push(binary(op, left.kind(), left.variable(), right.variable()));
  }

  private void compare(Frame frame, BinaryOp op) {
    Sym.Prim right = prim(frame.pop());
    Sym.Prim left = prim(frame.pop());
    frame.push(binary(op, Kind.INT, left.variable(), right.variable()));
  }

  private void convertTop(Frame frame, Kind to) {
    Sym.Prim value = prim(frame.pop());
    frame.push(convert(value.variable(), value.kind(), to));
  }

  private void narrowTop(Frame frame, UnaryOp op) {
    frame.push(unary(op, Kind.INT, prim(frame.pop()).variable()));
  }

  private boolean leave(Sym value) {
    Frame done = state.top();
    if (state.frames.size() == 1) {
      return finish(value);
    }
    state.frames.remove(state.frames.size() - 1);
    if (done.constructs >= 0) {
      completeObject(done.constructs);
    }
    if (value != null) {
      Sym adapted = value;
      if (done.adapter) {
        Type from = Type.getReturnType(done.body.method().desc);
        adapted =
            done.returns == null ? boxed(value, from) : adaptResult(value, from, done.returns);
        if (done.locals[0] instanceof Sym.Elements before) {
          adapted = scala.concatenated(before, adapted);
        }
      }
      state.top().push(adapted);
    }
    return true;
  }

  private Sym adaptResult(Sym value, Type from, Type to) {
    return isPrimitive(to) ? adapt(value, to) : boxed(value, from);
  }

  private boolean raise(Sym thrown) {
    if (!(thrown instanceof Sym.Thrown exception)) {
      throw refuse("throws " + describe(thrown) + "; write throw new SomeException(\"message\")");
    }
    boolean exact =
        exception.className().equals("java.lang.ArithmeticException")
            && LibraryCalls.isLibrary(state.top().body.owner());
    if (exact && exception.message() != null && exception.message().contains("overflow")) {
      return stop(FaultCode.ARITHMETIC_OVERFLOW, exception.message());
    } else if (exact) {
      return stop(FaultCode.DIVISION_BY_ZERO, "");
    }
    return stop(
        FaultCode.THROWN,
        exception.className() + (exception.message() == null ? "" : ": " + exception.message()));
  }

  // ------------------------------------------------------------------ objects and fields

  private Sym newObject(String internalName) {
    Class<?> type = load(internalName);
    int id = state.freshId();
    if (Throwable.class.isAssignableFrom(type) || ScalaCalls.isCons(type)) {
      state.heap.put(id, new Sym[0]);
    } else if (StructClass.isStruct(type)) {
      state.heap.put(id, new Sym[StructClass.of(type).size()]);
    } else {
      throw refuse(
          "creates an object of class "
              + type.getName()
              + "; only records can be created, use one, or local variables");
    }
    return new Sym.Fresh(id, type);
  }

  /** Replaces an object whose constructor has returned by its fields. */
  private void completeObject(int id) {
    Sym[] fields = state.heap.get(id);
    if (fields == null) {
      return;
    }
    state.heap.remove(id);
    state.replaceAll(
        sym -> {
          if (sym instanceof Sym.Fresh fresh && fresh.id() == id) {
            StructClass layout = StructClass.of(fresh.type());
            List<Sym> complete = new ArrayList<>();
            for (int i = 0; i < fields.length; i++) {
              complete.add(fields[i] == null ? zero(layout.types().get(i)) : fields[i]);
            }
            return new Sym.Rec(layout, complete);
          }
          return sym;
        });
  }

  private Sym zero(Class<?> type) {
    return type.isPrimitive()
        ? boxed(zeroPrim(boxKind(Type.getType(type))), Type.getType(type))
        : Sym.NULL;
  }

  /** The zero of a kind. */
  Sym.Prim zeroPrim(Kind kind) {
    return constantPrim(
        switch (kind) {
          case BOOLEAN, INT -> (Object) 0;
          case LONG -> (Object) 0L;
          case FLOAT -> (Object) 0f;
          case DOUBLE -> (Object) 0d;
        });
  }

  private boolean field(Frame frame, int opcode, FieldInsnNode access) {
    String name = access.owner.replace('/', '.') + "." + access.name;
    switch (opcode) {
      case Opcodes.PUTSTATIC ->
          throw refuse("assigns the static field " + name + "; a program has no shared state");
      case Opcodes.GETSTATIC -> frame.push(hosts.staticField(access));
      case Opcodes.PUTFIELD -> {
        Sym value = frame.pop();
        Sym target = frame.pop();
        if (!(target instanceof Sym.Fresh fresh)) {
          throw refuse("assigns the field " + name + "; return a new value instead");
        }
        int index = StructClass.of(fresh.type()).indexOf(access.name);
        if (index < 0) {
          throw refuse("assigns the field " + name + ", which is not a component of the record");
        }
        state.heap.get(fresh.id())[index] = boxed(value, Type.getType(access.desc));
      }
      default -> {
        Sym target = frame.pop();
        Type type = Type.getType(access.desc);
        if (target instanceof Sym.Null) {
          return stop(FaultCode.NULL_VALUE, "reading " + name);
        } else if (target instanceof Sym.Host host) {
          frame.push(hosts.instanceField(host, access));
        } else if (target instanceof Sym.Rec rec && rec.layout().indexOf(access.name) >= 0) {
          frame.push(unboxed(rec.fields().get(rec.layout().indexOf(access.name)), type));
        } else if (target instanceof Sym.Fresh fresh
            && StructClass.of(fresh.type()).indexOf(access.name) >= 0) {
          StructClass layout = StructClass.of(fresh.type());
          int index = layout.indexOf(access.name);
          Sym value = state.heap.get(fresh.id())[index];
          frame.push(unboxed(value == null ? zero(layout.types().get(index)) : value, type));
        } else {
          throw refuse("reads the field " + name + " of " + describe(target));
        }
      }
    }
    return true;
  }

  /** Reads a field of a declared type: components are kept boxed. */
  Sym unboxed(Sym value, Type type) {
    return isPrimitive(type) ? adapt(value, type) : value;
  }

  private boolean typed(Frame frame, int opcode, String type) {
    switch (opcode) {
      case Opcodes.NEW -> frame.push(newObject(type));
      case Opcodes.CHECKCAST -> {
        Sym value = frame.stack.get(frame.stack.size() - 1);
        if (!(value instanceof Sym.Null) && !isInstance(value, type)) {
          return stop(
              FaultCode.THROWN,
              "java.lang.ClassCastException: "
                  + describe(value)
                  + " is not a "
                  + type.replace('/', '.'));
        }
      }
      case Opcodes.INSTANCEOF -> {
        Sym value = frame.pop();
        boolean is = !(value instanceof Sym.Null) && isInstance(value, type);
        frame.push(constantPrim(is ? 1 : 0));
      }
      default -> {
        Integer length = knownIndex(frame.pop());
        if (length == null || length < 0 || length > MAX_ARGUMENTS) {
          throw refuse(ARRAYS);
        }
        int id = state.freshId();
        state.heap.put(id, new Sym[length]);
        frame.push(new Sym.Fresh(id, Object[].class));
      }
    }
    return true;
  }

  private boolean isInstance(Sym value, String internalName) {
    Class<?> type = load(internalName);
    if (value instanceof Sym.Box box) {
      return type.isAssignableFrom(box.kind().box());
    } else if (value instanceof Sym.Rec rec) {
      return type.isAssignableFrom(rec.layout().type());
    } else if (value instanceof Sym.Text) {
      return type.isAssignableFrom(String.class);
    } else if (value instanceof Sym.Host host) {
      return type.isInstance(host.value())
          || (host.value() instanceof HostValues.Unreadable unreadable
              && type.getName().equals(unreadable.className()));
    } else if (value instanceof Sym.Edge edge) {
      return type.isAssignableFrom(
          edge.triplet()
              ? org.apache.spark.graphx.EdgeTriplet.class
              : org.apache.spark.graphx.EdgeContext.class);
    } else if (value instanceof Sym.Thrown thrown) {
      return type.isAssignableFrom(load(thrown.className().replace('.', '/')));
    } else if (value instanceof Sym.Fresh fresh) {
      return type.isAssignableFrom(fresh.type());
    } else if (value instanceof Sym.Closure
        || value instanceof Sym.Context
        || value instanceof Sym.Elements) {
      return true;
    }
    throw refuse("asks for the class of " + describe(value));
  }

  // ------------------------------------------------------------------ calls

  private boolean invoke(int opcode, String owner, String name, String descriptor) {
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

  private boolean construct(Sym receiver, String owner, String descriptor, List<Sym> arguments) {
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

  private void replaceObject(Sym.Fresh fresh, Sym value) {
    state.heap.remove(fresh.id());
    state.replaceAll(
        sym -> sym instanceof Sym.Fresh other && other.id() == fresh.id() ? value : sym);
  }

  private boolean invokeOnBox(Sym.Box box, String owner, String name, List<Sym> arguments) {
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

  /** Java's equals between values, as an INT variable that is 0 or 1. */
  int equalTo(Sym left, Sym right) {
    if (left instanceof Sym.Box a && right instanceof Sym.Box b && a.kind() == b.kind()) {
      int order =
          call(Intrinsic.COMPARE_TOTAL, Kind.INT, List.of(a.variable(), b.variable())).variable();
      int one = constant(1);
      int differs = binary(BinaryOp.AND, Kind.INT, order, one).variable();
      return binary(BinaryOp.XOR, Kind.INT, differs, one).variable();
    } else if (left instanceof Sym.Rec a
        && right instanceof Sym.Rec b
        && a.layout().equals(b.layout())) {
      int all = constant(1);
      for (int i = 0; i < a.fields().size(); i++) {
        int equal = equalTo(a.fields().get(i), b.fields().get(i));
        all = binary(BinaryOp.AND, Kind.INT, all, equal).variable();
      }
      return all;
    } else if (left instanceof Sym.Text a && right instanceof Sym.Text b) {
      return constant(a.value().equals(b.value()) ? 1 : 0);
    } else if (left instanceof Sym.Null || right instanceof Sym.Null) {
      return constant(left instanceof Sym.Null && right instanceof Sym.Null ? 1 : 0);
    } else if (left.getClass() == right.getClass()
        && !(left instanceof Sym.Box)
        && !(left instanceof Sym.Rec)) {
      throw refuse("compares " + describe(left) + " with " + describe(right));
    }
    return constant(0);
  }

  private boolean invokeOnEdge(Sym.Edge of, String name, List<Sym> arguments) {
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

  private Sym id(Role role) {
    return new Sym.Prim(Kind.LONG, ssa.parameter(role, 0, Kind.LONG));
  }

  private Sym askContext(String name, List<Sym> arguments) {
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

  private boolean invokeOnHost(
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

  private void pushArguments(Frame frame, List<Sym> values, boolean isStatic, String descriptor) {
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
  private static MethodBody adapterBody(Handle method) {
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

  private void depthCheck() {
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

  private boolean dynamic(Frame frame, InvokeDynamicInsnNode dynamic) {
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

  private Sym concatenation(InvokeDynamicInsnNode dynamic, List<Sym> arguments) {
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
