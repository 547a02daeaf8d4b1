package org.sparkgpugraph.examples.algorithms;

import java.util.List;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.algorithm.learning.SoftLabels;
import org.sparkgpugraph.examples.command.Choice;
import org.sparkgpugraph.examples.command.CommaList;
import org.sparkgpugraph.examples.command.UsageException;
import picocli.CommandLine.Option;

/** What the algorithms are told that learn from arrays of the vertices. */
public final class LearningOptions {
  private static final double DEFAULT_ALPHA = 0.85;

  private static final int DEFAULT_BOUND = 1000;

  private static final double DEFAULT_TOLERANCE = 1e-6;

  static final class PullChoice extends Choice<SoftLabels.Pull> {
    PullChoice() {
      super(SoftLabels.Pull.class, "a pull");
    }
  }

  @Option(
      names = "--values",
      paramLabel = "PATH",
      description =
          "soft-labels (first labels), belief-propagation (priors), multi-modal (first values),"
              + " manifold-ranking (first ranks): read them, lines 'id x_1 ... x_k' with --k numbers;"
              + " a vertex that is not named has zeros, as a prior ones.")
  String values;

  @Option(
      names = "--alpha",
      paramLabel = "X",
      converter = CommaList.Numbers.class,
      description =
          "soft-labels, manifold-ranking: share of the neighbours, default 0.85; multi-modal: a"
              + " weight for each modality, separated by commas.")
  List<CommaList<Double>> alpha;

  @Option(
      names = "--pull",
      paramLabel = "WHERE",
      converter = PullChoice.class,
      description =
          "soft-labels: what a vertex is drawn back to: first, its first labels (default);"
              + " previous, those before the step.")
  SoftLabels.Pull pull;

  @Option(
      names = "--potential",
      paramLabel = "X",
      converter = CommaList.Numbers.class,
      description =
          "belief-propagation: potential of all edges, --k times --k numbers, a row for each state"
              + " of the source, separated by commas; --weighted reads one for each edge instead.")
  List<CommaList<Double>> potential;

  @Option(
      names = "--deltas",
      paramLabel = "EPSILON",
      description =
          "soft-labels, belief-propagation, multi-modal, manifold-ranking: evaluate only edges"
              + " whose senders changed by more, instead of --tolerance.")
  Double deltas;

  /** Whether any is given. */
  boolean given() {
    return values != null || alpha != null || pull != null || potential != null || deltas != null;
  }

  /** Refuses what an algorithm does not take. */
  void refuse(String name, boolean takesAlpha) {
    refuse(name, alpha != null && !takesAlpha, "--alpha");
    refuse(name, pull != null && !name.equals("soft-labels"), "--pull");
    refuse(name, potential != null && !name.equals("belief-propagation"), "--potential");
  }

  private static void refuse(String name, boolean given, String option) {
    if (given) {
      throw new UsageException(name + " does not take " + option + ": leave it out");
    }
  }

  /** The share of the neighbours. */
  double share() {
    List<Double> all = CommaList.all(alpha);
    if (all != null && all.size() != 1) {
      throw new UsageException("--alpha is one number here, not " + all.size());
    }
    return all == null ? DEFAULT_ALPHA : all.get(0);
  }

  /** The weights of the modalities. */
  double[] modalities() {
    if (alpha == null) {
      throw new UsageException("multi-modal needs a weight for each modality: give --alpha X,X");
    }
    return array(alpha);
  }

  /** The potential of all edges; null: edges have their own. */
  double[] potential() {
    return potential == null ? null : array(potential);
  }

  private static double[] array(List<CommaList<Double>> numbers) {
    return CommaList.all(numbers).stream().mapToDouble(Double::doubleValue).toArray();
  }

  SoftLabels.Pull pull() {
    return pull == null ? SoftLabels.Pull.FIRST : pull;
  }

  /** How it runs, and until when. */
  Convergence until(Settings settings) {
    if (deltas != null && settings.tolerance() != null) {
      throw new UsageException("--deltas and --tolerance both end a run: use one of them");
    }
    int bound = settings.iterationsOr(DEFAULT_BOUND);
    try {
      return deltas != null
          ? Convergence.deltas(deltas, bound)
          : Convergence.everyEdge(settings.toleranceOr(DEFAULT_TOLERANCE), bound);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--deltas: " + e.getMessage());
    }
  }
}
