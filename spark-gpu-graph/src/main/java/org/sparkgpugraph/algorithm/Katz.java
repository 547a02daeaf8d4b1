package org.sparkgpugraph.algorithm;

import java.util.Locale;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Observed;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;

/**
 * Katz centrality (1953): {@code x(v) = β + α · Σ x(u)} over the in-edges, from x = β until no
 * value changes by more than a tolerance. It converges when α is smaller than the inverse of the
 * adjacency matrix' largest eigenvalue, which one over the largest in-degree always is; otherwise
 * values grow, which is an error: as soon as one is too large for a Double, or when the iterations,
 * at least 16, are used up while values change by ever more.
 *
 * <p>Every superstep evaluates all edges. Parallel edges count as often as they are there. Values
 * are not scaled. GraphX has no such algorithm.
 */
public class Katz {
  private static final String CHANGE = "change";

  /** Only for classes with more ways in. */
  protected Katz() {}

  protected static void requireConvergence(RunReport report, double alpha) {
    double growth = Observed.growth(report, 0);
    if (growth > 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "Katz centrality does not converge with attenuation %s: with every superstep values"
                  + " change by %.4g times as much; choose an attenuation below one over the"
                  + " adjacency matrix' largest eigenvalue, here about %.2g (one over the largest"
                  + " in-degree always is), or, where the graph has no cycles, more iterations",
              alpha,
              growth,
              alpha / growth));
    }
  }

  /**
   * Runs on a resident graph; the report says whether it converged ({@code STOP_WHEN}).
   *
   * @param alpha attenuation, 0 or more
   * @param beta what every vertex has for itself
   * @param tolerance 0 or more
   * @param maxIterations at least 1
   * @throws IllegalArgumentException when values grow without end
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, ?> graph,
      double alpha,
      double beta,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return Observed.checked(
        program(ProgramBuilder.on(graph), alpha, beta, tolerance, maxIterations, options)
            .runVertices(),
        report -> requireConvergence(report, alpha));
  }

  /** Tells what a run on a resident graph would do. */
  public static String explain(
      ResidentGraph<?, ?> graph,
      double alpha,
      double beta,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return program(ProgramBuilder.on(graph), alpha, beta, tolerance, maxIterations, options)
        .explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Double, Double, Double> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on,
      double alpha,
      double beta,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    if (!(alpha >= 0 && alpha < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("alpha must be 0 or more, but got " + alpha);
    }
    if (!Double.isFinite(beta)) {
      throw new IllegalArgumentException("beta must be a finite number, but got " + beta);
    }
    Checks.tolerance(tolerance);
    Checks.iterations(maxIterations);
    return on.state((id, attribute, inDegree, outDegree) -> beta)
        .everyVertex(0.0)
        .maxIterations(maxIterations)
        .vertexProgram((id, value, sum) -> beta + alpha * sum)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Double::sum)
        .aggregate(CHANGE, AggregateOperation.MAX, (id, before, after) -> Math.abs(after - before))
        .stopWhen(
            run ->
                run.aggregate(CHANGE) <= tolerance || !(run.aggregate(CHANGE) <= Double.MAX_VALUE))
        .options(options);
  }
}
