package org.sparkgpugraph.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.lib.LabelPropagation;
import org.apache.spark.graphx.lib.SVDPlusPlus;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;
import scala.Tuple4;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A job that knows GraphX alone, with the three algorithms that transparent mode leaves to GraphX
 * unless their keys are true. What it prints holds for any right implementation of them.
 */
public final class OffByDefaultJob {
  private static final int CLIQUES = 3;
  private static final int SIZE = 10;

  private OffByDefaultJob() {}

  /** Runs. */
  public static void main(String[] arguments) {
    try (JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("user"))) {
      Graph<Double, Double> graph = cliques(sc);
      ranks(graph);
      labels(graph);
      ratings(sc);
    }
  }

  /** Cliques without an edge between them. */
  private static Graph<Double, Double> cliques(JavaSparkContext sc) {
    List<Edge<Double>> edges = new ArrayList<>();
    for (long first = 1; first <= CLIQUES * SIZE; first += SIZE) {
      for (long a = first; a < first + SIZE; a++) {
        for (long b = first; b < first + SIZE; b++) {
          if (a != b) {
            edges.add(new Edge<>(a, b, 1.0));
          }
        }
      }
    }
    ClassTag<Double> tag = ClassTag$.MODULE$.apply(Double.class);
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    return Graph.fromEdges(sc.parallelize(edges, 2).rdd(), 1.0, level, level, tag, tag);
  }

  private static void ranks(Graph<Double, Double> graph) {
    long[] sources = {1, SIZE + 1};
    List<Tuple2<Object, Vector>> vertices =
        graph
            .ops()
            .staticParallelPersonalizedPageRank(sources, 5, 0.15)
            .vertices()
            .toJavaRDD()
            .collect();
    boolean right = true;
    for (Tuple2<Object, Vector> vertex : vertices) {
      long clique = ((Long) vertex._1() - 1) / SIZE;
      for (int i = 0; i < sources.length; i++) {
        right &= vertex._2().apply(i) > 0 == (clique == i);
      }
    }
    System.out.println(
        vertices.size() + " ranks, above zero in the clique of the source alone: " + right);
  }

  private static void labels(Graph<Double, Double> graph) {
    Map<Long, Integer> sizes = new TreeMap<>();
    ClassTag<Double> tag = ClassTag$.MODULE$.apply(Double.class);
    // A label may be any of the clique's: it is counted by the clique that it is of.
    for (Tuple2<Object, Object> vertex :
        LabelPropagation.run(graph, 10, tag).vertices().toJavaRDD().collect()) {
      long own = ((Long) vertex._1() - 1) / SIZE;
      long of = ((Long) vertex._2() - 1) / SIZE;
      sizes.merge(own == of ? own * SIZE + 1 : -1, 1, Integer::sum);
    }
    System.out.println("labels: " + sizes);
  }

  /** Users above, items below; a rating is what both are about. */
  private static void ratings(JavaSparkContext sc) {
    List<Edge<Object>> edges = new ArrayList<>();
    for (long user = 1; user <= 20; user++) {
      for (long item = 101; item <= 115; item++) {
        if ((user + item) % 3 != 0) {
          edges.add(new Edge<>(user, item, (Object) (user % 2 == item % 2 ? 4.0 : 2.0)));
        }
      }
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    RDD<Edge<Object>> rdd = (RDD) sc.parallelize(edges, 2).rdd();
    SVDPlusPlus.Conf conf = new SVDPlusPlus.Conf(5, 20, 0.0, 5.0, 0.007, 0.007, 0.005, 0.015);
    Tuple2<Graph<Tuple4<double[], double[], Object, Object>, Object>, Object> model =
        SVDPlusPlus.run(rdd, conf);
    double sum = 0;
    for (Tuple2<Object, Tuple4<double[], double[], Object, Object>> vertex :
        model._1().vertices().toJavaRDD().collect()) {
      if ((Long) vertex._1() > 100) {
        sum += (Double) vertex._2()._4();
      }
    }
    System.out.println("errors of ratings: " + (sum / edges.size() < 1.5 ? "small" : "" + sum));
  }
}
