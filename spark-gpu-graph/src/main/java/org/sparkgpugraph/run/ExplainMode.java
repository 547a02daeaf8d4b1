package org.sparkgpugraph.run;

/** What is logged of a program or an operator before it runs ({@code spark.gpugraph.explain}). */
public enum ExplainMode {
  /** Nothing but the reasons of a fallback. */
  NONE,
  /** The whole text of {@code explain()}. */
  ALL,
  /** The whole text, and the CUDA source that is generated from the program. */
  SOURCE
}
