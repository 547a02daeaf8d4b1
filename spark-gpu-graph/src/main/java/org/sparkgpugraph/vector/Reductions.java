package org.sparkgpugraph.vector;

/**
 * One number of the k of a vector, or of two vectors. Elements are taken in the order of their
 * index, and sums and products are rounded to the element's type after each step; the package's
 * page says how far another order may be from that. Integers overflow by wrapping around.
 */
public final class Reductions {
  private Reductions() {}

  /**
   * Returns the dot product, the sum of x[i] · y[i]: each product is rounded, then the sum. 0 for k
   * = 0.
   *
   * @param x vector of k
   * @param y vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static float dot(float[] x, float[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    float result = 0.0f;
    for (int i = 0; i < x.length; i++) {
      result += x[i] * y[i];
    }
    return result;
  }

  /** The same of doubles. */
  public static double dot(double[] x, double[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    double result = 0.0;
    for (int i = 0; i < x.length; i++) {
      result += x[i] * y[i];
    }
    return result;
  }

  /** The same of ints. */
  public static int dot(int[] x, int[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    int result = 0;
    for (int i = 0; i < x.length; i++) {
      result += x[i] * y[i];
    }
    return result;
  }

  /** The same of longs. */
  public static long dot(long[] x, long[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    long result = 0;
    for (int i = 0; i < x.length; i++) {
      result += x[i] * y[i];
    }
    return result;
  }

  /**
   * Returns the sum of the elements, 0 for k = 0.
   *
   * @param x vector of k
   */
  public static float sum(float[] x) {
    float result = 0.0f;
    for (int i = 0; i < x.length; i++) {
      result += x[i];
    }
    return result;
  }

  /** The same of doubles. */
  public static double sum(double[] x) {
    double result = 0.0;
    for (int i = 0; i < x.length; i++) {
      result += x[i];
    }
    return result;
  }

  /** The same of ints. */
  public static int sum(int[] x) {
    int result = 0;
    for (int i = 0; i < x.length; i++) {
      result += x[i];
    }
    return result;
  }

  /** The same of longs. */
  public static long sum(long[] x) {
    long result = 0;
    for (int i = 0; i < x.length; i++) {
      result += x[i];
    }
    return result;
  }

  /**
   * Returns the product of the elements, 1 for k = 0.
   *
   * @param x vector of k
   */
  public static float product(float[] x) {
    float result = 1.0f;
    for (int i = 0; i < x.length; i++) {
      result *= x[i];
    }
    return result;
  }

  /** The same of doubles. */
  public static double product(double[] x) {
    double result = 1.0;
    for (int i = 0; i < x.length; i++) {
      result *= x[i];
    }
    return result;
  }

  /** The same of ints. */
  public static int product(int[] x) {
    int result = 1;
    for (int i = 0; i < x.length; i++) {
      result *= x[i];
    }
    return result;
  }

  /** The same of longs. */
  public static long product(long[] x) {
    long result = 1;
    for (int i = 0; i < x.length; i++) {
      result *= x[i];
    }
    return result;
  }

  /**
   * Returns the smallest element, as {@code Math.min} finds it: NaN if one is NaN, −0.0 below 0.0.
   *
   * @param x vector of k ≥ 1
   * @throws IllegalArgumentException if x has no element
   */
  public static float min(float[] x) {
    if (x.length == 0) {
      throw Refusals.empty("min");
    }
    float result = x[0];
    for (int i = 1; i < x.length; i++) {
      result = Math.min(result, x[i]);
    }
    return result;
  }

  /** The same of doubles. */
  public static double min(double[] x) {
    if (x.length == 0) {
      throw Refusals.empty("min");
    }
    double result = x[0];
    for (int i = 1; i < x.length; i++) {
      result = Math.min(result, x[i]);
    }
    return result;
  }

  /** The same of ints. */
  public static int min(int[] x) {
    if (x.length == 0) {
      throw Refusals.empty("min");
    }
    int result = x[0];
    for (int i = 1; i < x.length; i++) {
      result = Math.min(result, x[i]);
    }
    return result;
  }

  /** The same of longs. */
  public static long min(long[] x) {
    if (x.length == 0) {
      throw Refusals.empty("min");
    }
    long result = x[0];
    for (int i = 1; i < x.length; i++) {
      result = Math.min(result, x[i]);
    }
    return result;
  }

  /**
   * Returns the largest element, as {@code Math.max} finds it: NaN if one is NaN, 0.0 above −0.0.
   *
   * @param x vector of k ≥ 1
   * @throws IllegalArgumentException if x has no element
   */
  public static float max(float[] x) {
    if (x.length == 0) {
      throw Refusals.empty("max");
    }
    float result = x[0];
    for (int i = 1; i < x.length; i++) {
      result = Math.max(result, x[i]);
    }
    return result;
  }

  /** The same of doubles. */
  public static double max(double[] x) {
    if (x.length == 0) {
      throw Refusals.empty("max");
    }
    double result = x[0];
    for (int i = 1; i < x.length; i++) {
      result = Math.max(result, x[i]);
    }
    return result;
  }

  /** The same of ints. */
  public static int max(int[] x) {
    if (x.length == 0) {
      throw Refusals.empty("max");
    }
    int result = x[0];
    for (int i = 1; i < x.length; i++) {
      result = Math.max(result, x[i]);
    }
    return result;
  }

  /** The same of longs. */
  public static long max(long[] x) {
    if (x.length == 0) {
      throw Refusals.empty("max");
    }
    long result = x[0];
    for (int i = 1; i < x.length; i++) {
      result = Math.max(result, x[i]);
    }
    return result;
  }

  /**
   * Returns the first index, 0 to k − 1, of the smallest element. If one is NaN, it is the first
   * index of a NaN; 0.0 and −0.0 are equal.
   *
   * @param x vector of k ≥ 1
   * @throws IllegalArgumentException if x has no element
   */
  public static int argMin(float[] x) {
    if (x.length == 0) {
      throw Refusals.empty("argMin");
    }
    int best = 0;
    float least = x[0];
    for (int i = 1; i < x.length; i++) {
      if (x[i] < least || x[i] != x[i] && least == least) {
        best = i;
        least = x[i];
      }
    }
    return best;
  }

  /** The same of doubles. */
  public static int argMin(double[] x) {
    if (x.length == 0) {
      throw Refusals.empty("argMin");
    }
    int best = 0;
    double least = x[0];
    for (int i = 1; i < x.length; i++) {
      if (x[i] < least || x[i] != x[i] && least == least) {
        best = i;
        least = x[i];
      }
    }
    return best;
  }

  /** The same of ints. */
  public static int argMin(int[] x) {
    if (x.length == 0) {
      throw Refusals.empty("argMin");
    }
    int best = 0;
    int least = x[0];
    for (int i = 1; i < x.length; i++) {
      if (x[i] < least) {
        best = i;
        least = x[i];
      }
    }
    return best;
  }

  /** The same of longs. */
  public static int argMin(long[] x) {
    if (x.length == 0) {
      throw Refusals.empty("argMin");
    }
    int best = 0;
    long least = x[0];
    for (int i = 1; i < x.length; i++) {
      if (x[i] < least) {
        best = i;
        least = x[i];
      }
    }
    return best;
  }

  /**
   * Returns the first index, 0 to k − 1, of the largest element. If one is NaN, it is the first
   * index of a NaN; 0.0 and −0.0 are equal.
   *
   * @param x vector of k ≥ 1
   * @throws IllegalArgumentException if x has no element
   */
  public static int argMax(float[] x) {
    if (x.length == 0) {
      throw Refusals.empty("argMax");
    }
    int best = 0;
    float most = x[0];
    for (int i = 1; i < x.length; i++) {
      if (x[i] > most || x[i] != x[i] && most == most) {
        best = i;
        most = x[i];
      }
    }
    return best;
  }

  /** The same of doubles. */
  public static int argMax(double[] x) {
    if (x.length == 0) {
      throw Refusals.empty("argMax");
    }
    int best = 0;
    double most = x[0];
    for (int i = 1; i < x.length; i++) {
      if (x[i] > most || x[i] != x[i] && most == most) {
        best = i;
        most = x[i];
      }
    }
    return best;
  }

  /** The same of ints. */
  public static int argMax(int[] x) {
    if (x.length == 0) {
      throw Refusals.empty("argMax");
    }
    int best = 0;
    int most = x[0];
    for (int i = 1; i < x.length; i++) {
      if (x[i] > most) {
        best = i;
        most = x[i];
      }
    }
    return best;
  }

  /** The same of longs. */
  public static int argMax(long[] x) {
    if (x.length == 0) {
      throw Refusals.empty("argMax");
    }
    int best = 0;
    long most = x[0];
    for (int i = 1; i < x.length; i++) {
      if (x[i] > most) {
        best = i;
        most = x[i];
      }
    }
    return best;
  }
}
