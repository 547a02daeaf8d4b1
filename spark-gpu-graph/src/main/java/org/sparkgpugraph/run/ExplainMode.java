package org.sparkgpugraph.run;

/** What is logged of a program or an operator before it runs ({@code spark.gpugraph.explain}). */
public enum ExplainMode {
  /** Nothing but the reasons of a fallback. */
  NONE,
  /** The whole text of {@code explain()}, and a table of all calls when the application ends. */
  ALL,
  /** All that, and the CUDA source that is generated from the program. */
  SOURCE
}
