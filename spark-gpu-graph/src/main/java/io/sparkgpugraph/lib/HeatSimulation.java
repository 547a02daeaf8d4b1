package io.sparkgpugraph.lib;

import io.sparkgpugraph.GpuPregel;
import io.sparkgpugraph.PregelBuilder;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.program.Aggregate;
import org.apache.spark.graphx.Graph;

/**
 * Heat that flows along edges (HS): {@code q(v) ← q(v) + Σ c(u, v) · (q(u) − q(v))} over the
 * in-edges, one explicit Euler step of the heat equation per superstep; c is an edge's conductance
 * times the length of the step. Heat is kept where every edge has a reverse of the same
 * conductance. It is stable where the conductances into each vertex add up to at most 1.
 *
 * <p>Every superstep evaluates all edges, until no vertex changes by more than the tolerance: heat
 * depends on the vertex's own, so one whose neighbours rest may still change, and heat would be
 * lost if it were left out. The HS benchmark of Khorasani's dissertation (2016) names the update
 * predicate; the formula is the usual one, since it prints none. GraphX has no such algorithm.
 */
public final class HeatSimulation {
  private static final String CHANGED = "changed";

  private static final Weights CONDUCTANCES =
      Weights.any("conductance", "heat needs conductances of 0 or more");

  private HeatSimulation() {}

  /**
   * Runs until nothing changes by more than the tolerance.
   *
   * @param graph vertex attributes are the first heats, edge attributes the conductances
   * @param tolerance 0 or more
   * @param maxIterations bound on the steps, at least 1
   * @throws IllegalArgumentException when a conductance is negative or NaN
   */
  public static Graph<Double, Double> run(
      Graph<Double, Double> graph, double tolerance, int maxIterations, RunOptions options) {
    var on = GpuPregel.on(graph, Double.class, Double.class);
    var program = program(on, tolerance, maxIterations, options);
    return CONDUCTANCES.checked(graph, options, program::run);
  }

  /** Runs on a resident graph. */
  public static VertexResult<Double> run(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return CONDUCTANCES.checked(
        graph, () -> program(GpuPregel.on(graph), tolerance, maxIterations, options).runVertices());
  }

  /** Tells what a run on a resident graph would do. */
  public static String explain(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return program(GpuPregel.on(graph), tolerance, maxIterations, options).explain();
  }

  static PregelBuilder<Double, Double, Double, Double, Double> program(
      PregelBuilder<Double, Double, Double, Object, Double> on,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    Checks.tolerance(tolerance);
    return on.everyVertex(0.0)
        .maxIterations(maxIterations)
        .aggregate(
            CHANGED,
            Aggregate.Operation.SUM,
            (id, before, after) -> Math.abs(after - before) > tolerance ? 1.0 : 0.0)
        .stopWhen(run -> run.aggregate(CHANGED) == 0)
        .vertexProgram((id, heat, flow) -> heat + flow)
        .sendMessage(
            edge -> {
              if (!(edge.attr() >= 0)) {
                throw new IllegalArgumentException(
                    "a conductance " + Weights.FAULT + ": heat needs 0 or more");
              }
              edge.sendToDst(edge.attr() * (edge.srcAttr() - edge.dstAttr()));
            })
        .mergeMessage(Double::sum)
        .options(options);
  }
}
