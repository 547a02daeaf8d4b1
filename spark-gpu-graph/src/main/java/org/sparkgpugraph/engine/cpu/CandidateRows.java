package org.sparkgpugraph.engine.cpu;

import java.util.List;
import org.sparkgpugraph.engine.ActiveDirection;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/** Marks the rows that a sparse superstep gathers, from the active vertices of all partitions. */
final class CandidateRows {
  private final List<? extends GraphPartition> partitions;
  private final KernelFrame[] frames;
  private final WorkerTeam team;
  private final boolean inNeighbours;
  private final boolean outNeighbours;
  private final boolean self;

  // Made on first use: runs that stay dense never need them.
  private Csr[] inTransposes;
  private Csr[] outTransposes;

  CandidateRows(
      List<? extends GraphPartition> partitions,
      KernelFrame[] frames,
      KernelShape shape,
      ActiveDirection direction,
      WorkerTeam team) {
    this.partitions = partitions;
    this.frames = frames;
    this.team = team;
    inNeighbours = shape.inRows() && KernelShape.neighbourRowsAreCandidates(direction, true);
    outNeighbours = shape.outRows() && KernelShape.neighbourRowsAreCandidates(direction, false);
    self =
        shape.inRows() && KernelShape.activeRowsAreCandidates(direction, true)
            || shape.outRows() && KernelShape.activeRowsAreCandidates(direction, false);
  }

  /**
   * Marks.
   *
   * @param together on all threads, else on the caller's
   */
  void mark(boolean together) {
    if (inNeighbours && inTransposes == null) {
      inTransposes = partitions.stream().map(GraphPartition::inTranspose).toArray(Csr[]::new);
    }
    if (outNeighbours && outTransposes == null) {
      outTransposes = partitions.stream().map(GraphPartition::outTranspose).toArray(Csr[]::new);
    }
    for (int p = 0; p < frames.length; p++) {
      int partition = p;
      int words = frames[p].active.summary.length;
      team.each(together, words, (member, s) -> mark(partition, s, together));
    }
  }

  private void mark(int p, int summaryWord, boolean shared) {
    VertexBitmap candidates = frames[p].candidates;
    int stored = self ? partitions.get(p).stored() : 0;
    for (int vertex : frames[p].active.members(summaryWord)) {
      if (vertex < stored) {
        mark(vertex, candidates, shared);
      }
      if (inNeighbours) {
        markRow(inTransposes[p], vertex, candidates, shared);
      }
      if (outNeighbours) {
        markRow(outTransposes[p], vertex, candidates, shared);
      }
    }
  }

  private static void markRow(Csr transpose, int row, VertexBitmap candidates, boolean shared) {
    int[] targets = transpose.neighbours();
    int end = transpose.offsets()[row + 1];
    for (int e = transpose.offsets()[row]; e < end; e++) {
      mark(targets[e], candidates, shared);
    }
  }

  /** Marks a vertex, also while other threads do. */
  private static void mark(int vertex, VertexBitmap candidates, boolean shared) {
    if (shared) {
      candidates.addShared(vertex);
    } else {
      candidates.add(vertex);
    }
  }
}
