package org.sparkgpugraph.engine;

import java.util.Arrays;
import java.util.Locale;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * How unevenly edges are spread over rows: the mean length of the row that an edge is in, by the
 * mean length of all rows. It is 1 on a lattice, little more in a road network or where edges lie
 * between any two vertices, and tens to hundreds in networks with hubs.
 */
public final class DegreeSkew {
  /** From here on there are hubs, through which any two vertices are near each other. */
  public static final double HUBS = 8;

  /** Edges whose rows are looked at, evenly spread. */
  private static final int SAMPLE = 1024;

  private DegreeSkew() {}

  /** The skew of some rows, estimated; 1 when there is no edge. */
  public static double of(Csr rows) {
    int[] offsets = rows.offsets();
    int edges = rows.edges();
    if (edges == 0) {
      return 1;
    }
    int count = Math.min(edges, SAMPLE);
    double sum = 0;
    for (int i = 0; i < count; i++) {
      int e = (int) ((long) edges * i / count);
      int row = row(offsets, e);
      sum += offsets[row + 1] - offsets[row];
    }
    return sum / count * rows.rows() / edges;
  }

  /** The figure that decides, beside its bound. */
  public static String describe(double skew) {
    return String.format(
        Locale.ROOT,
        "an edge begins in a row of %.1f times the mean length, %s",
        skew,
        skew < HUBS
            ? String.format(Locale.ROOT, "less than %.0f", HUBS)
            : String.format(Locale.ROOT, "and from %.0f on there are hubs", HUBS));
  }

  /** The row that has an edge. */
  private static int row(int[] offsets, int e) {
    int found = Arrays.binarySearch(offsets, e);
    int row = found >= 0 ? found : -found - 2;
    // Rows without edges begin where the one behind them does.
    while (offsets[row + 1] <= e) {
      row++;
    }
    return row;
  }
}
