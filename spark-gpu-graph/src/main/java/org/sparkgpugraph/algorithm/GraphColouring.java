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
 * A colouring: a number from 0 for every vertex, another one than those of its neighbours, at most
 * as large as the largest number of neighbours that a vertex has. Edge directions, parallel edges
 * and self-loops do not count, so any graph will do.
 *
 * <p>Jones and Plassmann's algorithm (A parallel graph coloring heuristic, SIAM J. Sci. Comput.
 * 1993). Vertices {@linkplain Claim claim} their edges, with priorities that are drawn once, a hash
 * of id and seed: a vertex that comes before all its neighbours that have no colour yet takes the
 * smallest colour that none of the others has. The colouring is that of the sequential greedy
 * algorithm in the order of the priorities, so it depends on the graph and the seed alone. A round
 * is one superstep that walks all edges; there are as many as there are vertices on the longest
 * path of descending priorities (about log n where degrees are bounded, more than there are colours
 * in any case), and one for every 64 colours that a vertex finds taken. GraphX has no such
 * algorithm.
 */
public class GraphColouring {
  /** Colours that a vertex looks at in a round: a bit each. */
  private static final int WINDOW = Long.SIZE;

  /** More rounds than there are vertices and colours. */
  private static final int MOST_ROUNDS = Integer.MAX_VALUE;

  private static final int NONE = -1;

  /** Only for classes with more ways in. */
  protected GraphColouring() {}

  /**
   * A vertex between two rounds.
   *
   * @param colour −1: not known yet
   * @param tried its neighbours have all smaller colours
   */
  @DefaultSerializer(RecordSerializer.class)
  record Coloured(int colour, int tried) implements Serializable {}

  /**
   * Runs on a resident graph.
   *
   * @return the colour of each vertex, from 0
   */
  public static VertexResult<Integer> run(
      ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return steps(graph, seed, options).runVertices();
  }

  /** Tells what {@link #run(ResidentGraph, long, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return steps(graph, seed, options).explain();
  }

  private static <VD, ED> GraphSteps<VD, ED, Coloured, Integer> steps(
      ResidentGraph<VD, ED> graph, long seed, RunOptions options) {
    return GraphSteps.on(graph)
        .state((id, attribute, inDegree, outDegree) -> new Coloured(NONE, 0))
        .<Integer>result((id, attribute, vertex) -> vertex.colour())
        .repeatWhile(
            MOST_ROUNDS,
            (id, vertex) -> vertex.colour() == NONE,
            round ->
                round
                    .edgeMap(
                        edge -> {
                          if (edge.srcId() != edge.dstId()
                              && edge.srcAttr().colour() == NONE
                              && edge.dstAttr().colour() == NONE) {
                            edge.sendToSrc(claim(edge.dstId(), seed));
                            edge.sendToDst(claim(edge.srcId(), seed));
                          }
                        },
                        Claim::first,
                        Claim.NONE)
                    .edgeMap(
                        edge -> {
                          if (edge.srcAttr().colour() == NONE) {
                            edge.sendToSrc(taken(edge.dstAttr().colour(), edge.srcAttr().tried()));
                          }
                          if (edge.dstAttr().colour() == NONE) {
                            edge.sendToDst(taken(edge.srcAttr().colour(), edge.dstAttr().tried()));
                          }
                        },
                        (one, other) -> one | other,
                        0L)
                    .vertexMap(
                        (id, vertex, first, taken) -> {
                          if (vertex.colour() != NONE) {
                            return vertex;
                          }
                          if (taken == -1L) {
                            return new Coloured(NONE, vertex.tried() + WINDOW);
                          }
                          return claim(id, seed).before(first)
                              ? new Coloured(
                                  vertex.tried() + Long.numberOfTrailingZeros(~taken),
                                  vertex.tried())
                              : vertex;
                        }))
        .options(options);
  }

  private static Claim claim(long id, long seed) {
    return Claim.ofVertex(Claim.drawn(id, seed), id);
  }

  /** The bit of a neighbour's colour among those from {@code first} on; 0: it has none of them. */
  private static long taken(int colour, int first) {
    return colour >= first && colour < first + WINDOW ? 1L << (colour - first) : 0L;
  }
}
