package org.sparkgpugraph.vector;

/**
 * Norms of a vector of k numbers, distances, and vectors made of length 1. Sums are taken in the
 * order of the index, each step rounded to the element's type. Squares of floats overflow to
 * infinity from 1.8e19 on and vanish below 2.6e-23 (doubles: 1.3e154 and 1.5e-162): scale such
 * vectors first.
 */
public final class Norms {
  private Norms() {}

  /**
   * Returns the L1 norm, the sum of the magnitudes; 0 for k = 0.
   *
   * @param x vector of k
   */
  public static float l1(float[] x) {
    float result = 0.0f;
    for (int i = 0; i < x.length; i++) {
      result += Math.abs(x[i]);
    }
    return result;
  }

  /** The same of doubles. */
  public static double l1(double[] x) {
    double result = 0.0;
    for (int i = 0; i < x.length; i++) {
      result += Math.abs(x[i]);
    }
    return result;
  }

  /**
   * Returns the L2 norm (the length): the root of the sum of squares; 0 for k = 0.
   *
   * @param x vector of k
   */
  public static float l2(float[] x) {
    return (float) Math.sqrt(Reductions.dot(x, x));
  }

  /** The same of doubles. */
  public static double l2(double[] x) {
    return Math.sqrt(Reductions.dot(x, x));
  }

  /**
   * Returns the maximum norm, the largest magnitude: NaN if an element is NaN; 0 for k = 0.
   *
   * @param x vector of k
   */
  public static float maximum(float[] x) {
    float result = 0.0f;
    for (int i = 0; i < x.length; i++) {
      result = Math.max(result, Math.abs(x[i]));
    }
    return result;
  }

  /** The same of doubles. */
  public static double maximum(double[] x) {
    double result = 0.0;
    for (int i = 0; i < x.length; i++) {
      result = Math.max(result, Math.abs(x[i]));
    }
    return result;
  }

  /**
   * Returns the square of the Euclidean distance, the sum of (x[i] − y[i])².
   *
   * @param x vector of k
   * @param y vector of k
   * @throws IllegalArgumentException if the lengths differ
   */
  public static float distanceSquared(float[] x, float[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    float result = 0.0f;
    for (int i = 0; i < x.length; i++) {
      float difference = x[i] - y[i];
      result += difference * difference;
    }
    return result;
  }

  /** The same of doubles. */
  public static double distanceSquared(double[] x, double[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    double result = 0.0;
    for (int i = 0; i < x.length; i++) {
      double difference = x[i] - y[i];
      result += difference * difference;
    }
    return result;
  }

  /**
   * Returns x divided by the sum of its elements, so that they sum to 1; a copy of x if the sum is
   * 0.
   *
   * @param x vector of k
   * @return a new vector of k
   */
  public static float[] unitSum(float[] x) {
    float sum = Reductions.sum(x);
    float[] z = x.clone();
    if (sum != 0) {
      for (int i = 0; i < z.length; i++) {
        z[i] /= sum;
      }
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] unitSum(double[] x) {
    double sum = Reductions.sum(x);
    double[] z = x.clone();
    if (sum != 0) {
      for (int i = 0; i < z.length; i++) {
        z[i] /= sum;
      }
    }
    return z;
  }

  /**
   * Returns x divided by its L2 norm, so that its length is 1; a copy of x if the norm is 0.
   *
   * @param x vector of k
   * @return a new vector of k
   */
  public static float[] unitLength(float[] x) {
    float length = l2(x);
    float[] z = x.clone();
    if (length != 0) {
      for (int i = 0; i < z.length; i++) {
        z[i] /= length;
      }
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] unitLength(double[] x) {
    double length = l2(x);
    double[] z = x.clone();
    if (length != 0) {
      for (int i = 0; i < z.length; i++) {
        z[i] /= length;
      }
    }
    return z;
  }
}
