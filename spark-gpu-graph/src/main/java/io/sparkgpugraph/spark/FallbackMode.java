package io.sparkgpugraph.spark;

/** When a program runs on stock GraphX ({@code spark.gpugraph.fallback}). */
public enum FallbackMode {
  /** A program that cannot be lifted runs on GraphX; one log line per reason. */
  AUTO,
  /** A program that cannot be lifted is an error. */
  NEVER,
  /** Every program runs on GraphX, with the original lambdas. */
  ALWAYS
}
