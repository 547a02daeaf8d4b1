package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A small graph in the driver's memory.
 *
 * @param name shape and seed, for messages
 * @param ids vertex ids, no two equal
 * @param attributes one per vertex
 * @param sources source id per edge
 * @param destinations destination id per edge
 * @param edgeAttributes one per edge
 * @param <VD> vertex attribute
 * @param <ED> edge attribute
 */
public record TestGraph<VD, ED>(
    String name,
    long[] ids,
    List<VD> attributes,
    long[] sources,
    long[] destinations,
    List<ED> edgeAttributes) {

  /** A ring with chords that end in every sixth vertex; values are the ids. */
  public static TestGraph<Integer, Double> ring(int size, double weight) {
    long[] sources = LongStream.range(0, 2L * size).map(e -> e % size).toArray();
    long[] destinations =
        LongStream.range(0, 2L * size)
            .map(e -> (e < size ? e + 1 : e % size * 6 + 3) % size)
            .toArray();
    return new TestGraph<>(
        "ring",
        LongStream.range(0, size).toArray(),
        IntStream.range(0, size).boxed().toList(),
        sources,
        destinations,
        Collections.nCopies(2 * size, weight));
  }

  /**
   * Vertices 0 to {@code vertices} − 1, whose attributes are 0.
   *
   * @param edges source, destination, and weight where it is not 1
   */
  public static TestGraph<Double, Double> ofEdges(String name, int vertices, List<int[]> edges) {
    return new TestGraph<>(
        name,
        LongStream.range(0, vertices).toArray(),
        Collections.nCopies(vertices, 0.0),
        edges.stream().mapToLong(edge -> edge[0]).toArray(),
        edges.stream().mapToLong(edge -> edge[1]).toArray(),
        edges.stream().map(edge -> edge.length > 2 ? (double) edge[2] : 1.0).toList());
  }

  /** The same structure with attributes drawn from {@code random}. */
  public <V, E> TestGraph<V, E> withAttributes(
      Random random, Function<Random, V> vertex, Function<Random, E> edge) {
    List<V> vertices = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      vertices.add(vertex.apply(random));
    }
    List<E> edges = new ArrayList<>();
    for (int i = 0; i < sources.length; i++) {
      edges.add(edge.apply(random));
    }
    return new TestGraph<>(name, ids, vertices, sources, destinations, edges);
  }

  public int vertexCount() {
    return ids.length;
  }

  public int edgeCount() {
    return sources.length;
  }

  /** The graph in GraphX, in {@code partitions} edge and vertex partitions. */
  public Graph<VD, ED> toGraphx(
      JavaSparkContext context, int partitions, Class<VD> vertexType, Class<ED> edgeType) {
    List<Tuple2<Object, VD>> vertices = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      vertices.add(new Tuple2<>(ids[i], attributes.get(i)));
    }
    List<Edge<ED>> edges = new ArrayList<>();
    for (int i = 0; i < sources.length; i++) {
      edges.add(new Edge<>(sources[i], destinations[i], edgeAttributes.get(i)));
    }
    ClassTag<VD> vertexTag = ClassTag$.MODULE$.apply(vertexType);
    ClassTag<ED> edgeTag = ClassTag$.MODULE$.apply(edgeType);
    return Graph.apply(
        context.parallelize(vertices, partitions).rdd(),
        context.parallelize(edges, partitions).rdd(),
        null,
        StorageLevel.MEMORY_ONLY(),
        StorageLevel.MEMORY_ONLY(),
        vertexTag,
        edgeTag);
  }

  /** Vertices and edges, for a failure message. */
  public String describe() {
    StringBuilder text = new StringBuilder(name).append(": vertices ");
    for (int i = 0; i < ids.length; i++) {
      text.append(ids[i]).append('=').append(attributes.get(i)).append(' ');
    }
    text.append("edges ");
    for (int i = 0; i < sources.length; i++) {
      text.append(sources[i])
          .append("->")
          .append(destinations[i])
          .append('[')
          .append(edgeAttributes.get(i))
          .append("] ");
    }
    return text.toString();
  }
}
