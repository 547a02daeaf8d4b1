package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.VertexRDD;
import org.apache.spark.graphx.impl.EdgeRDDImpl;
import org.apache.spark.graphx.impl.GraphImpl;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import scala.Tuple2;
import scala.Tuple4;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * SVD++, collaborative filtering from ratings ({@code org.apache.spark.graphx.lib.SVDPlusPlus}).
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.SVDPlusPlus}, which says how it works, with GraphX
 * graphs in and out.
 */
public final class SVDPlusPlus extends org.sparkgpugraph.algorithm.SVDPlusPlus {
  /** Seed of the first vectors unless another is given. */
  public static final long SEED = org.sparkgpugraph.algorithm.SVDPlusPlus.SEED;

  /** Largest rank. */
  public static final int MAX_RANK = org.sparkgpugraph.algorithm.SVDPlusPlus.MAX_RANK;

  private SVDPlusPlus() {}

  /** As {@link org.sparkgpugraph.algorithm.SVDPlusPlus#error(RunReport)}. */
  public static double error(RunReport report) {
    return org.sparkgpugraph.algorithm.SVDPlusPlus.error(report);
  }

  /**
   * Runs on ratings, with seed {@value #SEED}.
   *
   * @param edges from users to items, with ratings
   * @return the graph of the ratings with what was learnt, and the mean of the ratings
   * @throws IllegalArgumentException when there is no rating, or one is not finite or outside of
   *     the range, or a vertex is both user and item
   */
  public static Tuple2<Graph<Tuple4<double[], double[], Double, Double>, Double>, Double> run(
      RDD<Edge<Double>> edges, Conf conf) {
    return run(edges, conf, SEED, RunOptions.DEFAULT);
  }

  /** As {@link #run(RDD, Conf)}, with a seed and options. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // the tag of Scala's Double
  public static Tuple2<Graph<Tuple4<double[], double[], Double, Double>, Double>, Double> run(
      RDD<Edge<Double>> edges, Conf conf, long seed, RunOptions options) {
    ClassTag<Double> tag = (ClassTag) ClassTag$.MODULE$.Double();
    Graph<Double, Double> graph = graph(edges, tag);
    graph.cache();
    try {
      return run(graph, conf, seed, options);
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      graph.unpersist(false);
      throw e;
    }
  }

  /** The edges of a graph of GraphX's are in its partitions already: no need to sort them again. */
  @SuppressWarnings("unchecked") // of EdgeRDD's class parameters, ED is that of RDD<Edge<ED>>
  private static Graph<Double, Double> graph(RDD<Edge<Double>> edges, ClassTag<Double> tag) {
    Double nothing = Double.valueOf(0);
    if ((Object) edges instanceof EdgeRDDImpl<?, ?> stored) {
      EdgeRDD<Double> same = (EdgeRDD<Double>) stored;
      int partitions = same.getNumPartitions();
      return GraphImpl.apply(VertexRDD.fromEdges(same, partitions, nothing, tag), same, tag, tag);
    }
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    return Graph.fromEdges(edges, nothing, level, level, tag, tag);
  }

  /** As {@link #run(RDD, Conf)}, for a graph whose edge attributes are the ratings. */
  public static Tuple2<Graph<Tuple4<double[], double[], Double, Double>, Double>, Double> run(
      Graph<?, Double> graph, Conf conf, long seed, RunOptions options) {
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Double> resident =
        GpuPregel.loadWithEdgeAttributes(graph, Object.class, Double.class, options)) {
      double mean = mean(resident, conf, loaded);
      return new Tuple2<>(
          GraphRuns.observed(
              loaded,
              observed ->
                  GraphRuns.<Tuple4<double[], double[], Double, Double>, Double>run(
                      program(GpuPregel.on(resident), conf, mean, seed, observed)),
              report -> requireNumbers(report, conf)),
          mean);
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.SVDPlusPlus#run(ResidentGraph, Conf, long, RunOptions)}.
   */
  public static Model run(
      ResidentGraph<?, Double> graph, Conf conf, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.SVDPlusPlus.run(graph, conf, seed, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.SVDPlusPlus#explain(ResidentGraph, Conf, RunOptions)}.
   */
  public static String explain(ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
    return org.sparkgpugraph.algorithm.SVDPlusPlus.explain(graph, conf, options);
  }
}
