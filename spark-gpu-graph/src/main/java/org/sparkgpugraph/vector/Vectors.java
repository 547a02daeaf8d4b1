package org.sparkgpugraph.vector;

/**
 * Vectors of k numbers made of others, element by element: each method returns a new array and
 * leaves its arguments as they are. {@link Updates} has the same as changes of an array.
 *
 * <p>Two vectors have the same length k; otherwise an {@code IllegalArgumentException} names both
 * lengths. Numbers are what Java's operators make of them: integers overflow by wrapping around.
 */
public final class Vectors {
  private Vectors() {}

  /**
   * Returns x + y.
   *
   * @param x vector of k
   * @param y vector of k
   * @return a new vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static float[] add(float[] x, float[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    float[] z = new float[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] + y[i];
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] add(double[] x, double[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    double[] z = new double[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] + y[i];
    }
    return z;
  }

  /** The same of ints. */
  public static int[] add(int[] x, int[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    int[] z = new int[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] + y[i];
    }
    return z;
  }

  /** The same of longs. */
  public static long[] add(long[] x, long[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    long[] z = new long[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] + y[i];
    }
    return z;
  }

  /**
   * Returns x − y.
   *
   * @param x vector of k
   * @param y vector of k
   * @return a new vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static float[] subtract(float[] x, float[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    float[] z = new float[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] - y[i];
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] subtract(double[] x, double[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    double[] z = new double[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] - y[i];
    }
    return z;
  }

  /** The same of ints. */
  public static int[] subtract(int[] x, int[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    int[] z = new int[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] - y[i];
    }
    return z;
  }

  /** The same of longs. */
  public static long[] subtract(long[] x, long[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    long[] z = new long[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] - y[i];
    }
    return z;
  }

  /**
   * Returns the products of the elements, x[i] · y[i].
   *
   * @param x vector of k
   * @param y vector of k
   * @return a new vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static float[] multiply(float[] x, float[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    float[] z = new float[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] * y[i];
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] multiply(double[] x, double[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    double[] z = new double[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] * y[i];
    }
    return z;
  }

  /** The same of ints. */
  public static int[] multiply(int[] x, int[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    int[] z = new int[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] * y[i];
    }
    return z;
  }

  /** The same of longs. */
  public static long[] multiply(long[] x, long[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    long[] z = new long[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = x[i] * y[i];
    }
    return z;
  }

  /**
   * Returns the smaller of each two elements, as {@code Math.min} does: NaN where one is NaN, −0.0
   * below 0.0.
   *
   * @param x vector of k
   * @param y vector of k
   * @return a new vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static float[] min(float[] x, float[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    float[] z = new float[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = Math.min(x[i], y[i]);
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] min(double[] x, double[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    double[] z = new double[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = Math.min(x[i], y[i]);
    }
    return z;
  }

  /** The same of ints. */
  public static int[] min(int[] x, int[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    int[] z = new int[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = Math.min(x[i], y[i]);
    }
    return z;
  }

  /** The same of longs. */
  public static long[] min(long[] x, long[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    long[] z = new long[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = Math.min(x[i], y[i]);
    }
    return z;
  }

  /**
   * Returns the larger of each two elements, as {@code Math.max} does: NaN where one is NaN, 0.0
   * above −0.0.
   *
   * @param x vector of k
   * @param y vector of k
   * @return a new vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static float[] max(float[] x, float[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    float[] z = new float[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = Math.max(x[i], y[i]);
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] max(double[] x, double[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    double[] z = new double[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = Math.max(x[i], y[i]);
    }
    return z;
  }

  /** The same of ints. */
  public static int[] max(int[] x, int[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    int[] z = new int[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = Math.max(x[i], y[i]);
    }
    return z;
  }

  /** The same of longs. */
  public static long[] max(long[] x, long[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    long[] z = new long[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = Math.max(x[i], y[i]);
    }
    return z;
  }

  /**
   * Returns factor · x.
   *
   * @param factor number that each element is multiplied by
   * @param x vector of k
   * @return a new vector of k
   */
  public static float[] scale(float factor, float[] x) {
    float[] z = new float[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = factor * x[i];
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] scale(double factor, double[] x) {
    double[] z = new double[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = factor * x[i];
    }
    return z;
  }

  /** The same of ints. */
  public static int[] scale(int factor, int[] x) {
    int[] z = new int[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = factor * x[i];
    }
    return z;
  }

  /** The same of longs. */
  public static long[] scale(long factor, long[] x) {
    long[] z = new long[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = factor * x[i];
    }
    return z;
  }

  /**
   * Returns factor · x + y: each product is rounded, then the sum (no fused multiply-add).
   *
   * @param factor number that each element of x is multiplied by
   * @param x vector of k
   * @param y vector of k
   * @return a new vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static float[] axpy(float factor, float[] x, float[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    float[] z = new float[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = factor * x[i] + y[i];
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] axpy(double factor, double[] x, double[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    double[] z = new double[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = factor * x[i] + y[i];
    }
    return z;
  }

  /** The same of ints. */
  public static int[] axpy(int factor, int[] x, int[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    int[] z = new int[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = factor * x[i] + y[i];
    }
    return z;
  }

  /** The same of longs. */
  public static long[] axpy(long factor, long[] x, long[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    long[] z = new long[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = factor * x[i] + y[i];
    }
    return z;
  }
}
