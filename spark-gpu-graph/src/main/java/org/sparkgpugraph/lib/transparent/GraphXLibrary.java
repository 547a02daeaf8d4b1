package org.sparkgpugraph.lib.transparent;

import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.rdd.RDD;
import org.sparkgpugraph.adapter.transparent.GraphXCall;
import org.sparkgpugraph.adapter.transparent.LibraryCalls;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.LabelPropagation;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.SVDPlusPlus;
import org.sparkgpugraph.lib.ShortestPaths;
import org.sparkgpugraph.lib.StronglyConnectedComponents;
import org.sparkgpugraph.lib.TriangleCount;
import org.sparkgpugraph.runtime.cluster.ScalaCompat;
import scala.Option;
import scala.collection.Seq;

/**
 * GraphX's library calls. Arguments that {@code lib} refuses, such as a source that is no vertex,
 * are its exceptions; GraphX's own code runs then and says or does what it always did.
 */
public final class GraphXLibrary implements LibraryCalls {
  /** For {@link java.util.ServiceLoader}. */
  public GraphXLibrary() {}

  @Override
  @SuppressWarnings("unchecked") // the types of GraphX's method
  public Object run(GraphXCall call, String method, Object[] arguments) {
    if (call == GraphXCall.SVD_PLUS_PLUS) {
      return svd(
          (RDD<Edge<Double>>) arguments[0],
          (org.apache.spark.graphx.lib.SVDPlusPlus.Conf) arguments[1]);
    }
    Graph<Object, Object> graph = (Graph<Object, Object>) arguments[0];
    return switch (call) {
      case PAGE_RANK -> pageRank(graph, method, arguments);
      case PARALLEL_PERSONALIZED_PAGE_RANK ->
          PageRank.runParallelPersonalizedPageRank(
              graph, (Integer) arguments[1], (Double) arguments[2], (long[]) arguments[3]);
      case CONNECTED_COMPONENTS ->
          arguments[1] instanceof Integer maxIterations
              ? ConnectedComponents.run(graph, maxIterations)
              : ConnectedComponents.run(graph);
      case STRONGLY_CONNECTED_COMPONENTS ->
          StronglyConnectedComponents.run(graph, (Integer) arguments[1]);
      case SHORTEST_PATHS -> ShortestPaths.run(graph, landmarks((Seq<Object>) arguments[1]));
      case LABEL_PROPAGATION -> LabelPropagation.run(graph, (Integer) arguments[1]);
      case TRIANGLE_COUNT -> TriangleCount.run(graph);
      case PREGEL, SVD_PLUS_PLUS -> null;
    };
  }

  @SuppressWarnings("unchecked") // the types of GraphX's method
  private static Graph<Double, Double> pageRank(
      Graph<Object, Object> graph, String method, Object[] arguments) {
    double resetProb = (Double) arguments[2];
    return switch (method) {
      case "run" -> PageRank.run(graph, (Integer) arguments[1], resetProb);
      case "runWithOptions" ->
          PageRank.runWithOptions(
              graph,
              (Integer) arguments[1],
              resetProb,
              source(arguments[3]),
              !Boolean.FALSE.equals(arguments[4]));
      case "runWithOptionsWithPreviousPageRank" -> {
        boolean hasNormalized = arguments[4] instanceof Boolean;
        yield PageRank.runWithOptionsWithPreviousPageRank(
            graph,
            (Integer) arguments[1],
            resetProb,
            source(arguments[3]),
            !Boolean.FALSE.equals(arguments[4]),
            (Graph<Double, Double>) arguments[hasNormalized ? 5 : 4]);
      }
      case "runUntilConvergence" ->
          PageRank.runUntilConvergence(graph, (Double) arguments[1], resetProb);
      case "runUntilConvergenceWithOptions" ->
          PageRank.runUntilConvergenceWithOptions(
              graph, (Double) arguments[1], resetProb, source(arguments[3]));
      default -> null;
    };
  }

  private static OptionalLong source(Object option) {
    Option<?> source = (Option<?>) option;
    return source.isEmpty() ? OptionalLong.empty() : OptionalLong.of((Long) source.get());
  }

  /** Each once: in GraphX's maps a landmark that is given twice is one, too. */
  private static long[] landmarks(Seq<Object> ids) {
    Set<Object> once = new LinkedHashSet<>(ScalaCompat.asJava(ids));
    return once.stream().mapToLong(id -> (Long) id).toArray();
  }

  private static Object svd(
      RDD<Edge<Double>> edges, org.apache.spark.graphx.lib.SVDPlusPlus.Conf conf) {
    return SVDPlusPlus.run(
        edges,
        new SVDPlusPlus.Conf(
            conf.rank(),
            conf.maxIters(),
            conf.minVal(),
            conf.maxVal(),
            conf.gamma1(),
            conf.gamma2(),
            conf.gamma6(),
            conf.gamma7()));
  }
}
