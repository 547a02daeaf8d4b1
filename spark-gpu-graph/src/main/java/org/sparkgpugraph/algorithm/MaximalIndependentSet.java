package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * A maximal independent set: vertices of which no two are neighbours, and to which none can be
 * added. Edge directions, parallel edges and self-loops do not count, so any graph will do.
 *
 * <p>Luby's algorithm (1986) with priorities that are drawn once, a hash of id and seed: a vertex
 * whose priority comes before those of all its undecided neighbours joins, its neighbours are out.
 * The set is that of the sequential greedy algorithm in the order of priorities, so it depends on
 * the graph and the seed alone; in a logarithmic number of rounds with high probability (Fischer,
 * Noever: Tight analysis of parallel randomized greedy MIS, SODA 2018). A superstep evaluates the
 * edges of the vertices that a neighbour's decision reached. GraphX has no such algorithm.
 */
public class MaximalIndependentSet {
  private static final int UNDECIDED = 0;

  private static final int IN = 1;

  private static final int OUT = 2;

  /** Only for classes with more ways in. */
  protected MaximalIndependentSet() {}

  /**
   * A vertex while it runs.
   *
   * @param priority the smaller one joins
   * @param waiting number of edges to undecided neighbours that come before it
   * @param status UNDECIDED, IN or OUT
   * @param decidedAt superstep in which it was decided
   */
  @DefaultSerializer(RecordSerializer.class)
  record Member(long priority, int waiting, int status, int decidedAt) implements Serializable {}

  /**
   * What edges tell.
   *
   * @param waiting edges to wait for, less those that need not be waited for any more
   * @param excluded edges to members of the set
   */
  @DefaultSerializer(RecordSerializer.class)
  record Notice(int waiting, int excluded) implements Serializable {
    Notice plus(Notice other) {
      return new Notice(waiting + other.waiting, excluded + other.excluded);
    }
  }

  /** Runs on a resident graph. */
  public static VertexResult<Boolean> run(
      ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return program(ProgramBuilder.on(graph), seed, options).runVertices();
  }

  /** Tells what {@link #run(ResidentGraph, long, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return program(ProgramBuilder.on(graph), seed, options).explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Member, Notice, Boolean> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on, long seed, RunOptions options) {
    return on.state(
            (id, attribute, inDegree, outDegree) ->
                new Member(Mixing.mix(id, seed), 0, UNDECIDED, 0))
        .initialMessage(new Notice(0, 0))
        .activeDirection(ActiveDirection.EITHER)
        .vertexProgram(
            (id, vertex, notice, run) -> {
              if (run.superstep() == 0 || vertex.status() != UNDECIDED) {
                return vertex;
              }
              int waiting = vertex.waiting() + notice.waiting();
              int status = waiting == 0 ? IN : UNDECIDED;
              if (notice.excluded() > 0) {
                status = OUT;
              }
              return new Member(
                  vertex.priority(), waiting, status, status == UNDECIDED ? 0 : run.superstep());
            })
        .sendMessage(
            (edge, run) -> {
              Member source = edge.srcAttr();
              Member destination = edge.dstAttr();
              // Priorities are distinct, but for the two ends of a self-loop.
              if (source.priority() != destination.priority()) {
                boolean sourceFirst = source.priority() < destination.priority();
                if (run.superstep() == 1) {
                  // Also those that wait for nobody must run.
                  edge.sendToSrc(new Notice(sourceFirst ? 0 : 1, 0));
                  edge.sendToDst(new Notice(sourceFirst ? 1 : 0, 0));
                } else {
                  int before = run.superstep() - 1;
                  if (destination.status() == UNDECIDED
                      && source.decidedAt() == before
                      && (source.status() == IN || source.status() == OUT && sourceFirst)) {
                    edge.sendToDst(news(source.status()));
                  }
                  if (source.status() == UNDECIDED
                      && destination.decidedAt() == before
                      && (destination.status() == IN
                          || destination.status() == OUT && !sourceFirst)) {
                    edge.sendToSrc(news(destination.status()));
                  }
                }
              }
            })
        .mergeMessage(Notice::plus)
        // Who has no neighbours hears nothing.
        .result((id, attribute, vertex) -> vertex.status() != OUT)
        .options(options);
  }

  private static Notice news(int status) {
    return status == IN ? new Notice(0, 1) : new Notice(-1, 0);
  }
}
