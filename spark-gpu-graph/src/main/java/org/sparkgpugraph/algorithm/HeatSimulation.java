package org.sparkgpugraph.algorithm;

import java.util.List;
import java.util.Locale;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Observed;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Heat that flows along edges (HS): {@code q(v) ← q(v) + Σ c(u, v) · (q(u) − q(v))} over the
 * in-edges, one explicit Euler step of the heat equation per superstep; c is an edge's conductance
 * times the length of the step. Heat is kept where every edge has a reverse of the same
 * conductance. It is stable where the conductances into each vertex add up to at most 1; where it
 * is not, and heats grow until one is too large for a Double, or a thousandfold over 16 steps or
 * more, that is an error with the vertex whose conductances are the largest.
 *
 * <p>Every superstep evaluates all edges, until no vertex changes by more than the tolerance: heat
 * depends on the vertex's own, so one whose neighbours rest may still change, and heat would be
 * lost if it were left out. The HS benchmark of Khorasani's dissertation (2016) names the update
 * predicate; the formula is the usual one, since it prints none. GraphX has no such algorithm.
 */
public class HeatSimulation {
  private static final String CHANGED = "changed";

  private static final String PEAK = "peak";

  /** Index of {@link #PEAK} among the aggregates. */
  private static final int PEAK_INDEX = 1;

  /** A run whose heats have grown by less may yet settle. */
  private static final double MUCH = 1000;

  protected static final Weights CONDUCTANCES =
      Weights.finite("conductance", "heat needs finite conductances of 0 or more");

  /** Only for classes with more ways in. */
  protected HeatSimulation() {}

  protected static boolean isUnstable(RunReport report) {
    if (Observed.growth(report, PEAK_INDEX) == 0) {
      return false;
    }
    List<SuperstepStats> steps = report.summary().supersteps();
    double first = steps.get(1).aggregates()[PEAK_INDEX];
    double last = steps.get(steps.size() - 1).aggregates()[PEAK_INDEX];
    return !(last < MUCH * first);
  }

  protected static IllegalArgumentException unstable(ResidentGraph<?, Double> graph) {
    Weights.Sum most = Weights.largestOfInEdges(graph);
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "heats grow without end: the conductances of vertex %d's in-edges add up to %.6g, but"
                + " steps are stable where they add up to 1 at most; multiply all conductances by"
                + " %.2g or less, which makes steps shorter, and take more of them",
            most.vertex(),
            most.sum(),
            1 / most.sum()));
  }

  /**
   * Runs on a resident graph.
   *
   * @param graph vertex attributes are the first heats, edge values the conductances
   * @param tolerance 0 or more
   * @param maxIterations bound on the steps, at least 1
   * @throws IllegalArgumentException when a conductance is negative, NaN or infinite, or heats grow
   *     without end
   */
  public static VertexResult<Double> run(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return Observed.checked(
        CONDUCTANCES.checked(
            graph,
            () ->
                program(ProgramBuilder.on(graph), tolerance, maxIterations, options).runVertices()),
        report -> {
          if (isUnstable(report)) {
            throw unstable(graph);
          }
        });
  }

  /** Tells what a run on a resident graph would do. */
  public static String explain(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return program(ProgramBuilder.on(graph), tolerance, maxIterations, options).explain();
  }

  protected static ProgramBuilder<Double, Double, Double, Double, Double> program(
      ProgramBuilder<Double, Double, Double, Object, Double> on,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    Checks.tolerance(tolerance);
    return on.everyVertex(0.0)
        .maxIterations(maxIterations)
        .aggregate(
            CHANGED,
            AggregateOperation.SUM,
            (id, before, after) -> Math.abs(after - before) > tolerance ? 1.0 : 0.0)
        .aggregate(PEAK, AggregateOperation.MAX, (id, before, after) -> Math.abs(after))
        .stopWhen(run -> run.aggregate(CHANGED) == 0 || !(run.aggregate(PEAK) <= Double.MAX_VALUE))
        .vertexProgram((id, heat, flow) -> heat + flow)
        .sendMessage(
            edge -> {
              if (!(edge.attr() >= 0 && edge.attr() <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException(
                    "a conductance "
                        + Weights.FAULT_IF_FINITE
                        + ": heat needs finite ones of 0 or more");
              }
              edge.sendToDst(edge.attr() * (edge.srcAttr() - edge.dstAttr()));
            })
        .mergeMessage(Double::sum)
        .options(options);
  }
}
