package org.sparkgpugraph.integration;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.Pregel;
import org.apache.spark.storage.StorageLevel;
import scala.Function1;
import scala.Function2;
import scala.Function3;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A job that knows GraphX alone, for tests of transparent mode: it is packed into a jar of its own
 * and names no class but Spark's and Scala's. Writes a line "algorithm id value" for each vertex
 * and algorithm.
 */
public final class GraphXUserJob {
  private static final int VERTICES = 300;
  private static final int CIRCLE = 100;

  private GraphXUserJob() {}

  // What Scala's compiler makes of a function that is to be sent.
  private interface Program extends Function3<Object, Double, Double, Double>, Serializable {}

  private interface Send
      extends Function1<EdgeTriplet<Double, Double>, Iterator<Tuple2<Object, Double>>>,
          Serializable {}

  private interface Merge extends Function2<Double, Double, Double>, Serializable {}

  /**
   * Runs.
   *
   * @param arguments the folder to write to
   */
  public static void main(String[] arguments) {
    // Three circles with chords.
    List<Edge<Double>> edges = new ArrayList<>();
    List<Tuple2<Object, Double>> vertices = new ArrayList<>();
    for (long v = 1; v <= VERTICES; v++) {
      vertices.add(new Tuple2<>(v, v * 37 % 101 / 7.0));
      long first = (v - 1) / CIRCLE * CIRCLE + 1;
      edges.add(new Edge<>(v, v % CIRCLE == 0 ? first : v + 1, 1.0));
      edges.add(new Edge<>(v, first + v * 7 % CIRCLE, 0.25 * (v % 9 + 1)));
    }
    try (JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("user"))) {
      ClassTag<Double> doubles = ClassTag$.MODULE$.apply(Double.class);
      StorageLevel level = StorageLevel.MEMORY_ONLY();
      Graph<Double, Double> graph =
          Graph.apply(
              sc.parallelize(vertices, 3).rdd(),
              sc.parallelize(edges, 4).rdd(),
              1.0,
              level,
              level,
              doubles,
              doubles);
      List<String> lines = new ArrayList<>();
      write(lines, "ranks", graph.ops().pageRank(0.001, 0.15));
      write(lines, "components", graph.ops().connectedComponents());
      write(lines, "triangles", graph.ops().triangleCount());
      write(lines, "pregel", flows(graph, doubles));
      sc.parallelize(lines, 1).saveAsTextFile(arguments[0]);
    }
  }

  /** What flows to each vertex in at most six steps: the largest part of what a source has. */
  private static Graph<Double, Double> flows(
      Graph<Double, Double> graph, ClassTag<Double> doubles) {
    Program program = (id, flux, message) -> Math.max(flux / 2, message);
    Send send =
        edge -> {
          double part = edge.srcAttr() / (1 + edge.attr());
          return part > edge.dstAttr()
              ? Iterator$.MODULE$.single(new Tuple2<>((Object) edge.dstId(), part))
              : none();
        };
    Merge merge = (a, b) -> Math.max(a, b);
    return Pregel.apply(
        graph, 0.0, 6, EdgeDirection.Out(), program, send, merge, doubles, doubles, doubles);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an Iterator<Nothing> is one of any type
  private static <T> Iterator<T> none() {
    return (Iterator) Iterator$.MODULE$.empty();
  }

  private static void write(List<String> lines, String name, Graph<?, ?> graph) {
    List<? extends Tuple2<Object, ?>> vertices =
        new ArrayList<>(graph.vertices().toJavaRDD().collect());
    vertices.sort(Comparator.comparingLong(vertex -> (Long) vertex._1()));
    vertices.forEach(vertex -> lines.add(name + " " + vertex._1() + " " + vertex._2()));
  }
}
