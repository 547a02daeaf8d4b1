package org.sparkgpugraph.lib;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.data.GraphXTags;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.lib.support.Mixing;
import org.sparkgpugraph.lib.support.Runs;
import org.sparkgpugraph.run.RunOptions;
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
   * Refuses a graph in which an edge is there more often than its reverse; self-loops do not count.
   *
   * <p>One superstep over the in-edges: an edge u → v adds h(u, v) − h(v, u), where h draws 64 bits
   * for a pair of ids; the sum over all edges is taken modulo 2^64. An undirected graph has the sum
   * 0 whatever h is, so it is never refused; another has it as rarely as 64 random bits are 0. Two
   * more supersteps find the edge, in a graph that is refused.
   *
   * @param algorithm who needs it
   * @throws IllegalArgumentException with an edge that does not lead back
   */
  static void require(ResidentGraph<?, ?> graph, String algorithm, RunOptions options) {
    if (balance(graph, options) != 0) {
      throw new IllegalArgumentException(
          algorithm
              + " needs an undirected graph, every edge in both directions, but "
              + directed(graph, options)
              + ": pass Undirected.of(graph), or use --undirected on the command line");
    }
  }

  private static long balance(ResidentGraph<?, ?> graph, RunOptions options) {
    try (VertexResult<Long> sums =
        sums(
            graph,
            options,
            edge ->
                edge.sendToDst(
                    Mixing.mix(edge.srcId(), edge.dstId())
                        - Mixing.mix(edge.dstId(), edge.srcId())))) {
      return Runs.sum(sums);
    }
  }

  /** What each vertex is sent, added up. */
  private static <ED> VertexResult<Long> sums(
      ResidentGraph<?, ED> graph, RunOptions options, SendMessage<Long, ED, Long> send) {
    return GpuPregel.on(graph)
        .state((id, attribute, inDegree, outDegree) -> 0L)
        .everyVertex(0L)
        .maxIterations(1)
        .vertexProgram((id, before, sum) -> sum)
        .sendMessage(send)
        .mergeMessage(Long::sum)
        .options(options)
        .runVertices();
  }

  /** Names an edge that is there more often than its reverse. */
  private static String directed(ResidentGraph<?, ?> graph, RunOptions options) {
    Long one = unbalanced(graph, options);
    if (one == null) {
      return "not all edges lead back";
    }
    try (VertexResult<Long> edges = towards(graph, one, options)) {
      Long from = Runs.first(edges, count -> count > 0);
      Long to = from == null ? Runs.first(edges, count -> count < 0) : one;
      if (to == null) {
        return "not all edges of vertex " + one + " lead back";
      }
      long source = from == null ? one : from;
      return "edge " + source + " → " + to + " is there more often than " + to + " → " + source;
    }
  }

  /** The smallest vertex that has other successors than predecessors, or another number. */
  private static Long unbalanced(ResidentGraph<?, ?> graph, RunOptions options) {
    try (VertexResult<Long> balances =
        sums(
            graph,
            options,
            edge -> {
              edge.sendToDst(Mixing.mix(edge.srcId(), 1));
              edge.sendToSrc(-Mixing.mix(edge.dstId(), 1));
            })) {
      return Runs.first(balances, difference -> difference != 0);
    }
  }

  /** How many more edges each vertex has to one of them than there are back. */
  private static VertexResult<Long> towards(
      ResidentGraph<?, ?> graph, long one, RunOptions options) {
    return sums(
        graph,
        options,
        edge -> {
          if (edge.srcId() == one && edge.dstId() != one) {
            edge.sendToDst(-1L);
          }
          if (edge.dstId() == one && edge.srcId() != one) {
            edge.sendToSrc(1L);
          }
        });
  }
}
