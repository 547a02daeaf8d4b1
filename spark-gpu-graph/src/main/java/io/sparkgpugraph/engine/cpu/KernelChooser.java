package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.engine.ActiveDirection;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.engine.SparseLimit;
import io.sparkgpugraph.exchange.VertexBitmap;
import io.sparkgpugraph.graph.Csr;
import io.sparkgpugraph.graph.GraphPartition;
import java.util.List;

/** Chooses dense or sparse for the next superstep from the edges of the active vertices. */
final class KernelChooser {
  private final KernelChoice forced;
  private final boolean perOut;
  private final boolean perIn;
  private final boolean inNeighbours;
  private final boolean outNeighbours;
  private final boolean part;
  private final long edges;
  private final long vertices;
  private long activeEdges;

  /**
   * @param edges edges that this executor graph holds
   * @param vertices vertices that it holds
   * @param part whether it is a part of a graph: then the edges of an active vertex are those held
   *     here, and its ghosts have some too
   */
  KernelChooser(
      KernelChoice forced,
      KernelShape shape,
      ActiveDirection direction,
      long edges,
      long vertices,
      boolean part) {
    this.forced = forced;
    this.edges = edges;
    this.vertices = vertices;
    this.part = part;
    inNeighbours = shape.inRows() && KernelShape.neighbourRowsAreCandidates(direction, true);
    outNeighbours = shape.outRows() && KernelShape.neighbourRowsAreCandidates(direction, false);
    perOut =
        inNeighbours || shape.outRows() && KernelShape.activeRowsAreCandidates(direction, false);
    perIn = outNeighbours || shape.inRows() && KernelShape.activeRowsAreCandidates(direction, true);
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
    long bound = forced.isSparse() ? Long.MAX_VALUE : limit;
    for (int p = 0; p < partitions.size() && activeEdges <= bound; p++) {
      activeEdges += edges(partitions.get(p), activity[p], bound - activeEdges);
    }
    return activeEdges <= bound ? KernelChoice.SPARSE : KernelChoice.DENSE;
  }

  private long edges(GraphPartition partition, VertexBitmap active, long bound) {
    long sum = 0;
    Degrees out = perOut ? out(partition) : null;
    Degrees in = perIn ? in(partition) : null;
    int end = part ? active.summary.length : VertexBitmap.summaryWords(partition.stored());
    for (int s = 0; s < end && sum <= bound; s++) {
      long summary = active.summary[s];
      while (summary != 0) {
        int w = (s << 6) + Long.numberOfTrailingZeros(summary);
        summary &= summary - 1;
        for (long word = active.words[w]; word != 0; word &= word - 1) {
          int vertex = (w << 6) + Long.numberOfTrailingZeros(word);
          if (out != null) {
            sum += out.of(vertex);
          }
          if (in != null) {
            sum += in.of(vertex);
          }
        }
      }
    }
    return sum;
  }

  /** Number of edges of a held vertex or ghost. */
  @FunctionalInterface
  private interface Degrees {
    int of(int vertex);
  }

  private Degrees out(GraphPartition partition) {
    if (!part) {
      return partition::outDegree;
    }
    return rows(inNeighbours ? partition.inTranspose() : partition.outEdges());
  }

  private Degrees in(GraphPartition partition) {
    if (!part) {
      return partition::inDegree;
    }
    return rows(outNeighbours ? partition.outTranspose() : partition.inEdges());
  }

  private static Degrees rows(Csr edges) {
    int[] offsets = edges.offsets();
    int rows = edges.rows();
    return vertex -> vertex < rows ? offsets[vertex + 1] - offsets[vertex] : 0;
  }
}
