package org.sparkgpugraph.algorithm;

import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.algorithm.support.Runs;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.run.RunOptions;

/**
 * Undirected graphs: those that have every edge in both directions. Algorithms that need one check
 * it, and name {@code lib.Undirected.of} when it is not.
 */
public class Undirected {
  /** Only for classes with more ways in. */
  protected Undirected() {}

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
  public static void require(ResidentGraph<?, ?> graph, String algorithm, RunOptions options) {
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
    return ProgramBuilder.on(graph)
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
