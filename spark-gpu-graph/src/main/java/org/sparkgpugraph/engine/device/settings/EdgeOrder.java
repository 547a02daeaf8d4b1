package org.sparkgpugraph.engine.device.settings;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.EdgeCourse;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.ir.Kind;

/**
 * In which order a row's edges say the best first, whoever sends: by an edge value, on which
 * messages depend. A row whose edges are in that order stops early, when the best of all senders
 * could not improve it any more over the edges that are left ({@code sgg/sorted_rows.cuh}).
 *
 * @param column of the edge values
 * @param in whether rows of in-edges are gathered, else of out-edges
 * @param falls whether the largest edge value says the best, else the least
 * @param adds whether messages are sums of integers, which must not overflow
 */
public record EdgeOrder(int column, boolean in, boolean falls, boolean adds) {
  /** What edges can be sorted by. */
  public static final Set<Kind> KINDS = EnumSet.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE);

  /**
   * The order of a program that merges messages into values; empty where none is known, where both
   * sides of rows are gathered, and where a graph is in parts, of which none knows all senders.
   */
  static Optional<EdgeOrder> of(LiftedProgram program, KernelShape shape, MergeAlgebra merge) {
    Optional<ImprovingSends> sends = ImprovingSends.of(program);
    if (shape.inRows() == shape.outRows()
        || shape.tracksChanges()
        || !merge.isOrdered()
        || sends.isEmpty()) {
      return Optional.empty();
    }
    return EdgeCourse.of(program)
        .filter(
            course -> KINDS.contains(program.edge().columns().get(sends.get().edgeColumn()).kind()))
        .map(
            course ->
                new EdgeOrder(
                    sends.get().edgeColumn(),
                    shape.inRows(),
                    (merge == MergeAlgebra.MIN) != (course == EdgeCourse.RISES),
                    program.message().columns().get(0).kind().isIntegral()));
  }
}
