package org.sparkgpugraph.engine.device.settings;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.AtomicMerge;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.run.ActiveDirection;

/**
 * How supersteps of a program push: active vertices stand in a queue, and messages are merged by
 * atomic operations ({@code sgg/push.cuh}).
 *
 * @param merge by which operation each message column is merged
 * @param intoValue whether into the receivers' values; if not, into slots that are read behind a
 *     barrier
 * @param out whether active vertices walk their out-edges
 * @param in whether they walk their in-edges
 * @param both whether an edge counts only when both of its ends are active
 * @param prunesSenders whether a vertex's own value shows that none of its messages can improve a
 *     receiver; the first superstep then leaves such vertices out
 * @param buckets whether vertices with large values are put off until those with small ones are
 *     done: values are sums of edge values, probably
 * @param singleSuperstep whether a launch runs one superstep only: functions read the superstep
 *     number or aggregates, which the host sets before each
 */
public record Pushing(
    List<MergeAlgebra> merge,
    boolean intoValue,
    boolean out,
    boolean in,
    boolean both,
    boolean prunesSenders,
    boolean buckets,
    boolean singleSuperstep) {
  /**
   * How a program pushes; empty: it does not. Where values are told to other partitions only those
   * are pushed that messages merge straight into; what feeds aggregates never is.
   *
   * @param direction which edges are evaluated
   */
  public static Optional<Pushing> of(
      LiftedProgram program, KernelShape shape, ActiveDirection direction) {
    if (shape.everyVertex() || shape.gatherAll()) {
      return Optional.empty();
    }
    boolean outSide = KernelShape.neighbourRowsAreCandidates(direction, true);
    boolean inSide = KernelShape.neighbourRowsAreCandidates(direction, false);
    boolean reaches = (!shape.inRows() || outSide) && (!shape.outRows() || inSide);
    Optional<MergeAlgebra> intoValue =
        shape.inPlace() && reaches ? AtomicMerge.intoValue(program) : Optional.empty();
    if (intoValue.isPresent()) {
      return Optional.of(
          new Pushing(
              List.of(intoValue.get()),
              true,
              shape.inRows(),
              shape.outRows(),
              false,
              AtomicMerge.sendsOnlyImprovements(program),
              intoValue.get() == MergeAlgebra.MIN && program.send().reads(Role.EDGE),
              false));
    }
    List<MergeAlgebra> merge = AtomicMerge.intoSlots(program);
    if (merge.isEmpty() || !program.aggregates().isEmpty() || shape.tracksChanges()) {
      return Optional.empty();
    }
    return Optional.of(
        new Pushing(
            merge,
            false,
            direction != ActiveDirection.IN,
            direction == ActiveDirection.IN || direction == ActiveDirection.EITHER,
            direction == ActiveDirection.BOTH,
            reaches && AtomicMerge.sendsOnlyImprovements(program),
            false,
            readsContext(program)));
  }

  /**
   * How many evaluations of the send function there are of an edge both of whose ends are active:
   * where messages merge straight into values each end evaluates its own messages.
   */
  public int evaluations() {
    return intoValue && out && in ? 2 : 1;
  }

  /**
   * Whether values may be relaxed without supersteps, in order of priority: they are numbers of
   * which the least or the largest wins. (They are merged in place only where the program is
   * monotone.)
   */
  public boolean asynchronous() {
    return intoValue && merge.get(0).isOrdered();
  }

  private static boolean readsContext(LiftedProgram program) {
    return Stream.of(program.send(), program.merge(), program.vertexProgram(), program.activeWhen())
        .anyMatch(Pushing::readsContext);
  }

  private static boolean readsContext(IrFunction function) {
    return function != null && (function.reads(Role.SUPERSTEP) || function.reads(Role.AGGREGATE));
  }
}
