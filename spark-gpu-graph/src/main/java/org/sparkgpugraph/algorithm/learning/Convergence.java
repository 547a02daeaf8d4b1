package org.sparkgpugraph.algorithm.learning;

import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.function.AggregateFunction;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.AggregateAtMost;

/**
 * How an algorithm runs until its values settle: with every edge in every step, or change-driven.
 *
 * @param isChangeDriven whether edges are evaluated only whose senders changed
 * @param threshold the tolerance; change-driven: ε
 * @param maxIterations bound on the steps, at least 1
 */
public record Convergence(boolean isChangeDriven, double threshold, int maxIterations) {
  /** Name of the aggregate of {@link #everyEdge}: the largest change of a superstep. */
  static final String CHANGE = "change";

  /** Checks the parts. */
  public Convergence {
    if (isChangeDriven) {
      if (!(threshold >= 0 && threshold <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "epsilon must be a finite number of 0 or more, but got " + threshold);
      }
    } else {
      Checks.tolerance(threshold);
    }
    Checks.iterations(maxIterations);
  }

  /**
   * Every step evaluates every edge, until no value changes by more than a tolerance.
   *
   * @param tolerance 0 or more
   * @param maxIterations bound on the steps, at least 1
   * @throws IllegalArgumentException when one of them is not
   */
  public static Convergence everyEdge(double tolerance, int maxIterations) {
    return new Convergence(false, tolerance, maxIterations);
  }

  /**
   * A vertex tells its neighbours a value when it differs from what it last told them by more than
   * ε, and the run ends when nobody tells any ({@link ProgramBuilder#deltas}).
   *
   * @param epsilon 0 or more: 0 tells every change
   * @param maxIterations bound on the steps, at least 1
   * @throws IllegalArgumentException when one of them is not
   */
  public static Convergence deltas(double epsilon, int maxIterations) {
    return new Convergence(true, epsilon, maxIterations);
  }

  /**
   * Has a program run so.
   *
   * @param none message where none comes, the neutral element of the sum
   * @param change by how much a value changed
   */
  <VD, ED, S, R> ProgramBuilder<VD, ED, S, double[], R> of(
      ProgramBuilder<VD, ED, S, Object, R> program, double[] none, AggregateFunction<S> change) {
    ProgramBuilder<VD, ED, S, double[], R> every =
        program.everyVertex(none).maxIterations(maxIterations);
    if (isChangeDriven) {
      return every.deltas(threshold);
    }
    return every
        .aggregate(CHANGE, AggregateOperation.MAX, change)
        .stopWhen(new AggregateAtMost(CHANGE, threshold, 0, 1));
  }
}
