package org.sparkgpugraph.algorithm.support;

import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.run.RunOptions;

/** What algorithms share that begin at some vertices. */
public final class Sources {
  /** Numbers that one array of all vertices has at most in a run: 2 GiB of doubles. */
  private static final long NUMBERS = 1L << 28;

  /** Sources that share a run on the largest graphs. */
  private static final int LEAST = 8;

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

  /**
   * Of how many sources a run takes the numbers of every vertex, where all sources need not be in
   * one: as many as come to 2^28 numbers, since a few such arrays are in memory, but 8 at least.
   *
   * @param most that a run can take
   */
  public static int perRun(ResidentGraph<?, ?> graph, int most) {
    long fitting = NUMBERS / Math.max(1, graph.vertexCount());
    return (int) Math.min(most, Math.max(LEAST, fitting));
  }
}
