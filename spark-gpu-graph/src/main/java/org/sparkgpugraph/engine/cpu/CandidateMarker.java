package org.sparkgpugraph.engine.cpu;

import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * Marks the rows that an active vertex reaches (KiTES, step 1): for every active held or ghost
 * vertex its held neighbours in a transpose, itself, or both.
 */
final class CandidateMarker {
  private CandidateMarker() {}

  /**
   * Marks the neighbours of the active vertices under one summary word.
   *
   * @param shared whether other threads mark at the same time
   */
  static void neighbours(
      VertexBitmap active,
      int summaryWord,
      Csr transpose,
      VertexBitmap candidates,
      boolean shared) {
    int[] offsets = transpose.offsets();
    int[] targets = transpose.neighbours();
    long summary = active.summary[summaryWord];
    while (summary != 0) {
      int w = (summaryWord << 6) + Long.numberOfTrailingZeros(summary);
      summary &= summary - 1;
      long word = active.words[w];
      while (word != 0) {
        int vertex = (w << 6) + Long.numberOfTrailingZeros(word);
        word &= word - 1;
        int end = offsets[vertex + 1];
        if (shared) {
          for (int e = offsets[vertex]; e < end; e++) {
            candidates.addShared(targets[e]);
          }
        } else {
          for (int e = offsets[vertex]; e < end; e++) {
            candidates.add(targets[e]);
          }
        }
      }
    }
  }

  /** Marks the active held vertices themselves. */
  static void self(
      VertexBitmap active, int summaryWord, int stored, VertexBitmap candidates, boolean shared) {
    long summary = active.summary[summaryWord];
    while (summary != 0) {
      int w = (summaryWord << 6) + Long.numberOfTrailingZeros(summary);
      summary &= summary - 1;
      long word = active.words[w];
      while (word != 0) {
        int vertex = (w << 6) + Long.numberOfTrailingZeros(word);
        word &= word - 1;
        if (vertex >= stored) {
          return;
        }
        if (shared) {
          candidates.addShared(vertex);
        } else {
          candidates.add(vertex);
        }
      }
    }
  }
}
