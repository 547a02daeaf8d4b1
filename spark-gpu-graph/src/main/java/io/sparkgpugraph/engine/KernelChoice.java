package io.sparkgpugraph.engine;

/** How a superstep walks the graph ({@code spark.gpugraph.kernel}). */
public enum KernelChoice {
  /** Chosen in every superstep from the number of active edges. */
  AUTO,
  /** All rows. */
  DENSE,
  /** Only the rows that an active vertex reaches. */
  SPARSE
}
