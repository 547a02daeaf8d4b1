package org.sparkgpugraph.engine.device.settings;

import java.util.function.IntUnaryOperator;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.run.ActiveDirection;

/**
 * Which edges an active vertex selects: what the choice between dense and sparse supersteps counts,
 * the same as the CPU engine's. Of a graph that is spread over several executor graphs each counts
 * the edges that it holds itself, those of active ghosts included.
 *
 * @param inNeighbours it makes the destinations of its out-edges candidates
 * @param outNeighbours it makes the sources of its in-edges candidates
 * @param inSelf it is a candidate itself, for its in-edges
 * @param outSelf it is a candidate itself, for its out-edges
 */
public record ActiveWork(
    boolean inNeighbours, boolean outNeighbours, boolean inSelf, boolean outSelf) {
  public static ActiveWork of(KernelShape shape, ActiveDirection direction) {
    return new ActiveWork(
        shape.inRows() && KernelShape.neighbourRowsAreCandidates(direction, true),
        shape.outRows() && KernelShape.neighbourRowsAreCandidates(direction, false),
        shape.inRows() && KernelShape.activeRowsAreCandidates(direction, true),
        shape.outRows() && KernelShape.activeRowsAreCandidates(direction, false));
  }

  /**
   * For each held vertex of a partition the edges here that its being active selects.
   *
   * @param threads to count with, at least 1
   * @return {@code int[stored]}
   */
  public int[] costs(ExecutorGraph graph, GraphPartition partition, int threads) {
    long[] costs = new long[partition.stored()];
    boolean whole = graph.imports().isEmpty();
    try (Workers workers = new Workers(threads)) {
      workers.forEachChunk(
          costs.length,
          (from, to) -> {
            for (int v = from; v < to; v++) {
              costs[v] = whole ? degrees(partition, v) : of(partition, v);
            }
          });
    }
    for (BoundaryList list : graph.boundaries()) {
      if (!whole && list.home() == partition.index()) {
        GraphPartition reader = graph.partitions().get(list.reader());
        for (int position = 0; position < list.size(); position++) {
          costs[list.homeVertices()[position]] += of(reader, list.firstGhost() + position);
        }
      }
    }
    int[] capped = new int[costs.length];
    for (int v = 0; v < capped.length; v++) {
      capped[v] = (int) Math.min(costs[v], Integer.MAX_VALUE);
    }
    return capped;
  }

  private long degrees(GraphPartition partition, int v) {
    return (inSelf || outNeighbours ? (long) partition.inDegree(v) : 0)
        + (outSelf || inNeighbours ? partition.outDegree(v) : 0);
  }

  /**
   * The edges of a partition that the active ones of some of its ghosts select.
   *
   * @param ghostOf local index of each position
   */
  public long of(GraphPartition partition, IntUnaryOperator ghostOf, RefinedUpdates updates) {
    Csr first = inNeighbours ? partition.inTranspose() : outSelf ? partition.outEdges() : null;
    Csr second = outNeighbours ? partition.outTranspose() : inSelf ? partition.inEdges() : null;
    long edges = 0;
    for (int i = 0; i < updates.count(); i++) {
      if (updates.isActive(i)) {
        int ghost = ghostOf.applyAsInt(updates.position(i));
        edges +=
            (first == null ? 0 : row(first, ghost)) + (second == null ? 0 : row(second, ghost));
      }
    }
    return edges;
  }

  /** The edges of a partition that one of its vertices or ghosts selects. */
  public long of(GraphPartition partition, int local) {
    long edges = 0;
    if (inNeighbours) {
      edges += row(partition.inTranspose(), local);
    } else if (outSelf) {
      edges += row(partition.outEdges(), local);
    }
    if (outNeighbours) {
      edges += row(partition.outTranspose(), local);
    } else if (inSelf) {
      edges += row(partition.inEdges(), local);
    }
    return edges;
  }

  /** Rows of ghosts are empty where only held vertices have rows. */
  private static int row(Csr rows, int row) {
    return row < rows.rows() ? rows.offsets()[row + 1] - rows.offsets()[row] : 0;
  }
}
