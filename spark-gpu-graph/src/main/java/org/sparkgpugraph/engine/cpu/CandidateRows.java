package org.sparkgpugraph.engine.cpu;

import java.util.List;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.run.ActiveDirection;

/** Marks the rows that a sparse superstep gathers, from the active vertices of all partitions. */
final class CandidateRows {
  /** Neighbours off the heap that are copied at a time. */
  private static final int COPIED = 1 << 12;

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
    VertexBitmap active = frames[p].active;
    VertexBitmap candidates = frames[p].candidates;
    int stored = self ? partitions.get(p).stored() : 0;
    Csr in = inNeighbours ? inTransposes[p] : null;
    Csr out = outNeighbours ? outTransposes[p] : null;
    for (long bits = active.summary[summaryWord]; bits != 0; bits &= bits - 1) {
      int w = (summaryWord << 6) + Long.numberOfTrailingZeros(bits);
      for (long word = active.words[w]; word != 0; word &= word - 1) {
        int vertex = (w << 6) + Long.numberOfTrailingZeros(word);
        if (vertex < stored && shared) {
          candidates.addShared(vertex);
        } else if (vertex < stored) {
          candidates.add(vertex);
        }
        markRow(in, vertex, candidates, shared);
        markRow(out, vertex, candidates, shared);
      }
    }
  }

  /**
   * Marks the neighbours of a vertex.
   *
   * @param transpose null: none
   * @param shared whether other threads mark at the same time
   */
  private static void markRow(Csr transpose, int row, VertexBitmap candidates, boolean shared) {
    if (transpose == null) {
      return;
    }
    int from = transpose.offsets()[row];
    int end = transpose.offsets()[row + 1];
    if (!transpose.onHeap()) {
      markCopied(transpose, from, end, candidates, shared);
      return;
    }
    int[] targets = transpose.neighbours();
    if (shared) {
      for (int e = from; e < end; e++) {
        candidates.addShared(targets[e]);
      }
    } else {
      for (int e = from; e < end; e++) {
        candidates.add(targets[e]);
      }
    }
  }

  private static void markCopied(
      Csr transpose, int from, int end, VertexBitmap candidates, boolean shared) {
    int[] targets = new int[Math.min(COPIED, end - from)];
    for (int at = from; at < end; at += COPIED) {
      int count = Math.min(COPIED, end - at);
      transpose.neighbours(at, count, targets, 0);
      for (int i = 0; i < count; i++) {
        if (shared) {
          candidates.addShared(targets[i]);
        } else {
          candidates.add(targets[i]);
        }
      }
    }
  }
}
