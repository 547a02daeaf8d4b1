package org.sparkgpugraph.engine.device.memory;

import java.util.function.IntUnaryOperator;

/**
 * How many vertices have how many edges, the other way round: which part of the edges is at the
 * vertices that have most of them. Of vertices with very many edges only the mean is known.
 */
public final class DegreeHistogram {
  /** Vertices with as many edges and more are counted together. */
  private static final int MANY = 1 << 16;

  /** Vertices that are looked at, about. */
  private static final int SAMPLE = 1 << 18;

  private final long[] vertices = new long[MANY + 1];
  private final long many;
  private final long edges;
  private final int step;

  private DegreeHistogram(int count, IntUnaryOperator degrees) {
    long sum = 0;
    long all = 0;
    // Odd: degrees may depend on the last bits of ids.
    step = count / SAMPLE | 1;
    for (long v = 0; v < count; v += step) {
      int degree = degrees.applyAsInt((int) v);
      vertices[Math.min(degree, MANY)]++;
      sum += degree >= MANY ? degree : 0;
      all += degree;
    }
    many = sum;
    edges = all;
  }

  /**
   * Counts them, of a large graph those of every so-many-th vertex.
   *
   * @param vertices how many there are
   * @param degrees of each
   */
  public static DegreeHistogram of(int vertices, IntUnaryOperator degrees) {
    return new DegreeHistogram(vertices, degrees);
  }

  /** Which part of the edges is at so many vertices, those with most edges; 0 without edges. */
  public double share(long hottest) {
    if (edges == 0) {
      return 0;
    }
    long counted = hottest / step;
    long left = Math.min(counted, vertices[MANY]);
    double covered = vertices[MANY] == 0 ? 0 : (double) many * left / vertices[MANY];
    left = counted - left;
    for (int degree = MANY - 1; degree > 0 && left > 0; degree--) {
      long taken = Math.min(left, vertices[degree]);
      covered += (double) taken * degree;
      left -= taken;
    }
    return covered / edges;
  }
}
