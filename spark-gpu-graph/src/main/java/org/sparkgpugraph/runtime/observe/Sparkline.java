package org.sparkgpugraph.runtime.observe;

import java.util.ArrayList;
import java.util.List;

/**
 * A few characters that show how numbers went up and down. Keeps no more than {@value #MOST} of
 * them: when there are more, of two neighbours the larger one stays. Not thread-safe.
 */
final class Sparkline {
  private static final int MOST = 64;

  /** From nothing to the largest number. */
  private static final String BLOCKS = " ▁▂▃▄▅▆▇█";

  /** The same where a console has only ASCII. */
  private static final String ASCII = " ..:-=+*#";

  private final String levels;
  private final List<Long> numbers = new ArrayList<>();
  private int width = 1;
  private int inLast = 1;

  /**
   * @param unicode whether the console has block characters
   */
  Sparkline(boolean unicode) {
    levels = unicode ? BLOCKS : ASCII;
  }

  /** The next number. */
  void add(long number) {
    if (!numbers.isEmpty() && inLast < width) {
      inLast++;
      numbers.set(numbers.size() - 1, Math.max(numbers.get(numbers.size() - 1), number));
      return;
    }
    if (numbers.size() == MOST) {
      List<Long> half = fitted(MOST / 2);
      numbers.clear();
      numbers.addAll(half);
      width *= 2;
    }
    numbers.add(number);
    inLast = 1;
  }

  /** No more than so many numbers: of neighbours the largest. */
  private List<Long> fitted(int most) {
    int each = Math.max(1, (numbers.size() + most - 1) / most);
    List<Long> fitted = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i += each) {
      fitted.add(
          numbers.subList(i, Math.min(numbers.size(), i + each)).stream().reduce(0L, Math::max));
    }
    return fitted;
  }

  /**
   * All of them.
   *
   * @param most characters that there is room for
   */
  String text(int most) {
    if (most < 2 || numbers.size() < 2) {
      return "";
    }
    List<Long> shown = fitted(most);
    long largest = Math.max(1, shown.stream().reduce(0L, Math::max));
    StringBuilder text = new StringBuilder();
    for (long number : shown) {
      // What is not 0 can be seen.
      int level = (int) Math.ceil((double) number / largest * (levels.length() - 1));
      text.append(levels.charAt(level));
    }
    return text.toString();
  }
}
