package org.sparkgpugraph.examples;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.lib.ClusteringCoefficient;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.KCore;
import org.sparkgpugraph.lib.LabelPropagation;
import org.sparkgpugraph.lib.Louvain;
import org.sparkgpugraph.lib.MaximalIndependentSet;
import org.sparkgpugraph.lib.Modularity;
import org.sparkgpugraph.lib.StronglyConnectedComponents;
import org.sparkgpugraph.lib.TriangleCount;
import org.sparkgpugraph.lib.Undirected;
import org.sparkgpugraph.run.RunOptions;

/**
 * Who belongs together: ten groups of six friends each, in a ring where one knows one of the next.
 */
public final class FindCommunities {
  private static final int GROUPS = 10;
  private static final int FRIENDS = 6;

  private FindCommunities() {}

  /** Prints what the algorithms find. */
  public static void main(String[] args) {
    run(System.out);
    EmbeddedSpark.end(JobRunner.DONE);
  }

  static void run(PrintStream out) {
    Graph<Double, Double> graph = friends();
    RunOptions options = RunOptions.DEFAULT;
    out.println("components: " + distinct(ConnectedComponents.run(graph)));
    out.println("communities: " + distinct(LabelPropagation.run(graph, 10, options)));
    // Edges once each are undirected to it, as both directions would be.
    Graph<Long, Double> dense = Louvain.run(graph, Louvain.Conf.DEFAULT, options);
    out.printf(
        Locale.ROOT,
        "dense communities: %d of modularity %.2f%n",
        distinct(dense),
        Modularity.of(dense, 1, options));
    int triangles =
        TriangleCount.run(graph, options)
            .vertices()
            .toJavaRDD()
            .map(vertex -> (Integer) vertex._2())
            .reduce(Integer::sum);
    out.println("triangles: " + triangles / 3);
    out.println(
        "strongly connected components: "
            + distinct(StronglyConnectedComponents.run(graph, Integer.MAX_VALUE, options)));
    double clustering =
        ClusteringCoefficient.run(graph, options)
            .vertices()
            .toJavaRDD()
            .map(vertex -> (Double) vertex._2())
            .reduce(Double::sum);
    out.printf(Locale.ROOT, "mean clustering: %.2f%n", clustering / (GROUPS * FRIENDS));
    // These need every edge in both directions.
    Graph<Double, Double> both = Undirected.of(graph);
    out.println("largest core: " + largest(KCore.coreness(both, options)));
    long strangers =
        MaximalIndependentSet.run(both, 1, options)
            .vertices()
            .toJavaRDD()
            .filter(vertex -> (Boolean) vertex._2())
            .count();
    out.println("of whom none knows another: " + strangers);
  }

  private static Graph<Double, Double> friends() {
    JavaSparkContext sc =
        JavaSparkContext.fromSparkContext(EmbeddedSpark.session("FindCommunities").sparkContext());
    List<Edge<Double>> edges = new ArrayList<>();
    for (long group = 0; group < GROUPS; group++) {
      for (long one = 0; one < FRIENDS; one++) {
        for (long other = one + 1; other < FRIENDS; other++) {
          edges.add(new Edge<>(group * FRIENDS + one, group * FRIENDS + other, 1.0));
        }
      }
      edges.add(new Edge<>(group * FRIENDS, (group + 1) % GROUPS * FRIENDS + 1, 1.0));
    }
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    return Graph.fromEdges(
        sc.parallelize(edges).rdd(), 0.0, level, level, StockGraphX.DOUBLE, StockGraphX.DOUBLE);
  }

  private static long distinct(Graph<?, ?> graph) {
    return graph.vertices().toJavaRDD().map(vertex -> (Object) vertex._2()).distinct().count();
  }

  private static int largest(Graph<Integer, ?> graph) {
    return graph.vertices().toJavaRDD().map(vertex -> (Integer) vertex._2()).reduce(Math::max);
  }
}
