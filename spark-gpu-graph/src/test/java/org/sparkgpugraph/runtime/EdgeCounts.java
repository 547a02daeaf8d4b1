package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.TestProgram;

/**
 * How many edges a superstep evaluates, by {@link SuperstepStats#edgesEvaluated}: those that Pregel
 * calls the send function for, with two exceptions. Rows that are pulled evaluate all their edges
 * where those that nobody selects have nothing to say (direction EITHER); and a first superstep
 * that pushes hears only those who may have something to say.
 */
final class EdgeCounts {
  private EdgeCounts() {}

  /**
   * Checks a superstep that did not update in place, on ungrouped vertices.
   *
   * @param expected the superstep of the reference
   * @param pulled the superstep of a run that pulled by the same kernel on one partition; null: not
   *     known
   * @param parts what each shard did
   */
  static void check(
      PregelOracle.Step expected,
      SuperstepStats pulled,
      LiftedProgram lifted,
      TestProgram<?, ?, ?, ?, ?> program,
      List<SuperstepStats> parts,
      String where) {
    long edges = parts.stream().mapToLong(SuperstepStats::edgesEvaluated).sum();
    long pushing = parts.stream().filter(part -> part.kernel().pushes()).count();
    boolean first = parts.get(0).superstep() == 1;
    String what = where + ": edges evaluated";
    if (pushing == 0 && pulled != null) {
      assertThat(edges).as(what).isEqualTo(pulled.edgesEvaluated());
    }
    if (program.gather == Gather.ALL && !program.everyVertex()) {
      // An edge may be evaluated for one of its ends alone; then the reference counts others.
      return;
    }
    if (pushing == 0 || !first) {
      assertThat(edges).as(what).isGreaterThanOrEqualTo(expected.edges());
    }
    if (pushing == parts.size() || !evaluatesWholeRows(lifted, program)) {
      assertThat(edges).as(what).isLessThanOrEqualTo(expected.edges());
    } else if (pulled != null) {
      assertThat(edges).as(what).isLessThanOrEqualTo(pulled.edgesEvaluated());
    }
  }

  /** Whether a row that is pulled evaluates edges that nobody selects. */
  private static boolean evaluatesWholeRows(
      LiftedProgram lifted, TestProgram<?, ?, ?, ?, ?> program) {
    return !program.everyVertex()
        && program.direction == ActiveDirection.EITHER
        && program.activeWhen == null
        && !readsContext(lifted.send());
  }

  private static boolean readsContext(IrFunction function) {
    return function.reads(Role.SUPERSTEP) || function.reads(Role.AGGREGATE);
  }
}
