package org.sparkgpugraph.runtime.run;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.WorkBudget;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;

/**
 * How far an executor graph runs on its own before executors exchange updates, for a program in
 * place: until nothing is active in it, or as far as a setting or its budget allows.
 *
 * <p>The result does not depend on it. Such a program's values only ever move one way, and a ghost
 * holds a value that its home had some time ago: what follows from that is what some order of
 * evaluation would give, and all orders end in the same values (chaotic iteration of a monotone
 * function). Nor are there more exchanges than with one superstep between two of them, but perhaps
 * a last one in which nothing is told: behind the k-th exchange every value is at least as far as
 * it would be then, since further local supersteps only move it on, and a function that is monotone
 * makes no worse values of better ones. So all that local supersteps can cost is work whose values
 * a later exchange improves again.
 *
 * <p>The {@linkplain WorkBudget budget} bounds that, for local supersteps, the first left out. What
 * the next superstep will walk is estimated by the mean degree, so that one over much of the graph
 * waits for the exchange.
 *
 * <p>Where values are relaxed without supersteps all of it is one, which is told what is left of
 * the budget ({@link #work}). It walks whatever was active when it began, then no more than that,
 * in order of priority: so it is at least a superstep, and all of this holds of it, too. A setting
 * that bounds supersteps leaves it what the others could walk at most; of one superstep nothing, so
 * that it is exactly one.
 */
final class LocalHorizon {
  /** Value of the setting that leaves it to the budget. */
  static final int CHOSEN = 0;

  /** Supersteps that may be begun at once: the task is not interrupted meanwhile. */
  private static final int MOST_AT_ONCE = 1 << 16;

  private final int most;
  private final double degree;
  private final double all;
  private final double budget;
  private int supersteps;
  private double walked;

  /** What the next superstep will walk; 0: nobody knows. */
  private double next;

  /**
   * @param most supersteps, at least 1; {@link #CHOSEN}: by the budget
   * @param exchange number of the exchange that is to come, from 1 on
   * @param edges edges that the executor graph holds
   * @param vertices vertices that it holds
   */
  LocalHorizon(int most, int exchange, long edges, long vertices) {
    this.most = most;
    degree = (double) edges / Math.max(1, vertices);
    all = (double) edges + vertices;
    budget = WorkBudget.of(exchange, edges, vertices);
  }

  /**
   * Whether another superstep may follow before the exchange.
   *
   * @param last the local superstep that was done
   */
  boolean allowsAnother(SuperstepStats last) {
    if (supersteps > 0) {
      walked += (double) last.edgesEvaluated() + last.verticesRun();
    }
    supersteps++;
    if (last.activeVertices() == 0 || last.kernel() == KernelChoice.ASYNC) {
      return false;
    }
    next = last.activeVertices() * (1 + degree);
    return most == CHOSEN ? walked + next <= budget : supersteps < most;
  }

  /** Edges and vertices that may be walked beside those of the next superstep. */
  long work() {
    return (long) Math.max(0, most == CHOSEN ? budget - walked : (most - supersteps - 1) * all);
  }

  /** How many supersteps may be begun now, as far as is known; at least 1. */
  int supersteps() {
    if (most != CHOSEN) {
      return Math.max(1, most - supersteps);
    }
    return next == 0 ? 1 : (int) Math.max(1, Math.min(MOST_AT_ONCE, (budget - walked) / next));
  }

  /** What {@code explain()} says of it. */
  static String describe(int most) {
    return "between two exchanges an executor runs "
        + (most == CHOSEN
            ? "to local quiescence, or as far as a budget allows that doubles with every exchange"
            : most == 1 ? "1 superstep" : "at most " + most + " supersteps")
        + " ("
        + GpuGraphConf.LOCAL_SUPERSTEPS.key()
        + " = "
        + most
        + ")";
  }

  /**
   * What a report says of it: how many exchanges there were, and local supersteps before each.
   *
   * @param supersteps superstep 0, and an entry for each exchange
   */
  static String note(List<SuperstepStats> supersteps) {
    int exchanges = supersteps.size() - 1;
    if (exchanges == 0) {
      return "executors exchanged nothing";
    }
    int[] local =
        IntStream.range(0, exchanges)
            .map(i -> supersteps.get(i + 1).superstep() - supersteps.get(i).superstep())
            .toArray();
    return String.format(
        Locale.ROOT,
        "executors exchanged %d times; before each %d to %d local supersteps, %.1f on average",
        exchanges,
        IntStream.of(local).min().orElseThrow(),
        IntStream.of(local).max().orElseThrow(),
        IntStream.of(local).average().orElseThrow());
  }
}
