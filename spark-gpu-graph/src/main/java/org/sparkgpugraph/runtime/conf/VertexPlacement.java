package org.sparkgpugraph.runtime.conf;

/** Which of several executors hold which vertices. */
public enum VertexPlacement {
  /** Ranges of ids with about equal numbers of edges. */
  RANGES,
  /** Vertices that talk sit together, where that spares updates. */
  NEIGHBOURS
}
