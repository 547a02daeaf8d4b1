package org.sparkgpugraph.engine.cpu;

/**
 * Vertices grouped by the logarithm of a degree, those of most edges first, in each group in their
 * order (degree-based grouping; Faldu, Diamond, Grot 2019, "A Closer Look at Lightweight Graph
 * Reordering").
 */
final class DegreeGroups {
  /** Values of a line of the cache. */
  private static final int LINE = 8;

  /** One of so many lines is taken to stay in a core's cache. */
  private static final int CACHED = 16;

  /** Groups of degrees; the last has no edges. */
  private static final int GROUPS = Integer.SIZE + 1;

  private DegreeGroups() {}

  /** The group of a degree: 0 is that of the most. */
  private static int group(int degree) {
    return Integer.numberOfLeadingZeros(degree);
  }

  /**
   * The place of each vertex. By one thread, as is whether it pays: a graph's groups are made once,
   * mostly by code that has not run before: many threads in such code count at the same places for
   * the JVM, and take longer than one.
   */
  static int[] places(int[] degrees) {
    int[] next = new int[GROUPS + 1];
    for (int degree : degrees) {
      next[group(degree) + 1]++;
    }
    for (int g = 1; g < GROUPS; g++) {
      next[g] += next[g - 1];
    }
    int[] places = new int[degrees.length];
    for (int v = 0; v < places.length; v++) {
      places[v] = next[group(degrees[v])]++;
    }
    return places;
  }

  /**
   * Whether groups have more of what edges read in few lines than there is as it is.
   *
   * @param gain by how much more, as a share of all edges
   */
  static boolean pays(int[] degrees, int[] places, double gain) {
    int lines = (degrees.length + LINE - 1) / LINE;
    long[] ungrouped = new long[lines];
    long[] grouped = new long[lines];
    long edges = 0;
    for (int v = 0; v < degrees.length; v++) {
      ungrouped[v / LINE] += degrees[v];
      grouped[places[v] / LINE] += degrees[v];
      edges += degrees[v];
    }
    return served(grouped) - served(ungrouped) > gain * edges;
  }

  /** About how many edges read the lines that are read most, by the edges of each line. */
  private static double served(long[] lines) {
    long[] counts = new long[Long.SIZE + 1];
    long[] edges = new long[Long.SIZE + 1];
    for (long line : lines) {
      int size = Long.numberOfLeadingZeros(line);
      counts[size]++;
      edges[size] += line;
    }
    double sum = 0;
    double left = (double) lines.length / CACHED;
    for (int size = 0; size < counts.length && left > 0; size++) {
      if (counts[size] > 0) {
        sum += edges[size] * Math.min(1, left / counts[size]);
        left -= counts[size];
      }
    }
    return sum;
  }
}
