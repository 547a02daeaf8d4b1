package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.engine.ActiveDirection;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.engine.SparseLimit;
import io.sparkgpugraph.exchange.VertexBitmap;
import io.sparkgpugraph.graph.GraphPartition;
import java.util.List;

/** Chooses dense or sparse for the next superstep from the edges of the active vertices. */
final class KernelChooser {
  private final KernelChoice forced;
  private final boolean perOut;
  private final boolean perIn;
  private final long edges;
  private final long vertices;
  private long activeEdges;

  KernelChooser(
      KernelChoice forced,
      KernelShape shape,
      ActiveDirection direction,
      long edges,
      long vertices) {
    this.forced = forced;
    this.edges = edges;
    this.vertices = vertices;
    perOut =
        shape.inRows() && KernelShape.neighbourRowsAreCandidates(direction, true)
            || shape.outRows() && KernelShape.activeRowsAreCandidates(direction, false);
    perIn =
        shape.outRows() && KernelShape.neighbourRowsAreCandidates(direction, false)
            || shape.inRows() && KernelShape.activeRowsAreCandidates(direction, true);
  }

  /** Edges of the active vertices at the last choice (a lower bound when it chose dense). */
  long activeEdges() {
    return activeEdges;
  }

  /**
   * Chooses.
   *
   * @param before what the superstep before was
   * @param active number of active vertices
   * @param partitions the partitions and, for each, its active vertices
   */
  KernelChoice choose(
      KernelChoice before,
      long active,
      List<? extends GraphPartition> partitions,
      VertexBitmap[] activity) {
    long limit = SparseLimit.of(before, edges, vertices);
    activeEdges = active;
    if (forced == KernelChoice.DENSE || forced == KernelChoice.AUTO && active > limit) {
      return KernelChoice.DENSE;
    }
    long bound = forced == KernelChoice.SPARSE ? Long.MAX_VALUE : limit;
    for (int p = 0; p < partitions.size() && activeEdges <= bound; p++) {
      activeEdges += edges(partitions.get(p), activity[p], bound - activeEdges);
    }
    return activeEdges <= bound ? KernelChoice.SPARSE : KernelChoice.DENSE;
  }

  private long edges(GraphPartition partition, VertexBitmap active, long bound) {
    long sum = 0;
    int end = VertexBitmap.summaryWords(partition.stored());
    for (int s = 0; s < end && sum <= bound; s++) {
      long summary = active.summary[s];
      while (summary != 0) {
        int w = (s << 6) + Long.numberOfTrailingZeros(summary);
        summary &= summary - 1;
        for (long word = active.words[w]; word != 0; word &= word - 1) {
          int vertex = (w << 6) + Long.numberOfTrailingZeros(word);
          if (perOut) {
            sum += partition.outDegree(vertex);
          }
          if (perIn) {
            sum += partition.inDegree(vertex);
          }
        }
      }
    }
    return sum;
  }
}
