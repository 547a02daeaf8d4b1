package io.sparkgpugraph.spark;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that a user probably meant. */
public final class NearestName {
  private NearestName() {}

  /**
   * The candidate with the smallest edit distance (Levenshtein, case ignored) to {@code name}; the
   * first of equals.
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

  /** Insertions, deletions and replacements that turn {@code a} into {@code b}. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
