package io.sparkgpugraph.examples;

import java.util.List;
import java.util.Locale;

/** Finds what a user meant by a name that does not exist. */
final class NearestName {
  private NearestName() {}

  /** The name with the smallest edit distance (Levenshtein) to {@code name}; the first of equals. */
  static String to(String name, List<String> names) {
    String wanted = name.toLowerCase(Locale.ROOT);
    String nearest = null;
    int smallest = Integer.MAX_VALUE;
    for (String candidate : names) {
      int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT));
      if (distance < smallest) {
        smallest = distance;
        nearest = candidate;
      }
    }
    return nearest;
  }

  private static int distance(String a, String b) {
    // A name that goes on where the given one stops is nearer than any other.
    if (!a.isEmpty() && b.startsWith(a)) {
      return 0;
    }
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
