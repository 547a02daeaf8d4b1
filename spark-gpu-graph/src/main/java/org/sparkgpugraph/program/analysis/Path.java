package org.sparkgpugraph.program.analysis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.Interruption;
import org.sparkgpugraph.program.expression.Comparison;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Side;

/**
 * One way through a function.
 *
 * @param conditions what must hold for control to go this way, in order
 * @param sent the messages sent on the way
 * @param results the values returned; null when the path ends in a fault
 */
record Path(List<Comparison> conditions, List<Sent> sent, List<Expression> results) {
  private static final int MAX_PATHS = 512;

  /** Instructions to follow on all paths together: some tenths of a second. */
  private static final int MAX_STEPS = 2_000_000;

  /**
   * A message.
   *
   * @param conditions how many of the path's conditions stand before it
   */
  record Sent(Side side, List<Expression> message, int conditions) {}

  /** A path while it is followed. */
  private static final class Walk {
    final Expression[] variables;
    final List<Comparison> conditions;
    final List<Sent> sent;
    final BitSet visited;
    int pc;

    Walk(
        Expression[] variables,
        List<Comparison> conditions,
        List<Sent> sent,
        BitSet visited,
        int pc) {
      this.variables = variables;
      this.conditions = conditions;
      this.sent = sent;
      this.visited = visited;
      this.pc = pc;
    }

    /**
     * Goes to an instruction if a condition is known to hold, stays if it is known not to; else
     * stays and lets another walk go there.
     *
     * @return whether it went
     */
    boolean branch(Comparison condition, int at, Deque<Walk> others) {
      if (conditions.contains(condition)) {
        pc = at;
        return true;
      }
      Comparison other = condition.negate();
      if (!conditions.contains(other)) {
        Walk jumped = fork(at);
        jumped.conditions.add(condition);
        others.push(jumped);
        conditions.add(other);
      }
      return false;
    }

    private Walk fork(int at) {
      return new Walk(
          variables.clone(),
          new ArrayList<>(conditions),
          new ArrayList<>(sent),
          (BitSet) visited.clone(),
          at);
    }
  }

  /**
   * All paths of a function.
   *
   * @return the paths; null when there are too many, or the function has a loop
   */
  static List<Path> of(IrFunction function, ExpressionPool pool) {
    Map<Integer, Integer> labels = Insn.Label.positions(function.code());
    Expression[] start = new Expression[function.variables().size()];
    for (Param parameter : function.parameters()) {
      start[parameter.variable()] =
          pool.input(
              parameter.role(), parameter.index(), function.variables().get(parameter.variable()));
    }
    List<Path> paths = new ArrayList<>();
    int steps = 0;
    Deque<Walk> pending = new ArrayDeque<>();
    pending.push(new Walk(start, new ArrayList<>(), new ArrayList<>(), new BitSet(), 0));
    while (!pending.isEmpty()) {
      Walk walk = pending.pop();
      Interruption.check("function '" + function.name() + "' is examined");
      boolean going = true;
      while (going) {
        if (++steps > MAX_STEPS) {
          return null;
        }
        Insn insn = function.code().get(walk.pc++);
        if (insn instanceof Insn.Label) {
          if (walk.visited.get(walk.pc)) {
            return null;
          }
          walk.visited.set(walk.pc);
        } else if (insn instanceof Insn.Jump jump) {
          walk.pc = labels.get(jump.label());
        } else if (insn instanceof Insn.Branch branch) {
          Comparison taken =
              Comparison.of(
                  branch.condition(),
                  walk.variables[branch.left()],
                  walk.variables[branch.right()]);
          walk.branch(taken, labels.get(branch.label()), pending);
          if (paths.size() + pending.size() > MAX_PATHS) {
            return null;
          }
        } else if (insn instanceof Insn.Switch choice) {
          // As if every key were compared, one after the other.
          Expression value = walk.variables[choice.value()];
          int at = labels.get(choice.otherwise());
          for (int i = 0; i < choice.keys().size(); i++) {
            Comparison is = Comparison.of(Condition.EQ, value, pool.constant(choice.keys().get(i)));
            if (walk.branch(is, labels.get(choice.labels().get(i)), pending)) {
              at = walk.pc;
              break;
            }
            if (paths.size() + pending.size() > MAX_PATHS) {
              return null;
            }
          }
          walk.pc = at;
        } else if (insn instanceof Insn.Emit emit) {
          walk.sent.add(
              new Sent(
                  emit.side(),
                  emit.message().stream().map(v -> walk.variables[v]).toList(),
                  walk.conditions.size()));
        } else if (insn instanceof Insn.Return leave) {
          paths.add(
              new Path(
                  walk.conditions,
                  walk.sent,
                  leave.values().stream().map(v -> walk.variables[v]).toList()));
          going = false;
        } else if (insn instanceof Insn.Fail) {
          paths.add(new Path(walk.conditions, walk.sent, null));
          going = false;
        } else {
          compute(insn, function.variables(), walk.variables, pool);
        }
      }
    }
    return paths;
  }

  private static void compute(
      Insn insn, List<Kind> kinds, Expression[] values, ExpressionPool pool) {
    int target = insn.target();
    if (insn instanceof Insn.Copy copy) {
      values[target] = values[copy.source()];
    } else if (insn instanceof Insn.Constant constant && constant.value() instanceof Boolean flag) {
      values[target] = pool.constant(flag ? 1 : 0);
    } else {
      Expression[] operands = insn.read().stream().map(v -> values[v]).toArray(Expression[]::new);
      values[target] = pool.make(Operation.of(insn), kinds.get(target), operands);
    }
  }
}
