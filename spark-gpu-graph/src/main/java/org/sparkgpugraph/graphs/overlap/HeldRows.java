package org.sparkgpugraph.graphs.overlap;

import java.lang.ref.WeakReference;
import java.util.List;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.VertexRange;

/**
 * Where the rows of a whole graph's vertices are among its partitions. The partitions are held
 * weakly: what is derived from a graph must not keep it.
 */
final class HeldRows {
  private final List<WeakReference<GraphPartition>> partitions;
  private final long[] firsts;

  HeldRows(ExecutorGraph graph) {
    partitions =
        graph.partitions().stream().map(p -> new WeakReference<GraphPartition>(p)).toList();
    firsts = new long[partitions.size() + 1];
    for (int p = 0; p < partitions.size(); p++) {
      firsts[p] = graph.partitions().get(p).firstVertex();
    }
    firsts[partitions.size()] = graph.endHeld();
  }

  int partitions() {
    return partitions.size();
  }

  /** A partition of the graph, which somebody must still hold. */
  GraphPartition partition(int index) {
    GraphPartition partition = partitions.get(index).get();
    if (partition == null) {
      throw new IllegalStateException("the graph of partition " + index + " is gone");
    }
    return partition;
  }

  /** Number of vertices of the graph, where its first one is 0. */
  long end() {
    return firsts[partitions.size()];
  }

  /** The partition that holds a vertex's row. */
  GraphPartition home(long dense) {
    int low = 0;
    int high = partitions.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (firsts[middle] <= dense) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return partition(low);
  }

  /** Some rows of one partition. */
  @FunctionalInterface
  interface Piece {
    /**
     * @param row the first of them there
     * @param at how far behind the begin of the range
     */
    void accept(GraphPartition home, int row, int at, int count);
  }

  /** The pieces that a range is made of, in order. */
  void pieces(VertexRange range, Piece piece) {
    for (int p = 0; p < partitions.size(); p++) {
      VertexRange part = range.common(new VertexRange(firsts[p], firsts[p + 1]));
      if (part.size() > 0) {
        piece.accept(
            partition(p),
            (int) (part.from() - firsts[p]),
            (int) (part.from() - range.from()),
            part.size());
      }
    }
  }
}
