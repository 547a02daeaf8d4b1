package org.sparkgpugraph.examples.algorithms;

import java.util.List;
import org.sparkgpugraph.examples.command.CommaList;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.lib.SVDPlusPlus;
import org.sparkgpugraph.lib.learning.AlternatingLeastSquares;
import picocli.CommandLine.Option;

/** What svd-plus-plus and als are told beside the number of iterations. */
public final class RatingOptions {
  private static final int DEFAULT_ITERATIONS = 10;

  @Option(
      names = "--rank",
      paramLabel = "N",
      description = "svd-plus-plus, als: length of the vectors, default 10.")
  Integer rank;

  @Option(
      names = "--range",
      paramLabel = "MIN,MAX",
      converter = CommaList.Numbers.class,
      description = "svd-plus-plus: smallest and largest rating, default 0,5.")
  List<CommaList<Double>> range;

  @Option(
      names = "--gammas",
      paramLabel = "G1,G2,G6,G7",
      converter = CommaList.Numbers.class,
      description =
          "svd-plus-plus: learning rates of biases and vectors, regularisation of biases and"
              + " vectors; default 0.007,0.007,0.005,0.015.")
  List<CommaList<Double>> gammas;

  @Option(
      names = "--lambda",
      paramLabel = "X",
      description = "als: regularisation for each rating of a vertex, default 0.1.")
  Double lambda;

  @Option(
      names = "--plain-lambda",
      description = "als: --lambda is that of a vertex, however many ratings it has.")
  boolean plainLambda;

  /** Whether any is given. */
  boolean given() {
    return rank != null || range != null || gammas != null || lambda != null || plainLambda;
  }

  /** The configuration of als; wrong values are usage errors. */
  AlternatingLeastSquares.Conf als(Settings settings) {
    if (range != null || gammas != null) {
      throw new UsageException(
          "als takes ratings of any range and has no learning rates: leave --range and --gammas"
              + " out");
    }
    try {
      return new AlternatingLeastSquares.Conf(
          rank == null ? 10 : rank,
          settings.iterationsOr(DEFAULT_ITERATIONS),
          lambda == null ? 0.1 : lambda,
          !plainLambda);
    } catch (IllegalArgumentException e) {
      throw new UsageException("als: " + e.getMessage());
    }
  }

  /** The configuration of svd-plus-plus; wrong values are usage errors. */
  SVDPlusPlus.Conf conf(Settings settings) {
    if (lambda != null || plainLambda) {
      throw new UsageException(
          "svd-plus-plus has no lambda: leave --lambda and --plain-lambda out, or use --gammas");
    }
    List<Double> limits = of("--range", CommaList.all(range), List.of(0.0, 5.0));
    List<Double> rates = of("--gammas", CommaList.all(gammas), List.of(0.007, 0.007, 0.005, 0.015));
    try {
      return new SVDPlusPlus.Conf(
          rank == null ? 10 : rank,
          settings.iterationsOr(DEFAULT_ITERATIONS),
          limits.get(0),
          limits.get(1),
          rates.get(0),
          rates.get(1),
          rates.get(2),
          rates.get(3));
    } catch (IllegalArgumentException e) {
      throw new UsageException("svd-plus-plus: " + e.getMessage());
    }
  }

  private static List<Double> of(String option, List<Double> given, List<Double> otherwise) {
    if (given != null && given.size() != otherwise.size()) {
      throw new UsageException(
          option + " takes " + otherwise.size() + " numbers, not " + given.size());
    }
    return given == null ? otherwise : given;
  }
}
