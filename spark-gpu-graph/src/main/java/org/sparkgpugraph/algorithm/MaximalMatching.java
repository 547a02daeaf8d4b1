package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.GraphSteps;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Claim;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * A maximal matching: edges of which no two touch, and to which none can be added. Edge directions,
 * parallel edges and self-loops do not count, so any graph will do. It has at least half as many
 * edges as the largest one.
 *
 * <p>Edges {@linkplain Claim claim} their two ends, with priorities that are drawn once, a hash of
 * ids and seed: an edge that comes before all others at both ends is in, and its ends take no part
 * any more. The matching is that of the sequential greedy algorithm in the order of the priorities,
 * so it depends on the graph and the seed alone. In a number of rounds that is logarithmic with
 * high probability (Blelloch, Fineman, Shun: Greedy sequential maximal independent set and matching
 * are parallel on average, SPAA 2012; Fischer and Noever, SODA 2018), of two supersteps each, which
 * walk all edges. GraphX has no such algorithm.
 */
public class MaximalMatching {
  /** More rounds than a graph of any size needs. */
  private static final int MOST_ROUNDS = 1 << 29;

  /** Only for classes with more ways in. */
  protected MaximalMatching() {}

  /**
   * A vertex between two steps.
   *
   * @param partner to whom it is matched; itself: to nobody yet
   * @param owner the claim that it got in this round; none: it is matched, or has nobody to match
   */
  @DefaultSerializer(RecordSerializer.class)
  record Matched(long partner, Claim owner) implements Serializable {}

  /**
   * Runs on a resident graph.
   *
   * @return the id of each vertex's partner; its own id where it has none
   */
  public static VertexResult<Long> run(ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return steps(graph, seed, options).runVertices();
  }

  /** Tells what {@link #run(ResidentGraph, long, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return steps(graph, seed, options).explain();
  }

  private static <VD, ED> GraphSteps<VD, ED, Matched, Long> steps(
      ResidentGraph<VD, ED> graph, long seed, RunOptions options) {
    return GraphSteps.on(graph)
        .state((id, attribute, inDegree, outDegree) -> new Matched(id, Claim.NONE))
        .<Long>result((id, attribute, vertex) -> vertex.partner())
        .repeatWhile(
            MOST_ROUNDS,
            (id, vertex) -> !vertex.owner().isNone(),
            round ->
                round
                    .edgeMap(
                        edge -> {
                          long source = edge.srcId();
                          long destination = edge.dstId();
                          if (source != destination
                              && edge.srcAttr().partner() == source
                              && edge.dstAttr().partner() == destination) {
                            Claim claim =
                                Claim.ofEdge(
                                    Claim.drawn(source, destination, seed), source, destination);
                            edge.sendToSrc(claim);
                            edge.sendToDst(claim);
                          }
                        },
                        Claim::first,
                        Claim.NONE)
                    .vertexMap((id, vertex, first) -> new Matched(vertex.partner(), first))
                    .edgeMap(
                        edge -> {
                          // An edge that owns one end has lost when another owns the other one.
                          if (edge.srcAttr().owner().isOf(edge.srcId(), edge.dstId())
                              && edge.dstAttr().owner().isOf(edge.srcId(), edge.dstId())) {
                            edge.sendToSrc(true);
                            edge.sendToDst(true);
                          }
                        },
                        Boolean::logicalOr,
                        false)
                    .vertexMap(
                        (id, vertex, won) ->
                            won ? new Matched(vertex.owner().otherEnd(id), Claim.NONE) : vertex))
        .options(options);
  }
}
