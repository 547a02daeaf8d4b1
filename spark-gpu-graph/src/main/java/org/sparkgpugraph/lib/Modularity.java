package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.run.RunOptions;

/**
 * How much denser communities are than chance would have them, with a resolution γ.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.Modularity}, which says how it works, with GraphX
 * graphs in and out.
 */
public final class Modularity extends org.sparkgpugraph.algorithm.Modularity {
  private Modularity() {}

  /**
   * Modularity of the communities that vertex attributes name; every edge counts 1.
   *
   * @param graph a result of {@link Louvain#run}, or of another algorithm that gives communities
   * @param gamma the resolution; 1 is usual
   * @throws IllegalArgumentException when gamma is not positive
   */
  public static double of(Graph<Long, ?> graph, double gamma, RunOptions options) {
    Checks.resolution(gamma);
    try (ResidentGraph<Long, Object> resident =
        GpuPregel.load(graph, Long.class, Object.class, options)) {
      return of(resident, gamma, Sources.loaded(options));
    }
  }

  /**
   * As above, where edge attributes are weights.
   *
   * @throws IllegalArgumentException when gamma is not positive, or a weight is negative, NaN or
   *     infinite, or the sum of all is too large for a Double
   */
  public static double ofWeighted(Graph<Long, Double> graph, double gamma, RunOptions options) {
    Checks.resolution(gamma);
    try (ResidentGraph<Long, Double> resident =
        GpuPregel.loadWithEdgeAttributes(graph, Long.class, Double.class, options)) {
      return ofWeighted(resident, gamma, Sources.loaded(options));
    }
  }

  /** As {@link org.sparkgpugraph.algorithm.Modularity#of(ResidentGraph, double, RunOptions)}. */
  public static double of(ResidentGraph<Long, ?> graph, double gamma, RunOptions options) {
    return org.sparkgpugraph.algorithm.Modularity.of(graph, gamma, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Modularity#ofWeighted(ResidentGraph, double,
   * RunOptions)}.
   */
  public static double ofWeighted(
      ResidentGraph<Long, Double> graph, double gamma, RunOptions options) {
    return org.sparkgpugraph.algorithm.Modularity.ofWeighted(graph, gamma, options);
  }
}
