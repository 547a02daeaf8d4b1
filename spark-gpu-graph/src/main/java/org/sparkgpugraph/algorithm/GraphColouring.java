package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Claim;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * A colouring: a number from 0 for every vertex, another one than those of its neighbours, at most
 * as large as the largest number of neighbours that a vertex has. Edge directions, parallel edges
 * and self-loops do not count, so any graph will do.
 *
 * <p>Jones and Plassmann's algorithm (A parallel graph coloring heuristic, SIAM J. Sci. Comput.
 * 1993) in the order of largest log-degree first (Hasenplaugh and others: Ordering heuristics for
 * parallel graph coloring, SPAA 2014), which keeps colours few and chains of waiting vertices
 * short. Vertices {@linkplain Claim claim} their edges; their priority is the logarithm of their
 * degree (edges in and out), rounded down, the larger first, then a hash of id and seed. A vertex
 * acts when all its edges to vertices without a colour are its own: it takes the smallest colour
 * that no neighbour has. It counts the edges that it has lost, and those who took them from it give
 * them back when they have a colour, with that colour. The colouring is that of the sequential
 * greedy algorithm in the order of the priorities, so it depends on the graph and the seed alone.
 *
 * <p>A superstep evaluates the edges of the vertices that have just got a colour, so each edge is
 * looked at a few times in all. There are as many supersteps as vertices on the longest path of
 * descending priorities: about log n where degrees are bounded, and at least as many as colours.
 * Who finds 64 colours taken asks its neighbours for the next 64, a superstep each. GraphX has no
 * such algorithm.
 */
public class GraphColouring {
  /** Colours of which a vertex knows whether they are taken, a bit each. */
  private static final int WINDOW = Long.SIZE;

  /** Bits of a priority that are drawn. */
  private static final int DRAWN_BITS = 56;

  private static final int NONE = -1;

  /** Only for classes with more ways in. */
  protected GraphColouring() {}

  /**
   * A vertex while it runs.
   *
   * @param priority the smaller one comes first
   * @param waiting number of edges to vertices without a colour that come before it
   * @param taken which of the colours from {@code first} on neighbours have, a bit each
   * @param first the neighbours have all smaller colours
   * @param colour −1: not known yet
   * @param at superstep in which it got the colour, or began to look at other ones
   */
  @DefaultSerializer(RecordSerializer.class)
  record Coloured(long priority, int waiting, long taken, int first, int colour, int at)
      implements Serializable {}

  /**
   * What edges tell.
   *
   * @param waiting edges to wait for, less those that need not be waited for any more
   * @param taken colours that neighbours have
   */
  @DefaultSerializer(RecordSerializer.class)
  record Notice(int waiting, long taken) implements Serializable {
    Notice plus(Notice other) {
      return new Notice(waiting + other.waiting, taken | other.taken);
    }
  }

  /**
   * Runs on a resident graph.
   *
   * @return the colour of each vertex, from 0
   */
  public static VertexResult<Integer> run(
      ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return program(ProgramBuilder.on(graph), seed, options).runVertices();
  }

  /** Tells what {@link #run(ResidentGraph, long, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return program(ProgramBuilder.on(graph), seed, options).explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Coloured, Notice, Integer> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on, long seed, RunOptions options) {
    return on.state(
            (id, attribute, inDegree, outDegree) ->
                new Coloured(priority(id, inDegree + outDegree, seed), 0, 0L, 0, NONE, 0))
        .initialMessage(new Notice(0, 0L))
        .activeDirection(ActiveDirection.EITHER)
        .activeWhen((id, before, after) -> after.at() != before.at())
        .vertexProgram(
            (id, vertex, notice, run) -> {
              if (run.superstep() == 0 || vertex.colour() != NONE) {
                return vertex;
              }
              int waiting = vertex.waiting() + notice.waiting();
              long taken = vertex.taken() | notice.taken();
              int first = vertex.first();
              if (waiting > 0) {
                return new Coloured(vertex.priority(), waiting, taken, first, NONE, vertex.at());
              }
              return taken == -1L
                  ? new Coloured(vertex.priority(), 0, 0L, first + WINDOW, NONE, run.superstep())
                  : new Coloured(
                      vertex.priority(),
                      0,
                      taken,
                      first,
                      first + Long.numberOfTrailingZeros(~taken),
                      run.superstep());
            })
        .sendMessage(
            (edge, run) -> {
              if (edge.srcId() != edge.dstId()) {
                Coloured source = edge.srcAttr();
                Coloured destination = edge.dstAttr();
                boolean sourceFirst =
                    Claim.ofVertex(source.priority(), edge.srcId())
                        .before(Claim.ofVertex(destination.priority(), edge.dstId()));
                if (run.superstep() == 1) {
                  // Also those that wait for nobody must run.
                  edge.sendToSrc(new Notice(sourceFirst ? 0 : 1, 0L));
                  edge.sendToDst(new Notice(sourceFirst ? 1 : 0, 0L));
                } else {
                  int before = run.superstep() - 1;
                  if (destination.colour() == NONE) {
                    if (source.colour() != NONE && source.at() == before && sourceFirst) {
                      edge.sendToDst(new Notice(-1, bit(source.colour(), destination.first())));
                    } else if (destination.at() == before) {
                      edge.sendToDst(new Notice(0, bit(source.colour(), destination.first())));
                    }
                  }
                  if (source.colour() == NONE) {
                    if (destination.colour() != NONE
                        && destination.at() == before
                        && !sourceFirst) {
                      edge.sendToSrc(new Notice(-1, bit(destination.colour(), source.first())));
                    } else if (source.at() == before) {
                      edge.sendToSrc(new Notice(0, bit(destination.colour(), source.first())));
                    }
                  }
                }
              }
            })
        .mergeMessage(Notice::plus)
        // Who has no neighbours hears nothing.
        .result((id, attribute, vertex) -> Math.max(0, vertex.colour()))
        .options(options);
  }

  /**
   * The priority of a vertex.
   *
   * @param degree number of its edges, in and out
   */
  private static long priority(long id, int degree, long seed) {
    long degrees = Integer.numberOfLeadingZeros(degree);
    return degrees << DRAWN_BITS | Mixing.mix(id, seed) >>> Long.SIZE - DRAWN_BITS;
  }

  /** The bit of a colour among those from {@code first} on; 0: it is none of them. */
  private static long bit(int colour, int first) {
    return colour >= first && colour < first + WINDOW ? 1L << (colour - first) : 0L;
  }
}
