package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * Voltages in a network of resistors (CS): {@code V(v) = Σ G(u, v) · V(u) / Σ G(u, v)} over the
 * in-edges, Jacobi's method for Kirchhoff's current law; G is a conductance. Vertices with a given
 * voltage keep it. A resistor is two edges, one in each direction.
 *
 * <p>A vertex whose voltage changed by more than the tolerance activates its successors; a vertex
 * with at least one active predecessor evaluates all its in-edges ({@link Gather#ALL}). It ends
 * when nothing changes by more than the tolerance. The CS benchmark of Khorasani's dissertation
 * (2016) names the update predicate; the formula is the usual one, since it prints none. GraphX has
 * no such algorithm.
 */
public class CircuitSimulation {
  /** Attribute of a vertex whose voltage is to be computed. */
  public static final double FREE = Double.NaN;

  protected static final Weights CONDUCTANCES =
      Weights.finite("conductance", "circuits need finite conductances of 0 or more");

  /** Only for classes with more ways in. */
  protected CircuitSimulation() {}

  /**
   * A vertex while it runs.
   *
   * @param voltage its voltage, 0 at first where none is given
   * @param given whether it keeps it
   */
  @DefaultSerializer(RecordSerializer.class)
  record Node(double voltage, boolean given) implements Serializable {}

  /**
   * Sums over in-edges.
   *
   * @param current of conductance times voltage
   * @param conductance of conductance
   */
  @DefaultSerializer(RecordSerializer.class)
  record Inflow(double current, double conductance) implements Serializable {
    Inflow plus(Inflow other) {
      return new Inflow(current + other.current, conductance + other.conductance);
    }
  }

  /**
   * Runs on a resident graph.
   *
   * @param graph vertex attributes are the given voltages, NaN where there is none; edge values the
   *     conductances
   * @param tolerance 0 or more
   * @param maxIterations bound on the supersteps, at least 1
   * @throws IllegalArgumentException when a conductance is negative, NaN or infinite, or those of
   *     the in-edges of a vertex without a given voltage add up to infinity, or the current into
   *     such a vertex is not finite
   */
  public static VertexResult<Double> run(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return CONDUCTANCES.checked(
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

  protected static ProgramBuilder<Double, Double, Node, Inflow, Double> program(
      ProgramBuilder<Double, Double, Double, Object, Double> on,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    Checks.tolerance(tolerance);
    return on.state(
            (id, voltage, inDegree, outDegree) ->
                Double.isNaN(voltage) ? new Node(0.0, false) : new Node(voltage, true))
        .initialMessage(new Inflow(0.0, 0.0))
        .activeDirection(ActiveDirection.OUT)
        .gather(Gather.ALL)
        .activeWhen((id, before, after) -> Math.abs(after.voltage() - before.voltage()) > tolerance)
        .maxIterations(maxIterations)
        .vertexProgram(
            (id, node, inflow) -> {
              if (node.given() || inflow.conductance() == 0) {
                return node;
              }
              // The quotient would be 0, or no number.
              if (inflow.conductance() > Double.MAX_VALUE) {
                throw new IllegalArgumentException(
                    "the conductances of a vertex's " + Weights.FAULT_OF_IN_EDGES);
              }
              if (!(Math.abs(inflow.current()) <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException(
                    "the current into a vertex is not finite: see that the given voltages are, and"
                        + " multiply all conductances by the same small number, which does not"
                        + " change the result");
              }
              return new Node(inflow.current() / inflow.conductance(), false);
            })
        .sendMessage(
            edge -> {
              if (!(edge.attr() >= 0 && edge.attr() <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException(
                    "a conductance "
                        + Weights.FAULT_IF_FINITE
                        + ": circuits need finite ones of 0 or more");
              }
              edge.sendToDst(new Inflow(edge.attr() * edge.srcAttr().voltage(), edge.attr()));
            })
        .mergeMessage(Inflow::plus)
        .result((id, attribute, node) -> node.voltage())
        .options(options);
  }
}
