package org.sparkgpugraph.algorithm;

import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.AggregateAtMost;
import org.sparkgpugraph.run.RunOptions;

/**
 * Communities by label propagation ({@code org.apache.spark.graphx.lib.LabelPropagation}; Raghavan,
 * Albert, Kumara: Near linear time algorithm to detect community structures in large-scale
 * networks, Physical Review E 76, 2007). A vertex starts with its own id as its label; in a step
 * all vertices take, at the same time, the label that is most frequent among their neighbours:
 *
 * <pre>{@code label'(v) = the l with the largest |{edges (u, v) or (v, u) : label(u) = l}|}</pre>
 *
 * <p>Edges count in both directions and each for itself: parallel ones, a pair of opposite ones
 * (twice), a loop (twice). Of several labels that are equally frequent the smallest is taken, so
 * the result is the same every time; GraphX takes the one that comes first in the order of a hash
 * map. Without a tie the results are GraphX's. A vertex without edges keeps its id.
 *
 * <p>A step evaluates all edges in both directions, and needs room for the counts of the longest
 * rows alone ({@link ProgramBuilder#mergeMode()}). Steps after one that changed no label are left
 * out: they would change none. Not every graph comes to that: on a bipartite one, two labels may
 * change sides for ever.
 */
public class LabelPropagation {
  private static final String CHANGED = "changed";

  /** Only for classes with more ways in. */
  protected LabelPropagation() {}

  /**
   * Runs on a resident graph.
   *
   * @throws IllegalArgumentException when {@code maxSteps} is not positive
   */
  public static VertexResult<Long> run(
      ResidentGraph<?, ?> graph, int maxSteps, RunOptions options) {
    return program(ProgramBuilder.on(graph), maxSteps, options).runVertices();
  }

  /** Tells what a run on a resident graph would do ({@link ProgramBuilder#explain}). */
  public static String explain(ResidentGraph<?, ?> graph, int maxSteps, RunOptions options) {
    return program(ProgramBuilder.on(graph), maxSteps, options).explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Long, Long, Long> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on, int maxSteps, RunOptions options) {
    if (maxSteps <= 0) {
      throw new IllegalArgumentException(
          "Maximum of steps must be greater than 0, but got " + maxSteps);
    }
    return on.state((id, attribute, inDegree, outDegree) -> id)
        .initialMessage(0L)
        .activeDirection(ActiveDirection.EITHER)
        .maxIterations(maxSteps)
        .vertexProgram((id, label, message, run) -> run.superstep() == 0 ? label : message)
        .sendMessage(
            edge -> {
              edge.sendToDst(edge.srcAttr());
              edge.sendToSrc(edge.dstAttr());
            })
        .mergeMode()
        .aggregate(
            CHANGED,
            AggregateOperation.SUM,
            (id, before, after) -> before.longValue() == after.longValue() ? 0.0 : 1.0)
        .stopWhen(new AggregateAtMost(CHANGED, 0, 1, 1))
        .options(options);
  }
}
