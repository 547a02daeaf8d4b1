package io.sparkgpugraph;

/** Which engine runs a program ({@code spark.gpugraph.engine}). */
public enum EngineChoice {
  /** The fastest engine that the executors have. */
  AUTO,
  /** The executors' GPUs; an error where there is none. */
  CUDA,
  /** All cores of the executors. */
  CPU,
  /** Stock GraphX, with the original lambdas; for comparison. */
  GRAPHX
}
