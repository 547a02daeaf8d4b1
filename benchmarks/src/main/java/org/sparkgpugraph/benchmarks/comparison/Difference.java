package org.sparkgpugraph.benchmarks.comparison;

import java.io.Serializable;
import java.util.Locale;

/**
 * Two values of a vertex. Equal infinities differ by nothing; a vertex that only one result has
 * differs more than any other.
 *
 * @param id the vertex
 * @param ours the library's value; null when it has none
 * @param stock GraphX's value; null when it has none
 */
record Difference(long id, Double ours, Double stock) implements Serializable {
  /** The absolute difference. */
  double absolute() {
    if (ours == null || stock == null) {
      return Double.POSITIVE_INFINITY;
    }
    if (ours.equals(stock)) {
      return 0;
    }
    double difference = Math.abs(ours - stock);
    return Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference;
  }

  Difference larger(Difference other) {
    return other.absolute() > absolute() ? other : this;
  }

  String describe() {
    if (absolute() == 0) {
      return "largest difference of the results: none";
    }
    return String.format(
        Locale.ROOT,
        "largest difference of the results: %.3g, at vertex %d: %s against stock GraphX's %s",
        absolute(),
        id,
        ours,
        stock);
  }
}
