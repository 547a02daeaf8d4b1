package org.sparkgpugraph.vector;

/**
 * Vectors of k numbers changed in place, element by element: each method writes its first argument
 * and no other. {@link Vectors} has the same as new arrays. Both arguments may be one array.
 *
 * <p>Two vectors have the same length k; otherwise an {@code IllegalArgumentException} names both
 * lengths, and nothing was written. Integers overflow by wrapping around.
 */
public final class Updates {
  private Updates() {}

  /**
   * Adds x to y: y += x.
   *
   * @param y vector of k, changed
   * @param x vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static void addTo(float[] y, float[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] += x[i];
    }
  }

  /** The same of doubles. */
  public static void addTo(double[] y, double[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] += x[i];
    }
  }

  /** The same of ints. */
  public static void addTo(int[] y, int[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] += x[i];
    }
  }

  /** The same of longs. */
  public static void addTo(long[] y, long[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] += x[i];
    }
  }

  /**
   * Subtracts x from y: y −= x.
   *
   * @param y vector of k, changed
   * @param x vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static void subtractFrom(float[] y, float[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] -= x[i];
    }
  }

  /** The same of doubles. */
  public static void subtractFrom(double[] y, double[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] -= x[i];
    }
  }

  /** The same of ints. */
  public static void subtractFrom(int[] y, int[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] -= x[i];
    }
  }

  /** The same of longs. */
  public static void subtractFrom(long[] y, long[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] -= x[i];
    }
  }

  /**
   * Multiplies each element of y by that of x: y[i] *= x[i].
   *
   * @param y vector of k, changed
   * @param x vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static void multiplyInto(float[] y, float[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] *= x[i];
    }
  }

  /** The same of doubles. */
  public static void multiplyInto(double[] y, double[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] *= x[i];
    }
  }

  /** The same of ints. */
  public static void multiplyInto(int[] y, int[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] *= x[i];
    }
  }

  /** The same of longs. */
  public static void multiplyInto(long[] y, long[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] *= x[i];
    }
  }

  /**
   * Keeps the smaller of each two elements in y, as {@code Math.min} does.
   *
   * @param y vector of k, changed
   * @param x vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static void minInto(float[] y, float[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.min(y[i], x[i]);
    }
  }

  /** The same of doubles. */
  public static void minInto(double[] y, double[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.min(y[i], x[i]);
    }
  }

  /** The same of ints. */
  public static void minInto(int[] y, int[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.min(y[i], x[i]);
    }
  }

  /** The same of longs. */
  public static void minInto(long[] y, long[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.min(y[i], x[i]);
    }
  }

  /**
   * Keeps the larger of each two elements in y, as {@code Math.max} does.
   *
   * @param y vector of k, changed
   * @param x vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static void maxInto(float[] y, float[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.max(y[i], x[i]);
    }
  }

  /** The same of doubles. */
  public static void maxInto(double[] y, double[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.max(y[i], x[i]);
    }
  }

  /** The same of ints. */
  public static void maxInto(int[] y, int[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.max(y[i], x[i]);
    }
  }

  /** The same of longs. */
  public static void maxInto(long[] y, long[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.max(y[i], x[i]);
    }
  }

  /**
   * Multiplies y by a number: y *= factor.
   *
   * @param y vector of k, changed
   * @param factor number that each element is multiplied by
   */
  public static void scaleInPlace(float[] y, float factor) {
    for (int i = 0; i < y.length; i++) {
      y[i] *= factor;
    }
  }

  /** The same of doubles. */
  public static void scaleInPlace(double[] y, double factor) {
    for (int i = 0; i < y.length; i++) {
      y[i] *= factor;
    }
  }

  /** The same of ints. */
  public static void scaleInPlace(int[] y, int factor) {
    for (int i = 0; i < y.length; i++) {
      y[i] *= factor;
    }
  }

  /** The same of longs. */
  public static void scaleInPlace(long[] y, long factor) {
    for (int i = 0; i < y.length; i++) {
      y[i] *= factor;
    }
  }

  /**
   * Adds factor · x to y: y += factor · x. Each product is rounded, then the sum.
   *
   * @param y vector of k, changed
   * @param factor number that each element of x is multiplied by
   * @param x vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static void addScaledTo(float[] y, float factor, float[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] += factor * x[i];
    }
  }

  /** The same of doubles. */
  public static void addScaledTo(double[] y, double factor, double[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] += factor * x[i];
    }
  }

  /** The same of ints. */
  public static void addScaledTo(int[] y, int factor, int[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] += factor * x[i];
    }
  }

  /** The same of longs. */
  public static void addScaledTo(long[] y, long factor, long[] x) {
    if (x.length != y.length) {
      throw Refusals.lengths("y", y.length, "x", x.length);
    }
    for (int i = 0; i < y.length; i++) {
      y[i] += factor * x[i];
    }
  }
}
