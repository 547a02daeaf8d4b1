package org.sparkgpugraph.engine.device.kernels;

/**
 * Which edges of a hub a chunk has; kernels know them as {@code SGG_CHUNK_…} ({@link SharedWords}).
 */
public enum ChunkSide {
  /** In-edges. */
  IN,

  /** Out-edges. */
  OUT
}
