package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.ActiveDirection;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.MergeAlgebra;
import io.sparkgpugraph.program.analysis.AtomicMerge;
import java.util.Optional;

/**
 * Whether supersteps of a program may push: active vertices stand in a queue, and messages are
 * merged into the receivers' values by atomic operations ({@code sgg/frontier.cuh}).
 */
final class Pushing {
  private Pushing() {}

  /**
   * By which operation messages are merged; empty: supersteps cannot push. They can in place (there
   * a value may change while others read it), where values are told to nobody elsewhere, and where
   * active vertices send to the other ends of all their edges.
   *
   * @param direction which edges are evaluated
   */
  static Optional<MergeAlgebra> merge(
      LiftedProgram program, KernelShape shape, ActiveDirection direction) {
    boolean reaches =
        (!shape.inRows() || KernelShape.neighbourRowsAreCandidates(direction, true))
            && (!shape.outRows() || KernelShape.neighbourRowsAreCandidates(direction, false));
    return shape.inPlace() && !shape.gatherAll() && !shape.tracksChanges() && reaches
        ? AtomicMerge.intoValue(program)
        : Optional.empty();
  }
}
