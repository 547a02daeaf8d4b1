package org.sparkgpugraph.algorithm.support;

import java.util.function.Consumer;
import java.util.function.Function;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/** Looks at how a run went before its result is given away. */
public final class Observed {
  /** Supersteps behind which a run that still grows is said to grow for ever. */
  private static final int ENOUGH = 16;

  private Observed() {}

  /**
   * Checks a run on a resident graph.
   *
   * @param check throws when the result is of no use; it is closed then
   */
  public static <R> VertexResult<R> checked(VertexResult<R> result, Consumer<RunReport> check) {
    try {
      check.accept(result.report());
      return result;
    } catch (RuntimeException e) {
      result.close();
      throw e;
    }
  }

  /**
   * Checks a run whose result tells nothing of it.
   *
   * @param run given options that the caller's observer hears of, too
   * @param discard frees the result when the check throws
   */
  public static <T> T checked(
      RunOptions options,
      Function<RunOptions, T> run,
      Consumer<RunReport> check,
      Consumer<T> discard) {
    Reports reports = new Reports(options.observer());
    T result = run.apply(options.withObserver(reports));
    // Stock GraphX tells nothing of its supersteps.
    if (reports.last != null && reports.last.summary() != null) {
      try {
        check.accept(reports.last);
      } catch (RuntimeException e) {
        discard.accept(result);
        throw e;
      }
    }
    return result;
  }

  private static final class Reports implements RunObserver {
    private final RunObserver caller;
    private RunReport last;

    Reports(RunObserver caller) {
      this.caller = caller;
    }

    @Override
    public void superstepEnded(SuperstepStats stats) {
      caller.superstepEnded(stats);
    }

    @Override
    public void finished(RunReport report) {
      last = report;
      caller.finished(report);
    }
  }

  /**
   * By what factor an aggregate that should get smaller has grown with every superstep, where it is
   * clear that it goes on growing: it is no finite number any more, or the supersteps are used up,
   * and it is larger than half-way.
   *
   * @return 0 when that is not so
   */
  public static double growth(RunReport report, int aggregate) {
    double[] values =
        report.summary().supersteps().stream()
            .mapToDouble(s -> aggregate < s.aggregates().length ? s.aggregates()[aggregate] : 0)
            .toArray();
    int last = values.length - 1;
    boolean overflows = last >= 0 && !(values[last] <= Double.MAX_VALUE);
    boolean bounded = report.summary().stopped() == RunSummary.Stopped.MAX_ITERATIONS;
    if (!overflows && !(bounded && last >= ENOUGH)) {
      return 0;
    }
    while (last > 0 && !(values[last] <= Double.MAX_VALUE)) {
      last--;
    }
    int half = last / 2;
    boolean grows = values[last] > values[half] && values[half] > 0;
    double factor = grows ? Math.pow(values[last] / values[half], 1.0 / (last - half)) : 0;
    // So fast that there are not two finite values to compare.
    return overflows ? Math.max(factor, Math.nextUp(1.0)) : factor;
  }
}
