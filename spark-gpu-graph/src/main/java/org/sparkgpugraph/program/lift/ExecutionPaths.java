package org.sparkgpugraph.program.lift;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.objectweb.asm.tree.LabelNode;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.ConstantFolding;
import org.sparkgpugraph.program.ssa.Ssa;

/**
 * The paths through a function. Where paths meet, the block to continue with is looked up by the
 * shape of the machine's state, that is everything but the variables: paths that arrive with the
 * same shape share a block, others get a copy of the code that follows.
 */
final class ExecutionPaths {
  private final SymbolicMachine machine;
  private final LiftBudget budget;

  /** Variables that stand for themselves, whatever path they come by. */
  private final Set<Integer> fixed;

  private final Map<List<Object>, Ssa.Block> blocks = new HashMap<>();
  private final Deque<Start> pending = new ArrayDeque<>();

  /** A block that is still to be filled, and the state in which it begins. */
  private record Start(Ssa.Block block, MachineState state) {}

  ExecutionPaths(SymbolicMachine machine, LiftBudget budget, Set<Integer> fixed) {
    this.machine = machine;
    this.budget = budget;
    this.fixed = fixed;
    machine.paths = this;
  }

  /** Brings the machine to the next block that is still to be filled; false when there is none. */
  boolean next() {
    if (pending.isEmpty()) {
      return false;
    }
    Start start = pending.remove();
    machine.block = start.block;
    machine.state = start.state;
    return true;
  }

  /** Ends the block, which goes on with the one for the machine's state. */
  void join() {
    machine.end(new Ssa.Goto(edge(machine.state), machine.where()));
  }

  /** Counts an instruction that is executed. */
  void count() {
    String tooMuch = budget.instruction();
    if (tooMuch != null) {
      throw machine.refuseWhole(tooMuch);
    }
  }

  /** The edge into the block for a state; the block is scheduled when it is new. */
  Ssa.Edge edge(MachineState from) {
    MachineState target = from.copy();
    target.dropDeadLocals();
    target.dropUnreachable();
    target.keepIndexes(machine.constants);
    count();
    Set<Integer> fixed = new HashSet<>(this.fixed);
    fixed.addAll(machine.keys.values());
    target.addCounters(machine.constants.keySet(), fixed);
    target.addLengths(local -> local instanceof Sym.Prim && machine.known(local) != null, fixed);
    List<Sym> leaves = new ArrayList<>();
    List<Object> shape = target.shape(fixed, leaves);
    List<Integer> arguments = new ArrayList<>();
    for (Sym leaf : leaves) {
      arguments.add(MachineState.variable(leaf));
    }
    Ssa.Block known = blocks.get(shape);
    if (known == null) {
      String tooMuch = budget.state(leaves.size());
      if (tooMuch != null) {
        throw machine.refuseWhole(tooMuch);
      }
      Ssa.Block created = new Ssa.Block();
      for (Sym leaf : leaves) {
        created.parameters.add(machine.ssa.variable(MachineState.variableKind(leaf)));
      }
      target.rename(fixed, created.parameters);
      blocks.put(shape, created);
      pending.add(new Start(created, target));
      known = created;
    }
    return new Ssa.Edge(known, arguments);
  }

  /**
   * Goes on in two ways.
   *
   * @param then what is done first where the condition holds; returns false when that path has
   *     ended
   * @param otherwise likewise where it does not
   */
  boolean fork(
      Condition condition, int left, int right, BooleanSupplier then, BooleanSupplier otherwise) {
    Ssa.Block holds = new Ssa.Block();
    Ssa.Block fails = new Ssa.Block();
    machine.end(
        new Ssa.If(
            condition,
            left,
            right,
            new Ssa.Edge(holds, List.of()),
            new Ssa.Edge(fails, List.of()),
            machine.where()));
    MachineState other = machine.state.copy();
    machine.block = holds;
    if (then.getAsBoolean()) {
      pending.add(new Start(machine.block, machine.state));
    }
    machine.block = fails;
    machine.state = other;
    return otherwise.getAsBoolean();
  }

  /** Goes on with an option that has a value, and with one that has none. */
  void forkOn(Sym.Maybe option) {
    fork(
        Condition.NE,
        option.present().variable(),
        machine.constant(0),
        () -> become(option, List.of(option.value())),
        () -> become(option, List.of()));
  }

  private boolean become(Sym.Maybe option, List<Sym> values) {
    machine.state.replace(option, new Sym.Elements(Sym.Form.OPTION, values));
    return true;
  }

  /** Branches to an instruction of the current method; decides at once between constants. */
  void branch(Frame frame, Condition condition, int left, int right, LabelNode label) {
    int target = frame.body.index(label);
    Object a = machine.constants.get(left);
    Object b = machine.constants.get(right);
    if (a != null && b != null) {
      if (ConstantFolding.test(condition, a, b)) {
        frame.pc = target;
      }
      return;
    }
    MachineState taken = machine.state.copy();
    taken.top().pc = target;
    Ssa.Block next = new Ssa.Block();
    machine.end(
        new Ssa.If(condition, left, right, edge(taken), new Ssa.Edge(next), machine.where()));
    machine.block = next;
  }
}
