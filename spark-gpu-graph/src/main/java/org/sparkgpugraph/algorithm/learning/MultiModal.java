package org.sparkgpugraph.algorithm.learning;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Observed;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;
import scala.Tuple2;

/**
 * Multi-modal learning (MML): k numbers a vertex, spread along edges that have a weight for each of
 * several modalities (what is alike in images, in texts, …), which are mixed by weights of their
 * own:
 *
 * <pre>
 * A(v)  = Σ w(u, v)ᵀ · x(u)            a row for each modality, k columns
 * x'(v) = α · A(v) + (1 − Σ α) · x⁰(v)
 * </pre>
 *
 * <p>over the in-edges, where x⁰ are the first values and α has a weight for each modality. This is
 * linear, so an edge may mix before it sends: {@code (α · w(u, v)) · x(u)}, k numbers in the place
 * of a matrix, adds up to the same. The formula is that of ONYX ("Towards Feature-Aware Graph
 * Processing on the GPU", section on multi-modal learning).
 *
 * <p>It settles whatever the first values are where {@code Σ |α · w(u, v)|} over the in-edges is
 * less than 1 at every vertex (and may where it is not). A run whose values grow without end is an
 * error that names the vertex with the largest such sum, c. A change-driven run ({@link
 * Convergence#deltas}) is refused where c is 1 or more; its values are within c · ε / (1 − c) of
 * those that a full run comes to, but for rounding.
 *
 * <p>A step is a superstep that reads 8 bytes per edge for each modality and for each of the k
 * numbers. Another one, before these, looks for values and weights that are none, and change-driven
 * runs take one more.
 */
public class MultiModal {
  /** Most numbers of a vertex, and most modalities. */
  public static final int MAX_LENGTH = 1024;

  private static final String PEAK = "peak";

  /** Index of the change among the aggregates. */
  private static final int CHANGE_INDEX = 0;

  /** Only for classes with more ways in. */
  protected MultiModal() {}

  /**
   * A vertex while it runs.
   *
   * @param values now
   * @param first values at the start
   */
  @DefaultSerializer(RecordSerializer.class)
  record Modes(double[] values, double[] first) implements Serializable {}

  /**
   * Runs on a resident graph, until no value changes by more than the tolerance.
   *
   * @param graph vertex attributes are the first values, k numbers; edge values have a weight for
   *     each modality
   * @param k numbers of a vertex, 1 to {@value #MAX_LENGTH}
   * @param alpha a weight for each modality, at least one
   * @param until when it ends, and how it runs
   * @return values, {@code double[k]}
   * @throws IllegalArgumentException when a value or weight is NaN or infinite, arrays have another
   *     length, there is no vertex, values grow without end, or a change-driven run might
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], double[]> graph,
      int k,
      double[] alpha,
      Convergence until,
      RunOptions options) {
    var program =
        program(ProgramBuilder.on(graph), graph.edgeCount() > 0, k, alpha, until, options);
    check(graph, k, alpha, until);
    return Observed.checked(program.runVertices(), report -> checkGrowth(graph, alpha, report));
  }

  /** Tells what a run on a resident graph would do. */
  public static String explain(
      ResidentGraph<double[], double[]> graph,
      int k,
      double[] alpha,
      Convergence until,
      RunOptions options) {
    return program(ProgramBuilder.on(graph), graph.edgeCount() > 0, k, alpha, until, options)
        .explain();
  }

