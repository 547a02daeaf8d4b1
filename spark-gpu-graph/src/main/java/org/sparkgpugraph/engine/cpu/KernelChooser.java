package org.sparkgpugraph.engine.cpu;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.SparseLimit;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.KernelChoice;

/** Chooses how the next superstep walks, from the edges of the active vertices. */
final class KernelChooser {
  /**
   * Below this part of all edges it is cheaper to look at the activity of an edge's end than at its
   * value, where both are allowed.
   */
  private static final double FILTER = 1 / 10.0;

  /**
   * Supersteps on a graph that look at all rows although candidates would be fewer, as long as the
   * transposes that these are marked along have not been made: making those takes about as long. So
   * it never costs more than twice what would have been best, and a search that needs five
   * supersteps over a graph loaded for it never makes them.
   */
  static final int PATIENCE = 8;

  private final MissedTransposes missed;
  private final KernelChoice forced;
  private final Walk dense;
  private final boolean filters;
  private final boolean perOut;
  private final boolean perIn;
  private final boolean inNeighbours;
  private final boolean outNeighbours;
  private final boolean part;
  private final long edges;
  private final long vertices;
  private long activeEdges;

  /** Whether the next superstep walks all rows because transposes are not there. */
  private boolean waiting;

  /**
   * @param missed what runs before lacked
   * @param edges edges that this executor graph holds
   * @param vertices vertices that it holds
   * @param part whether it is a part of a graph: then the edges of an active vertex are those held
   *     here, and its ghosts have some too
   */
  KernelChooser(
      MissedTransposes missed,
      KernelChoice forced,
      KernelShape shape,
      ActiveDirection direction,
      long edges,
      long vertices,
      boolean part) {
    this.missed = missed;
    this.forced = forced;
    this.edges = edges;
    this.vertices = vertices;
    this.part = part;
    // In place nothing is lost when an edge is evaluated once more.
    dense = shape.inPlace() ? Walk.EVERY_EDGE : Walk.ACTIVE_EDGES;
    filters = shape.filters() && shape.inPlace() && forced == KernelChoice.AUTO;
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
  Walk choose(
      Walk before,
      long active,
      List<? extends GraphPartition> partitions,
      VertexBitmap[] activity) {
    activeEdges = active;
    waiting = false;
    if (forced == KernelChoice.DENSE) {
      return dense;
    }
    long sparse =
        forced.isSparse() ? Long.MAX_VALUE : SparseLimit.of(before.choice(), edges, vertices);
    long bound = filters ? Math.max(sparse, (long) ((edges + vertices) * FILTER)) : sparse;
    for (int p = 0; p < partitions.size() && activeEdges <= bound; p++) {
      activeEdges += edges(partitions.get(p), activity[p], bound - activeEdges);
    }
    if (activeEdges > bound) {
      return dense;
    }
    waiting = activeEdges <= sparse && waits(partitions);
    return activeEdges <= sparse && !waiting ? Walk.CANDIDATES : Walk.ACTIVE_EDGES;
  }

  /** Notes that the superstep is run as it was chosen. */
  void runs(List<? extends GraphPartition> partitions) {
    if (waiting) {
      partitions.stream().filter(this::lacksTranspose).forEach(missed::add);
    }
  }

  /** Whether it is too early to make transposes. */
  private boolean waits(List<? extends GraphPartition> partitions) {
    // Those of a part are made already: its edges are counted by them.
    return !forced.isSparse()
        && !part
        && partitions.stream().anyMatch(p -> lacksTranspose(p) && missed.of(p) < PATIENCE);
  }

  private boolean lacksTranspose(GraphPartition partition) {
    return inNeighbours && !partition.hasTranspose(true)
        || outNeighbours && !partition.hasTranspose(false);
  }

  private long edges(GraphPartition partition, VertexBitmap active, long bound) {
    long sum = 0;
    IntUnaryOperator out = perOut ? out(partition) : null;
    IntUnaryOperator in = perIn ? in(partition) : null;
    int end = part ? active.summary.length : VertexBitmap.summaryWords(partition.stored());
    for (int s = 0; s < end && sum <= bound; s++) {
      for (int vertex : active.members(s)) {
        sum += out == null ? 0 : out.applyAsInt(vertex);
        sum += in == null ? 0 : in.applyAsInt(vertex);
      }
    }
    return sum;
  }

  /** Numbers of edges of held vertices and ghosts. */
  private IntUnaryOperator out(GraphPartition partition) {
    if (!part) {
      return partition::outDegree;
    }
    return rows(inNeighbours ? partition.inTranspose() : partition.outEdges());
  }

  private IntUnaryOperator in(GraphPartition partition) {
    if (!part) {
      return partition::inDegree;
    }
    return rows(outNeighbours ? partition.outTranspose() : partition.inEdges());
  }

  private static IntUnaryOperator rows(Csr edges) {
    int[] offsets = edges.offsets();
    int rows = edges.rows();
    return vertex -> vertex < rows ? offsets[vertex + 1] - offsets[vertex] : 0;
  }
}
