package org.sparkgpugraph.program.lift;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

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
final class FunctionLifter extends CallInliner {
  /** Keys from which on a switch is one; below, it is a chain of comparisons. */
  private static final int SWITCH = 16;

  /**
   * Return instructions from which on the ways out of a method meet behind its call; of a method
   * with fewer, each goes on with a copy of what follows.
   */
  private static final int MANY_RETURNS = 8;

  private final String function;

  /** Type of the result, or null to take it from the first value returned. */
  private ValueType result;

  private final Map<List<Object>, Ssa.Block> blocks = new HashMap<>();
  private final Deque<Runnable> worklist = new ArrayDeque<>();

  /** Variables of the two ids, when the function returns messages addressed by id; else empty. */
  private Set<Integer> endpoints = Set.of();

  private final StackInstructions stack = new StackInstructions(this);
  private final ObjectInstructions objects = new ObjectInstructions(this);

  /** Whether the next instruction is the first of its block. */
  private boolean entering;

  /**
   * Prepares to lift one function.
   *
   * @param function its name in messages
   * @param budget of the program
   * @param vertex type of the values of the edge's ends (send functions)
   * @param edge type of the edge's attribute (send functions)
   * @param message type of the messages sent (send functions)
   * @param result type of the result; null in a send function, and to infer it
   */
  FunctionLifter(
      String function,
      ClassFiles classes,
      Captures captures,
      LiftBudget budget,
      List<String> aggregates,
      ValueType vertex,
      ValueType edge,
      ValueType message,
      ValueType result) {
    super(classes, captures, budget, aggregates, vertex, edge, message);
    this.function = function;
    this.result = result;
  }

  /** The result's type, known after {@link #lift}. */
  ValueType result() {
    return result;
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
    budget.begin(function);
    block = ssa.entry;
    state = new MachineState();
    List<Sym> values = new ArrayList<>();
    state.frames.add(new Frame(adapterBody(object.handle()), -1));
    for (int i = 0; i < object.captured().size(); i++) {
      values.add(hosts.captured(object.captured().get(i), List.of(new Sym.Host(object), i)));
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
        countInstruction();
        running = step(frame, instruction);
        refuseLarge(state.top());
      }
    }
  }

  private void countInstruction() {
    String tooMuch = budget.instruction();
    if (tooMuch != null) {
      throw refuseWhole(tooMuch);
    }
  }

  /** Values are taken apart, by recursion: what holds another one twice, and so on, never ends. */
  private void refuseLarge(Frame frame) {
    if (!frame.stack.isEmpty()) {
      Sym made = frame.stack.get(frame.stack.size() - 1);
      if (made.extent().depth() > LiftBudget.DEPTH) {
        throw refuse(
            "makes "
                + describe(made)
                + " of records within records, more than "
                + LiftBudget.DEPTH
                + " deep; use a loop over numbers, or records with fewer levels");
      }
      if (made.extent().size() > LiftBudget.COMPONENTS) {
        throw refuse(
            "makes "
                + describe(made)
                + " of more than "
                + LiftBudget.COMPONENTS
                + " values; use records with fewer components");
      }
    }
  }

  /** The edge into the block for a state; the block is scheduled when it is new. */
  private Ssa.Edge edge(MachineState from) {
    MachineState target = from.copy();
    target.dropDeadLocals();
    target.dropUnreachable();
    target.keepIndexes(constants);
    countInstruction();
    List<Sym> leaves = new ArrayList<>();
    List<Object> shape = target.shape(endpoints, leaves);
    List<Integer> arguments = new ArrayList<>();
    for (Sym leaf : leaves) {
      arguments.add(leaf instanceof Sym.Prim prim ? prim.variable() : ((Sym.Box) leaf).variable());
    }
    Ssa.Block known = blocks.get(shape);
    if (known == null) {
      String tooMuch = budget.state(leaves.size());
      if (tooMuch != null) {
        throw refuseWhole(tooMuch);
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
        throw refuse(ObjectInstructions.ARRAYS);
      }
      frame.push(constantPrim(push.operand));
    } else if (instruction instanceof LdcInsnNode load) {
      objects.loadConstant(frame, load.cst);
    } else if (instruction instanceof JumpInsnNode jump) {
      return jump(frame, opcode, jump.label);
    } else if (instruction instanceof TableSwitchInsnNode table) {
      List<Integer> keys = new ArrayList<>();
      for (int key = table.min; key <= table.max; key++) {
        keys.add(key);
      }
      return choose(frame, keys, table.labels, table.dflt);
    } else if (instruction instanceof LookupSwitchInsnNode lookup) {
      return choose(frame, lookup.keys, lookup.labels, lookup.dflt);
    } else if (instruction instanceof FieldInsnNode access) {
      return objects.field(frame, opcode, access);
    } else if (instruction instanceof TypeInsnNode typed) {
      return objects.typed(frame, opcode, typed.desc);
    } else if (instruction instanceof MethodInsnNode called) {
      return invoke(opcode, called.owner, called.name, called.desc);
    } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      return dynamic(frame, dynamic);
    } else {
      throw refuse(ObjectInstructions.ARRAYS);
    }
    return true;
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

  /** Executes an instruction without operands; returns false when the path has ended. */
  private boolean simple(Frame frame, int opcode) {
    switch (opcode) {
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
        return stack.execute(frame, opcode) || objects.array(frame, opcode);
      }
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

  /** Goes one way if the value is known; else returns false when the path has ended. */
  private boolean choose(
      Frame frame, List<Integer> keys, List<LabelNode> labels, LabelNode otherwise) {
    Sym.Prim value = prim(frame.pop());
    Object known = constants.get(value.variable());
    if (known != null) {
      int at = keys.indexOf(known);
      frame.pc = frame.body.index(at < 0 ? otherwise : labels.get(at));
      return true;
    }
    List<Integer> own = new ArrayList<>();
    List<LabelNode> to = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (labels.get(i) != otherwise) {
        own.add(keys.get(i));
        to.add(labels.get(i));
      }
    }
    if (own.size() < SWITCH) {
      for (int i = 0; i < own.size(); i++) {
        branch(frame, Condition.EQ, value.variable(), constant(own.get(i)), to.get(i));
      }
      frame.pc = frame.body.index(otherwise);
      return true;
    }
    Map<LabelNode, Ssa.Edge> ways = new HashMap<>();
    to.add(otherwise);
    List<Ssa.Edge> edges = new ArrayList<>();
    for (LabelNode label : to) {
      Ssa.Edge same =
          ways.computeIfAbsent(
              label,
              l -> {
                MachineState taken = state.copy();
                taken.top().pc = frame.body.index(l);
                return edge(taken);
              });
      edges.add(new Ssa.Edge(same.target, same.arguments));
    }
    end(new Ssa.Switch(value.variable(), own, edges, where()));
    return false;
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
    if (done.body.returns() >= MANY_RETURNS) {
      end(new Ssa.Goto(edge(state), where()));
      return false;
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
}