  /**
   * The program.
   *
   * @param edges whether there are any: how long their arrays are is known of the first one
   */
  protected static ProgramBuilder<double[], double[], Modes, double[], double[]> program(
      ProgramBuilder<double[], double[], double[], Object, double[]> on,
      boolean edges,
      int k,
      double[] alpha,
      Convergence until,
      RunOptions options) {
    if (k < 1 || k > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "k, the numbers of a vertex, must be from 1 to " + MAX_LENGTH + ", but got " + k);
    }
    if (alpha.length < 1 || alpha.length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "alpha has " + alpha.length + " weights: give one for each modality, 1 to " + MAX_LENGTH);
    }
    for (int i = 0; i < alpha.length; i++) {
      if (!(Math.abs(alpha[i]) <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "alpha of modality " + i + " must be a finite number, but got " + alpha[i]);
      }
    }
    double[] mix = alpha.clone();
    double back = 1.0 - DoubleStream.of(alpha).sum();
    SendMessage<Modes, double[], double[]> send =
        edge ->
            edge.sendToDst(
                Vectors.scale(Reductions.dot(mix, edge.attr()), edge.srcAttr().values()));
    SendMessage<Modes, double[], double[]> none = edge -> {};
    ProgramBuilder<double[], double[], Modes, double[], double[]> program =
        until
            .of(
                on.state((id, values, inDegree, outDegree) -> new Modes(values, values)),
                new double[k],
                (id, before, after) -> {
                  double most = 0.0;
                  for (int i = 0; i < k; i++) {
                    most = Math.max(most, Math.abs(after.values()[i] - before.values()[i]));
                  }
                  return most;
                })
            .vertexProgram((id, v, sum) -> new Modes(Vectors.axpy(back, v.first(), sum), v.first()))
            .sendMessage(edges ? send : none)
            .mergeMessage(Vectors::add)
            .result((id, attribute, v) -> v.values())
            .options(options);
    if (until.isChangeDriven()) {
      return program;
    }
    double tolerance = until.threshold();
    return program
        .aggregate(
            PEAK,
            AggregateOperation.MAX,
            (id, before, after) -> {
              double most = 0.0;
              for (int i = 0; i < k; i++) {
                most = Math.max(most, Math.abs(after.values()[i]));
              }
              return most;
            })
        .stopWhen(
            run ->
                run.aggregate(Convergence.CHANGE) <= tolerance
                    || !(run.aggregate(PEAK) <= Double.MAX_VALUE));
  }

  /**
   * Names the smallest vertex with a bad value or a bad weight of an in-edge, and refuses a
   * change-driven run that might grow without end.
   */
  protected static void check(
      ResidentGraph<double[], double[]> graph, int k, double[] alpha, Convergence until) {
    ArrayCheck.arrays(
        graph,
        ArrayCheck.Values.finite(
            "first values",
            "values",
            k,
            "k is " + k,
            "pass the length of the arrays as k",
            "values must be finite numbers; change it"),
        ArrayCheck.Values.finite(
            "weights",
            "weights",
            alpha.length,
            "alpha has " + alpha.length,
            "give every edge a weight for each modality",
            "weights must be finite numbers; leave such edges out, or change their values"));
    if (until.isChangeDriven() && graph.edgeCount() > 0) {
      Tuple2<Double, Long> most = largest(graph, alpha);
      if (!(most._1() < 1)) {
        throw new IllegalArgumentException(
            "a change-driven run is for values that settle, but "
                + sum(most)
                + ": it must be less than 1; use smaller weights, or run with every edge");
      }
    }
  }

  /** Refuses a run whose values grow without end. */
  protected static void checkGrowth(
      ResidentGraph<double[], double[]> graph, double[] alpha, RunReport report) {
    if (graph.edgeCount() == 0 || Observed.growth(report, CHANGE_INDEX) == 0) {
      return;
    }
    throw new IllegalArgumentException(
        "values grow without end: "
            + sum(largest(graph, alpha))
            + ", and they settle for sure where that is less than 1; use smaller weights of edges or"
            + " modalities");
  }

  private static String sum(Tuple2<Double, Long> most) {
    return String.format(
        Locale.ROOT,
        "the absolute values of the weights of vertex %d's in-edges, mixed by alpha, add up to %.6g",
        most._2(),
        most._1());
  }

  /** The largest sum of the absolute mixed weights of a vertex's in-edges, and who has it. */
  private static Tuple2<Double, Long> largest(
      ResidentGraph<double[], double[]> graph, double[] alpha) {
    double[] mix = alpha.clone();
    try (VertexResult<Double> sums =
        ProgramBuilder.on(graph)
            .state((id, values, inDegree, outDegree) -> 0.0)
            .everyVertex(0.0)
            .maxIterations(1)
            .vertexProgram((id, own, sum) -> sum)
            .sendMessage(edge -> edge.sendToDst(Math.abs(Reductions.dot(mix, edge.attr()))))
            .mergeMessage(Double::sum)
            .options(Weights.search(null, null))
            .runVertices()) {
      List<Tuple2<Double, Long>> most =
          sums.toPairs()
              .map(Tuple2::swap)
              .takeOrdered(
                  1,
                  (Comparator<Tuple2<Double, Long>> & Serializable)
                      (a, b) ->
                          a._1().equals(b._1())
                              ? Long.compare(a._2(), b._2())
                              : Double.compare(b._1(), a._1()));
      return most.get(0);
    }
  }
}
