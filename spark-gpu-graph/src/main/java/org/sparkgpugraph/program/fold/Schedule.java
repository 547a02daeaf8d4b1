package org.sparkgpugraph.program.fold;

import java.util.List;
import java.util.function.Consumer;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Writes functions that do something else in each phase: which one it is the superstep says. */
final class Schedule {
  private final IrBuilder to;
  private final Consumer<Phase> code;

  private Schedule(IrBuilder to, Consumer<Phase> code) {
    this.to = to;
    this.code = code;
  }

  /**
   * Writes a function.
   *
   * @param turns from superstep 1 on
   * @param code writes what is done in a phase; leaves the function
   */
  static void write(IrBuilder to, List<Turn> turns, Consumer<Phase> code) {
    Schedule schedule = new Schedule(to, code);
    if (isOnePhase(turns)) {
      schedule.turn(turns.get(0), -1);
    } else {
      int superstep = to.parameter(Role.SUPERSTEP, Kind.INT);
      schedule.turns(turns, to.subtract(superstep, to.constant(1)));
    }
  }

  private static boolean isOnePhase(List<Turn> turns) {
    return turns.size() == 1
        && (turns.get(0) instanceof Phase
            || turns.get(0) instanceof Turn.Loop loop && isOnePhase(loop.body()));
  }

  /**
   * @param at the variable that counts the supersteps behind the first of the turns
   */
  private void turns(List<Turn> turns, int at) {
    int start = 0;
    for (int i = 0; i < turns.size(); i++) {
      int end = start + (int) turns.get(i).supersteps();
      int next = to.label();
      if (i < turns.size() - 1) {
        to.branch(Condition.GE, at, to.constant(end), next);
      }
      boolean counts = start > 0 && turns.get(i) instanceof Turn.Loop;
      turn(turns.get(i), counts ? to.subtract(at, to.constant(start)) : at);
      if (i < turns.size() - 1) {
        to.place(next);
      }
      start = end;
    }
  }

  private void turn(Turn turn, int at) {
    if (turn instanceof Phase phase) {
      code.accept(phase);
      return;
    }
    List<Turn> body = ((Turn.Loop) turn).body();
    if (isOnePhase(body)) {
      turn(body.get(0), -1);
    } else {
      int length = to.constant((int) Turn.supersteps(body));
      turns(body, to.binary(BinaryOp.REMAINDER, at, length));
    }
  }
}
