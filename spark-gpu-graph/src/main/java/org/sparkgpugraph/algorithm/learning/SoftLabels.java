package org.sparkgpugraph.algorithm.learning;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;

/**
 * Label propagation with soft labels: a vertex has a probability for each of k labels, takes over
 * the weighted mean of its predecessors' and is drawn back by its own:
 *
 * <pre>
 * l'(v) = normalise( α · normalise( Σ w(u, v) · l(u) ) + (1 − α) · back(v) )
 * </pre>
 *
 * <p>over the in-edges, where {@code normalise} makes the elements add up to 1, and leaves zeros as
 * they are. The first labels are normalised, too; a vertex of which nothing is known has zeros, and
 * keeps them until a label reaches it. What draws back is, by {@link Pull}, the vertex's labels
 * before the step, which is ONYX's algorithm ("Towards Feature-Aware Graph Processing on the GPU",
 * section on label propagation; of its label planes, which are independent of each other, each is a
 * run), or its first labels, so that known labels stay (Zhou et al., Learning with Local and Global
 * Consistency, 2004). {@link org.sparkgpugraph.algorithm.LabelPropagation} is another algorithm, in
 * which a vertex has one label, the most frequent of its neighbours.
 *
 * <p>Where every vertex has first labels, {@link Pull#FIRST} settles by a factor of α a step; where
 * not, also, but as fast as labels spread among the vertices of which nothing was known.
 *
 * <p>Only {@link Pull#FIRST} with α below 1 can be change-driven ({@link Convergence#deltas}): a
 * vertex's labels are made of its neighbours' sum and of what never changes. With an ε of less than
 * 1 / k, so that the first label that reaches a vertex is told, each vertex's labels then fulfil
 * the equation, with the labels that its neighbours have in the end, but for ε in each element (α ·
 * ε where the vertex has first labels). Where all have, labels are within α · ε / (1 − α) of those
 * that a full run comes to.
 *
 * <p>A step is a superstep that reads 8 · k + 8 bytes per edge. Another one, before these, looks
 * for labels and weights that are none.
 */
public class SoftLabels {
  /** Most labels of one run. */
  public static final int MAX_LABELS = 1024;

  /** Largest label and weight: sums of such numbers do not overflow. */
  private static final double MOST = 1e150;

  /** Only for classes with more ways in. */
  protected SoftLabels() {}

  /** What draws a vertex back. */
  public enum Pull {
    /** Its labels before the step. */
    PREVIOUS,
    /** Its first labels. */
    FIRST
  }

  /**
   * A vertex while it runs.
   *
   * @param labels now
   * @param first labels at the start
   */
  @DefaultSerializer(RecordSerializer.class)
  record Labelled(double[] labels, double[] first) implements Serializable {}

  /**
   * Runs on a resident graph, until no element of a label changes by more than the tolerance.
   *
   * @param graph vertex attributes are the first labels, k numbers of 0 or more; edge values the
   *     weights
   * @param k number of labels, 1 to {@value #MAX_LABELS}
   * @param alpha share of the neighbours, from 0 to 1
   * @param pull what has the rest
   * @param until when it ends, and how it runs
   * @return labels, {@code double[k]}: they add up to 1, or are 0
   * @throws IllegalArgumentException when a label or a weight is negative, NaN or infinite, arrays
   *     have not k elements, there is no vertex, or a change-driven run is asked for with {@link
   *     Pull#PREVIOUS} or an α of 1
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], Double> graph,
      int k,
      double alpha,
      Pull pull,
      Convergence until,
      RunOptions options) {
    var program = program(ProgramBuilder.on(graph), k, alpha, pull, until, options);
    check(graph, k);
    return program.runVertices();
  }

  /** Tells what a run on a resident graph would do. */
  public static String explain(
      ResidentGraph<double[], Double> graph,
      int k,
      double alpha,
      Pull pull,
      Convergence until,
      RunOptions options) {
    return program(ProgramBuilder.on(graph), k, alpha, pull, until, options).explain();
  }

  /** The program. */
  protected static ProgramBuilder<double[], Double, Labelled, double[], double[]> program(
      ProgramBuilder<double[], Double, double[], Object, double[]> on,
      int k,
      double alpha,
      Pull pull,
      Convergence until,
      RunOptions options) {
    if (k < 1 || k > MAX_LABELS) {
      throw new IllegalArgumentException(
          "k, the number of labels, must be from 1 to " + MAX_LABELS + ", but got " + k);
    }
    Checks.probability("alpha", alpha);
    if (until.isChangeDriven() && pull == Pull.PREVIOUS) {
      throw new IllegalArgumentException(
          "a change-driven run makes labels of the neighbours' sum and of what never changes, but"
              + " PREVIOUS draws a vertex to its labels before the step: use FIRST, or run with"
              + " every edge");
    }
    if (until.isChangeDriven() && alpha == 1) {
      throw new IllegalArgumentException(
          "a change-driven run begins with what a vertex has without its neighbours, which is"
              + " nothing where alpha is 1: use a smaller one, or run with every edge");
    }
    SendMessage<Labelled, Double, double[]> send =
        edge -> edge.sendToDst(Vectors.scale(edge.attr(), edge.srcAttr().labels()));
    ProgramBuilder<double[], Double, Labelled, double[], double[]> program =
        until
            .of(
                on.state(
                    (id, labels, inDegree, outDegree) -> {
                      double[] first = normalised(labels);
                      return new Labelled(first, first);
                    }),
                new double[k],
                (id, before, after) -> {
                  double most = 0.0;
                  for (int i = 0; i < k; i++) {
                    most = Math.max(most, Math.abs(after.labels()[i] - before.labels()[i]));
                  }
                  return most;
                })
            .sendMessage(send)
            .mergeMessage(Vectors::add)
            .result((id, attribute, v) -> v.labels())
            .options(options);
    return pull == Pull.FIRST
        ? program.vertexProgram(
            (id, v, sum) -> new Labelled(drawn(sum, alpha, v.first()), v.first()))
        : program.vertexProgram(
            (id, v, sum) -> new Labelled(drawn(sum, alpha, v.labels()), v.first()));
  }

  /**
   * Labels after a step.
   *
   * @param sum of the predecessors'
   */
  private static double[] drawn(double[] sum, double alpha, double[] back) {
    double[] mean = new double[sum.length];
    double total = 0.0;
    for (int i = 0; i < mean.length; i++) {
      // A sum of differences may be less by rounding.
      mean[i] = Math.max(0.0, sum[i]);
      total += mean[i];
    }
    for (int i = 0; i < mean.length; i++) {
      mean[i] = alpha * (total > 0 ? mean[i] / total : 0.0) + (1.0 - alpha) * back[i];
    }
    return normalised(mean);
  }

  private static double[] normalised(double[] labels) {
    double total = Reductions.sum(labels);
    double[] shares = new double[labels.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = total > 0 ? labels[i] / total : 0.0;
    }
    return shares;
  }

  /** Names the smallest vertex with a bad label or a bad weight of an in-edge. */
  protected static void check(ResidentGraph<double[], Double> graph, int k) {
    ArrayCheck.weights(
        graph,
        ArrayCheck.Values.finite(
                "first labels",
                "labels",
                k,
                "k is " + k,
                "pass the length of the arrays as k",
                "labels need numbers from 0 to 1e150, and 0 for what is not known; change it")
            .from(0, MOST),
        ArrayCheck.Values.finite(
                "weight",
                "weights",
                0,
                "",
                "",
                "soft labels need weights from 0 to 1e150; leave such edges out, or change their"
                    + " values")
            .from(0, MOST));
  }
}
