package org.sparkgpugraph.algorithm.support;

import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.run.RunOptions;

/** Checks of source vertices, shared by the traversals. */
public final class Sources {
  private Sources() {}

  public static void check(ResidentGraph<?, ?> graph, long source) {
    if (!graph.containsVertex(source)) {
      throw stranger(source);
    }
  }

  /** What is said of a source that is no vertex. */
  public static IllegalArgumentException stranger(long source) {
    return new IllegalArgumentException(
        "source " + source + " is not a vertex of the graph: pass the id of one that is");
  }

  /** Options for a run on a graph that these options have loaded: its partitions are fixed. */
  public static RunOptions loaded(RunOptions options) {
    return new RunOptions(
        options.engine(), options.kernel(), null, null, options.fallback(), options.observer());
  }
}
