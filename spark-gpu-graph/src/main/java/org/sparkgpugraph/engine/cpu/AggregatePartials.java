package org.sparkgpugraph.engine.cpu;

import java.util.List;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.program.Aggregate;

/**
 * Aggregates of the units of work of a superstep (blocks of rows, or summary words). They are
 * combined in the order of the rows, so that sums do not depend on which threads made them.
 */
final class AggregatePartials {
  private final List<Aggregate> aggregates;
  private final int width;
  private final double[] partials;

  /**
   * @param units most units of a superstep
   */
  AggregatePartials(List<Aggregate> aggregates, int units) {
    this.aggregates = aggregates;
    width = aggregates.size();
    partials = new double[width * units];
  }

  /** What aggregates are over no vertex. */
  double[] neutral() {
    return aggregates.stream().mapToDouble(a -> a.operation().neutral()).toArray();
  }

  /** Keeps what a unit of work left in its tally. */
  void keep(int unit, Tally tally) {
    System.arraycopy(tally.aggregates, 0, partials, unit * width, width);
  }

  /** Keeps the neutral elements for a unit that had no work. */
  void keepNeutral(int unit) {
    for (int i = 0; i < width; i++) {
      partials[unit * width + i] = aggregates.get(i).operation().neutral();
    }
  }

  /** Combines the first units. */
  double[] combine(int units) {
    double[] sums = neutral();
    for (int unit = 0; unit < units; unit++) {
      for (int i = 0; i < width; i++) {
        sums[i] = aggregates.get(i).operation().combine(sums[i], partials[unit * width + i]);
      }
    }
    return sums;
  }
}
