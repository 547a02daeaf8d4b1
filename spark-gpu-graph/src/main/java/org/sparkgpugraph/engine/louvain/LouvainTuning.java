package org.sparkgpugraph.engine.louvain;

import java.io.Serializable;

/**
 * Constants of the kernels; only tests and benchmarks use others than {@link #DEFAULT}. A block has
 * 48 KiB of shared memory.
 *
 * @param warpRow entries of a row that a warp sums up alone, at least 32; of longer ones a block
 *     does
 * @param chunk entries that a block sums up at a time
 * @param coarsenChunk entries that a block sums up at a time when it makes the next level
 * @param depth entries that a thread has under way together
 */
public record LouvainTuning(int warpRow, int chunk, int coarsenChunk, int depth)
    implements Serializable {
  /** As they are used. */
  public static final LouvainTuning DEFAULT = new LouvainTuning(192, 1536, 2048, 4);

  public LouvainTuning {
    if (warpRow < 32 || warpRow > 240 || chunk < 1 || chunk > 1920) {
      throw new IllegalArgumentException(warpRow + " entries of a row, " + chunk + " of a chunk");
    }
    if (coarsenChunk < 1 || coarsenChunk > 2048 || depth < 1) {
      throw new IllegalArgumentException(
          coarsenChunk + " entries of a chunk, " + depth + " under way");
    }
  }

  /** What the headers look at. */
  String macros() {
    return """
        #define SGG_LOUVAIN_WARP_ROW %d
        #define SGG_LOUVAIN_CHUNK %d
        #define SGG_COARSEN_CHUNK %d
        #define SGG_LOUVAIN_DEPTH %d
        """
        .formatted(warpRow, chunk, coarsenChunk, depth);
  }
}
