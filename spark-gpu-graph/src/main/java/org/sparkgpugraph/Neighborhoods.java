package org.sparkgpugraph;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.engine.intersect.Measure;
import org.sparkgpugraph.engine.intersect.SortedIntersection;
import org.sparkgpugraph.run.Neighborhood;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;

/**
 * Intersects the neighbourhoods of the ends of every edge: for each vertex how many neighbours it
 * has and what edges there are among them ({@link Neighborhood}). What triangle counts, clustering
 * coefficients and measures like them are made of, where no merged message would do.
 *
 * <pre>{@code
 * try (VertexResult<Neighborhood> result = Neighborhoods.run(graph, RunOptions.DEFAULT)) {
 *   JavaPairRDD<Long, Double> transitive =
 *       result.toPairs().mapValues(n -> n.degree() < 2 ? 0.0 : 1.0 * n.triangles() / n.degree());
 * }
 * }</pre>
 *
 * <p>It is an operator, not a vertex program: the edges are brought into rows that name each edge
 * once, at its end of the smaller degree, and the rows of the two ends of each edge are intersected
 * ({@link SortedIntersection}), on the CPU's cores or a GPU, and over several executors.
 */
public final class Neighborhoods {
  private static final SortedIntersection OPERATOR = new SortedIntersection(Measure.NEIGHBORHOOD);

  private Neighborhoods() {}

  /** Runs on a GraphX graph, which is neither changed nor unpersisted. */
  public static <ED> Graph<Neighborhood, ED> run(Graph<?, ED> graph, RunOptions options) {
    return GraphXRuns.run(
        OperatorJob.on(GraphXSource.of(graph, Object.class, Object.class), OPERATOR, options));
  }

  /** Runs on a resident graph and leaves the result with the executors. */
  public static VertexResult<Neighborhood> run(ResidentGraph<?, ?> graph, RunOptions options) {
    return new VertexResult<>(OperatorJob.on(graph.view(), OPERATOR, options).runVertices());
  }

  /** Tells how {@link #run(ResidentGraph, RunOptions)} would run. */
  public static String explain(ResidentGraph<?, ?> graph, RunOptions options) {
    return OperatorJob.on(graph.view(), OPERATOR, options).explain();
  }
}
