package org.sparkgpugraph.runtime.conf;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that a user probably meant. */
public final class NearestName {
  private NearestName() {}

  /**
   * The candidate with the smallest edit distance (case ignored) to {@code name}; the first of
   * equals.
   *
   * @return empty when there are no candidates or none shares at least half of the letters
   */
  public static Optional<String> of(String name, Collection<String> candidates) {
    String wanted = name.toLowerCase(Locale.ROOT);
    return candidates.stream()
        .filter(
            candidate ->
                2 * distance(wanted, candidate.toLowerCase(Locale.ROOT))
                    <= Math.max(wanted.length(), candidate.length()))
        .min(Comparator.comparingInt(c -> distance(wanted, c.toLowerCase(Locale.ROOT))));
  }

  /**
   * Insertions, deletions, replacements and exchanges of neighbours that turn {@code a} into {@code
   * b} (optimal string alignment).
   */
  static int distance(String a, String b) {
    int[][] table = new int[a.length() + 1][b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      table[0][j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      table[i][0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = table[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        table[i][j] = Math.min(replace, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          table[i][j] = Math.min(table[i][j], 1 + table[i - 2][j - 2]);
        }
      }
    }
    return table[a.length()][b.length()];
  }
}
