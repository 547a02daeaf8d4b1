package org.sparkgpugraph.benchmarks;

import java.util.Collection;

/** Order statistics of measured times. */
public final class Medians {
  private Medians() {}

  /**
   * The median; of an even number of values the mean of the two in the middle.
   *
   * @throws IllegalArgumentException when there is no value
   */
  public static double median(Collection<? extends Number> values) {
    double[] sorted = values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no values to take the median of");
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
