package org.sparkgpugraph.lib;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.adapter.data.GraphXTags;
import scala.Tuple2;
import scala.reflect.ClassTag;

/**
 * Undirected graphs: those that have every edge in both directions. Algorithms that need one check
 * it, and name {@link #of} when it is not.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.Undirected}, which says how it works, with GraphX
 * graphs in and out.
 */
public final class Undirected extends org.sparkgpugraph.algorithm.Undirected {
  private Undirected() {}

  /**
   * The simple undirected graph of a graph: self-loops and parallel edges are left out, and every
   * edge is there in both directions, with the attribute of one of those that it stands for. One
   * shuffle of the edges.
   */
  @SuppressWarnings("unchecked") // class tags of the graph itself
  public static <VD, ED> Graph<VD, ED> of(Graph<VD, ED> graph) {
    ClassTag<ED> edgeTag = (ClassTag<ED>) GraphXTags.edge(graph);
    JavaPairRDD<Tuple2<Long, Long>, ED> simple =
        graph
            .edges()
            .toJavaRDD()
            .filter(edge -> edge.srcId() != edge.dstId())
            .mapToPair(
                edge ->
                    new Tuple2<>(
                        new Tuple2<>(
                            Math.min(edge.srcId(), edge.dstId()),
                            Math.max(edge.srcId(), edge.dstId())),
                        edge.attr()))
            .reduceByKey((first, second) -> first);
    JavaRDD<Edge<ED>> both = simple.flatMap(Undirected::both);
    return Graph.apply(
        graph.vertices(),
        both.rdd(),
        null,
        StorageLevel.MEMORY_ONLY(),
        StorageLevel.MEMORY_ONLY(),
        graph.vertices().vdTag(),
        edgeTag);
  }

  private static <ED> Iterator<Edge<ED>> both(Tuple2<Tuple2<Long, Long>, ED> pair) {
    long one = pair._1()._1();
    long other = pair._1()._2();
    return Arrays.asList(new Edge<>(one, other, pair._2()), new Edge<>(other, one, pair._2()))
        .iterator();
  }
}
