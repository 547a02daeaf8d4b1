package io.sparkgpugraph.lib;

import io.sparkgpugraph.GpuPregel;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.graph.graphx.GraphXTags;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;
import scala.reflect.ClassTag;

/**
 * Undirected graphs: those that have every edge in both directions. Algorithms that need one check
 * it, and name {@link #of} when it is not.
 */
public final class Undirected {
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

  /**
   * Refuses a graph that lacks the reverse of an edge. One superstep over all edges: each vertex
   * adds up numbers drawn for its predecessors and takes away those of its successors; what is left
   * is 0 unless they differ (or 64 random bits happen to be).
   *
   * @param algorithm who needs it
   * @throws IllegalArgumentException with a vertex where an edge does not lead back
   */
  static void require(ResidentGraph<?, ?> graph, String algorithm, RunOptions options) {
    try (VertexResult<Long> balance =
        GpuPregel.on(graph)
            .state((id, attribute, inDegree, outDegree) -> 0L)
            .everyVertex(0L)
            .maxIterations(1)
            .vertexProgram((id, before, difference) -> difference)
            .sendMessage(
                edge -> {
                  edge.sendToDst(Mixing.mix(edge.srcId(), 1));
                  edge.sendToSrc(-Mixing.mix(edge.dstId(), 1));
                })
            .mergeMessage(Long::sum)
            .options(options)
            .runVertices()) {
      Long vertex = Runs.firstNonZero(balance);
      if (vertex != null) {
        throw new IllegalArgumentException(
            algorithm
                + " needs an undirected graph, every edge in both directions, but not all edges of"
                + " vertex "
                + vertex
                + " lead back: pass Undirected.of(graph), or use --undirected on the command line");
      }
    }
  }
}
