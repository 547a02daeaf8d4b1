package org.sparkgpugraph.engine.device;

/**
 * Which edges of a hub a chunk has; kernels know them as {@code SGG_CHUNK_…} ({@code SharedWords}).
 */
public enum ChunkSide {
  /** In-edges. */
  IN,

  /** Out-edges. */
  OUT
}
