package org.sparkgpugraph.algorithm;

import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.intersect.Measure;
import org.sparkgpugraph.engine.intersect.SortedIntersection;
import org.sparkgpugraph.run.RunOptions;

/**
 * The local clustering coefficient of an undirected graph (Watts and Strogatz 1998): of all pairs
 * of a vertex's neighbours the share that an edge connects, {@code 2 · triangles / (d · (d − 1))},
 * and 0 below two neighbours. Directions, loops and parallel edges do not count. {@link
 * Graphalytics#lcc} is the one of directed graphs. Costs what {@link TriangleCount} does. GraphX
 * has no such algorithm.
 */
public class ClusteringCoefficient {
  protected static final SortedIntersection OPERATOR = new SortedIntersection(Measure.CLUSTERING);

  /** Only for classes with more ways in. */
  protected ClusteringCoefficient() {}

  /** Runs on a resident graph. */
  public static VertexResult<Double> run(ResidentGraph<?, ?> graph, RunOptions options) {
    return Internals.run(graph, OPERATOR, options);
  }

  /** Tells how {@link #run(ResidentGraph, RunOptions)} would run. */
  public static String explain(ResidentGraph<?, ?> graph, RunOptions options) {
    return Internals.explain(graph, OPERATOR, options);
  }
}
