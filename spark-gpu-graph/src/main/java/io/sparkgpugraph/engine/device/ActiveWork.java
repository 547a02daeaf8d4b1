package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.ActiveDirection;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.graph.Csr;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;

/**
 * Which edges an active vertex selects: what the choice between dense and sparse supersteps counts.
 * Of a graph that is spread over several executor graphs each counts the edges that it holds
 * itself, those of active ghosts included.
 *
 * @param perIn a vertex's in-edges count
 * @param perOut a vertex's out-edges count
 */
record ActiveWork(boolean perIn, boolean perOut) {
  static ActiveWork of(KernelShape shape, ActiveDirection direction) {
    return new ActiveWork(
        shape.outRows() && KernelShape.neighbourRowsAreCandidates(direction, false)
            || shape.inRows() && KernelShape.activeRowsAreCandidates(direction, true),
        shape.inRows() && KernelShape.neighbourRowsAreCandidates(direction, true)
            || shape.outRows() && KernelShape.activeRowsAreCandidates(direction, false));
  }

  /**
   * For each held vertex of a partition the edges here that its being active selects.
   *
   * @return {@code int[stored]}
   */
  int[] costs(ExecutorGraph graph, GraphPartition partition) {
    int[] costs = new int[partition.stored()];
    boolean whole = graph.imports().isEmpty() && graph.exports().isEmpty();
    for (int v = 0; v < costs.length; v++) {
      long sum;
      if (whole) {
        sum = perIn ? partition.inDegree(v) : 0;
        sum += perOut ? partition.outDegree(v) : 0;
      } else {
        sum = held(partition, v);
      }
      costs[v] = (int) Math.min(sum, Integer.MAX_VALUE);
    }
    for (BoundaryList list : graph.boundaries()) {
      if (!whole && list.home() == partition.index()) {
        GraphPartition reader = graph.partitions().get(list.reader());
        for (int position = 0; position < list.size(); position++) {
          int v = list.homeVertices()[position];
          long sum = costs[v] + held(reader, list.firstGhost() + position);
          costs[v] = (int) Math.min(sum, Integer.MAX_VALUE);
        }
      }
    }
    return costs;
  }

  /** The edges of a partition that one of its vertices or ghosts selects. */
  long held(GraphPartition partition, int local) {
    return (perIn ? row(partition.outTranspose(), local) : 0)
        + (perOut ? row(partition.inTranspose(), local) : 0);
  }

  private static int row(Csr rows, int row) {
    return rows.offsets()[row + 1] - rows.offsets()[row];
  }
}
