package org.sparkgpugraph.run;

/** Which engine runs a program ({@code spark.gpugraph.engine}). */
public enum EngineChoice {
  /**
   * The executor's GPU where there is one that can run the program, otherwise all cores of the
   * executor. {@link RunReport#reason()} says which and why.
   */
  AUTO,
  /** The executor's GPU; an error that says why where none can run the program. */
  CUDA,
  /** All cores of the executor. */
  CPU,
  /** Stock GraphX, with the original lambdas; for comparison. */
  GRAPHX,
  /**
   * The kernels of the GPU on an emulated one, compiled by the executor's g++ and thousands of
   * times slower: for tests and debugging of kernels. Never chosen by {@link #AUTO}.
   */
  EMULATED
}
