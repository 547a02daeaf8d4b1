package org.sparkgpugraph.vector;

/**
 * Equations and inverses of symmetric positive definite matrices, by A = L Lᵀ: half the work of
 * {@link Lu}, and no exchange of rows. Of a matrix of k × k numbers, row by row, only the elements
 * on and below the diagonal are read; that those above equal them is the caller's word.
 *
 * <p>Each step is rounded to the element's type. What cannot be solved is an {@code
 * ArithmeticException} that names row, column and number: an element that is NaN or infinite, a
 * matrix that is not positive definite or singular up to rounding (a pivot of at most 4 k ε times
 * the diagonal's element, where ε is the step from 1 to the next number), and a solution that
 * overflows.
 */
public final class Cholesky {
  private Cholesky() {}

  /**
   * Solves A x = b.
   *
   * @param a matrix of k × k
   * @param b vector of k
   * @return x with A x = b, a new vector of k
   * @throws IllegalArgumentException unless a has k × k elements
   * @throws ArithmeticException if there is no solution, as above
   */
  public static float[] solve(float[] a, float[] b) {
    int k = b.length;
    if (a.length != (long) k * k) {
      throw Refusals.matrix(a.length, k);
    }
    Finite.checkVector(b);
    float[] l = factor(a, k);
    float[] x = b.clone();
    substitute(l, x);
    Finite.checkSolution(x);
    return x;
  }

  /** The same of doubles. */
  public static double[] solve(double[] a, double[] b) {
    int k = b.length;
    if (a.length != (long) k * k) {
      throw Refusals.matrix(a.length, k);
    }
    Finite.checkVector(b);
    double[] l = factor(a, k);
    double[] x = b.clone();
    substitute(l, x);
    Finite.checkSolution(x);
    return x;
  }

  /**
   * Returns the inverse, which is symmetric, too.
   *
   * @param a matrix of k × k
   * @return a new matrix of k × k
   * @throws IllegalArgumentException if the number of elements is no square
   * @throws ArithmeticException if there is no inverse, as above
   */
  public static float[] inverse(float[] a) {
    int k = Matrices.dimension(a.length);
    float[] l = factor(a, k);
    float[] z = new float[a.length];
    for (int column = 0; column < k; column++) {
      float[] x = new float[k];
      x[column] = 1.0f;
      substitute(l, x);
      Finite.checkSolution(x);
      // Mirrored, so that the inverse is symmetric to the bit.
      for (int i = column; i < k; i++) {
        z[i * k + column] = x[i];
        z[column * k + i] = x[i];
      }
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] inverse(double[] a) {
    int k = Matrices.dimension(a.length);
    double[] l = factor(a, k);
    double[] z = new double[a.length];
    for (int column = 0; column < k; column++) {
      double[] x = new double[k];
      x[column] = 1.0;
      substitute(l, x);
      Finite.checkSolution(x);
      // Mirrored, so that the inverse is symmetric to the bit.
      for (int i = column; i < k; i++) {
        z[i * k + column] = x[i];
        z[column * k + i] = x[i];
      }
    }
    return z;
  }

  /** Returns L; above its diagonal are elements of A. */
  private static float[] factor(float[] a, int k) {
    Finite.checkLowerTriangle(a, k);
    float[] l = a.clone();
    float[] diagonal = new float[k];
    for (int i = 0; i < k; i++) {
      diagonal[i] = a[i * k + i];
    }
    float tolerance = 4 * k * Math.ulp(1.0f);
    float[] column = new float[k];
    // Whole columns at a time, so that rows have nothing to do with each other: lanes share them.
    for (int p = 0; p < k; p++) {
      float pivot = l[p * k + p];
      // Not <=: the pivot of an indefinite matrix may be NaN.
      if (!(pivot > tolerance * diagonal[p])) {
        throw Refusals.notPositiveDefinite(p, pivot, diagonal[p]);
      }
      float root = (float) Math.sqrt(pivot);
      l[p * k + p] = root;
      for (int i = p + 1; i < k; i++) {
        float factor = l[i * k + p] / root;
        l[i * k + p] = factor;
        column[i] = factor;
      }
      for (int i = p + 1; i < k; i++) {
        float factor = column[i];
        for (int j = p + 1; j <= i; j++) {
          l[i * k + j] -= factor * column[j];
        }
      }
    }
    return l;
  }

  private static double[] factor(double[] a, int k) {
    Finite.checkLowerTriangle(a, k);
    double[] l = a.clone();
    double[] diagonal = new double[k];
    for (int i = 0; i < k; i++) {
      diagonal[i] = a[i * k + i];
    }
    double tolerance = 4 * k * Math.ulp(1.0);
    double[] column = new double[k];
    // Whole columns at a time, so that rows have nothing to do with each other: lanes share them.
    for (int p = 0; p < k; p++) {
      double pivot = l[p * k + p];
      // Not <=: the pivot of an indefinite matrix may be NaN.
      if (!(pivot > tolerance * diagonal[p])) {
        throw Refusals.notPositiveDefinite(p, pivot, diagonal[p]);
      }
      double root = Math.sqrt(pivot);
      l[p * k + p] = root;
      for (int i = p + 1; i < k; i++) {
        double factor = l[i * k + p] / root;
        l[i * k + p] = factor;
        column[i] = factor;
      }
      for (int i = p + 1; i < k; i++) {
        double factor = column[i];
        for (int j = p + 1; j <= i; j++) {
          l[i * k + j] -= factor * column[j];
        }
      }
    }
    return l;
  }

  /** Makes the solution of the right-hand side in x. */
  private static void substitute(float[] l, float[] x) {
    int k = x.length;
    for (int p = 0; p < k; p++) {
      float solved = x[p] / l[p * k + p];
      x[p] = solved;
      for (int i = p + 1; i < k; i++) {
        x[i] -= l[i * k + p] * solved;
      }
    }
    for (int p = k - 1; p >= 0; p--) {
      float solved = x[p] / l[p * k + p];
      x[p] = solved;
      for (int i = 0; i < p; i++) {
        x[i] -= l[p * k + i] * solved;
      }
    }
  }

  private static void substitute(double[] l, double[] x) {
    int k = x.length;
    for (int p = 0; p < k; p++) {
      double solved = x[p] / l[p * k + p];
      x[p] = solved;
      for (int i = p + 1; i < k; i++) {
        x[i] -= l[i * k + p] * solved;
      }
    }
    for (int p = k - 1; p >= 0; p--) {
      double solved = x[p] / l[p * k + p];
      x[p] = solved;
      for (int i = 0; i < p; i++) {
        x[i] -= l[p * k + i] * solved;
      }
    }
  }
}
