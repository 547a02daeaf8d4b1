package org.sparkgpugraph.algorithm;

import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.RunOptions;

/**
 * Activation of a neural network (NN) whose vertices are neurons and whose edges are weighted
 * connections: {@code x(v) = tanh(Σ w(u, v) · x(u))} over the in-edges, again and again. A neuron
 * without in-edges is an input and keeps its value.
 *
 * <p>A neuron whose value changed by more than the tolerance activates its successors; a neuron
 * with at least one active predecessor evaluates all its in-edges ({@link Gather#ALL}). It ends
 * when no value changes by more than the tolerance. The NN benchmark of Khorasani's dissertation
 * (2016) names the update predicate; the formula is the usual one, since it prints none. GraphX has
 * no such algorithm.
 */
public class NeuralNetwork {
  protected static final Weights WEIGHTS =
      new Weights("weight", "neurons need finite weights", -Double.MAX_VALUE, Double.MAX_VALUE);

  /** Only for classes with more ways in. */
  protected NeuralNetwork() {}

  /**
   * Runs on a resident graph.
   *
   * @param graph vertex attributes are the first values, edge values the weights
   * @param tolerance 0 or more
   * @param maxIterations bound on the supersteps, at least 1: feedback may swing for ever
   * @throws IllegalArgumentException when a weight is NaN or infinite, or what a neuron adds up is
   *     NaN: first values are, or are infinite, or weights are too large
   */
  public static VertexResult<Double> run(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return WEIGHTS.checked(
        graph,
        () -> program(ProgramBuilder.on(graph), tolerance, maxIterations, options).runVertices());
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
    return on.initialMessage(0.0)
        .activeDirection(ActiveDirection.OUT)
        .gather(Gather.ALL)
        .activeWhen((id, before, after) -> Math.abs(after - before) > tolerance)
        .maxIterations(maxIterations)
        .vertexProgram(
            (id, value, sum, run) -> {
              if (run.superstep() == 0) {
                return value;
              }
              if (Double.isNaN(sum)) {
                throw new IllegalArgumentException(
                    "the weighted values of a neuron's predecessors add up to NaN: see that first"
                        + " values are finite numbers, and use smaller weights");
              }
              return Math.tanh(sum);
            })
        .sendMessage(
            edge -> {
              if (!(Math.abs(edge.attr()) <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException(
                    "a weight " + Weights.FAULT_IF_SIGNED + ": neurons need finite ones");
              }
              edge.sendToDst(edge.srcAttr() * edge.attr());
            })
        .mergeMessage(Double::sum)
        .options(options);
  }
}
