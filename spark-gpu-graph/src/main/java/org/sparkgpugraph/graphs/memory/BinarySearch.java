package org.sparkgpugraph.graphs.memory;

import java.util.function.IntPredicate;

/** Where something that holds from some position on begins to hold. */
public final class BinarySearch {
  private BinarySearch() {}

  /**
   * The first position of {@code [from, end)} of which a test is true, as it is of all behind it;
   * {@code end} where there is none. Not for the innermost loops: every step calls the test.
   */
  public static int first(int from, int end, IntPredicate test) {
    int low = from;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (test.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
