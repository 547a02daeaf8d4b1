package org.sparkgpugraph.run;

import java.util.Objects;
import org.sparkgpugraph.function.StopWhen;
import org.sparkgpugraph.function.SuperstepContext;

/**
 * Ends a run at an aggregate that is small enough. Other than a function it can be decided where
 * the aggregate is, so that supersteps follow each other without anybody asking between them.
 *
 * @param aggregate name of the aggregate
 * @param bound the run ends when the aggregate is this or less, not when it is NaN
 * @param first the first superstep that is looked at, at least 0
 * @param every every so-many-th from there on, at least 1
 */
public record AggregateAtMost(String aggregate, double bound, int first, int every)
    implements StopWhen {
  public AggregateAtMost {
    Objects.requireNonNull(aggregate, "aggregate");
    if (Double.isNaN(bound) || first < 0 || every < 1) {
      throw new IllegalArgumentException(
          "bound "
              + bound
              + " must be a number, first "
              + first
              + " not negative and every "
              + every
              + " at least 1");
    }
  }

  @Override
  public boolean test(SuperstepContext run) {
    return run.superstep() >= first
        && (run.superstep() - first) % every == 0
        && run.aggregate(aggregate) <= bound;
  }
}
