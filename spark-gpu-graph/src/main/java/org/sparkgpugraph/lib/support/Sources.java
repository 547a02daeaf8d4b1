package org.sparkgpugraph.lib.support;

import org.apache.spark.graphx.Graph;
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

  /** As above, by a look at the vertices of a graph that is not loaded. */
  public static void check(Graph<?, ?> graph, long source) {
    if (graph.vertices().toJavaRDD().filter(vertex -> source == (long) vertex._1()).isEmpty()) {
      throw stranger(source);
    }
  }

  private static IllegalArgumentException stranger(long source) {
    return new IllegalArgumentException(
        "source " + source + " is not a vertex of the graph: pass the id of one that is");
  }

  /** Options for a run on a graph that these options have loaded: its partitions are fixed. */
  public static RunOptions loaded(RunOptions options) {
    return new RunOptions(
        options.engine(), options.kernel(), null, null, options.fallback(), options.observer());
  }
}
