package org.sparkgpugraph.algorithm;

import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;

/**
 * Breadth-first search: the number of edges on the shortest directed path from the source to every
 * vertex, {@code level(v) = min(level(u) + 1)} over the in-edges and 0 for the source; −1 where
 * there is no path. One superstep a level, each evaluating the out-edges of the level (Moore: The
 * shortest path through a maze, 1959). GraphX has no such algorithm; {@link ShortestPaths}, which
 * it has, goes along the edges backwards.
 */
public class Bfs {
  private static final int UNREACHED = Integer.MAX_VALUE;

  /** Only for classes with more ways in. */
  protected Bfs() {}

  /**
   * Runs on a resident graph.
   *
   * @param source id of the source
   * @throws IllegalArgumentException when the source is not a vertex
   */
  public static VertexResult<Integer> run(
      ResidentGraph<?, ?> graph, long source, RunOptions options) {
    return run(graph, source, Integer.MAX_VALUE, options);
  }

  /** As above, at most {@code maxIterations} supersteps. */
  public static VertexResult<Integer> run(
      ResidentGraph<?, ?> graph, long source, int maxIterations, RunOptions options) {
    Sources.check(graph, source);
    return program(ProgramBuilder.on(graph), source, maxIterations, options).runVertices();
  }

  /** Tells what a run on a resident graph would do ({@link ProgramBuilder#explain}). */
  public static String explain(
      ResidentGraph<?, ?> graph, long source, int maxIterations, RunOptions options) {
    Sources.check(graph, source);
    return program(ProgramBuilder.on(graph), source, maxIterations, options).explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Integer, Integer, Integer> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on,
      long source,
      int maxIterations,
      RunOptions options) {
    return on.state((id, attribute, inDegree, outDegree) -> id == source ? 0 : UNREACHED)
        .result((id, attribute, level) -> level == UNREACHED ? -1 : level)
        .initialMessage(UNREACHED)
        .activeDirection(ActiveDirection.OUT)
        .maxIterations(maxIterations)
        .vertexProgram((id, level, message) -> Math.min(level, message))
        .sendMessage(
            edge -> {
              // The source of superstep 0 is any vertex: one that is not reached has nothing to
              // say.
              if (edge.srcAttr() != UNREACHED && edge.srcAttr() + 1 < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + 1);
              }
            })
        .mergeMessage(Math::min)
        .monotone()
        .options(options);
  }
}
