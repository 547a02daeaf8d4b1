package org.sparkgpugraph.vector;

/**
 * Equations and inverses of square matrices in general, by LU decomposition with partial pivoting.
 * Rows are first multiplied by powers of two, so that the largest element of each is in [1, 2):
 * what is a large pivot then does not depend on the unit of an equation. {@link Cholesky} does half
 * the work where the matrix is symmetric and positive definite.
 *
 * <p>Each step is rounded to the element's type. What cannot be solved is an {@code
 * ArithmeticException} that names row, column and number: an element that is NaN or infinite, a
 * matrix that is singular up to rounding (no pivot left in a column above 4 k ε times the column's
 * largest element, where ε is the step from 1 to the next number), and a solution that overflows.
 */
public final class Lu {
  private Lu() {}

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
    float[] lu = a.clone();
    int[] exponents = balance(lu, k);
    int[] order = factor(lu, k);
    float[] x = substitute(lu, order, exponents, b);
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
    double[] lu = a.clone();
    int[] exponents = balance(lu, k);
    int[] order = factor(lu, k);
    double[] x = substitute(lu, order, exponents, b);
    Finite.checkSolution(x);
    return x;
  }

  /**
   * Returns the inverse.
   *
   * @param a matrix of k × k
   * @return a new matrix of k × k
   * @throws IllegalArgumentException if the number of elements is no square
   * @throws ArithmeticException if there is no inverse, as above
   */
  public static float[] inverse(float[] a) {
    int k = Matrices.dimension(a.length);
    float[] lu = a.clone();
    int[] exponents = balance(lu, k);
    int[] order = factor(lu, k);
    float[] z = new float[a.length];
    for (int column = 0; column < k; column++) {
      float[] unit = new float[k];
      unit[column] = 1.0f;
      float[] x = substitute(lu, order, exponents, unit);
      Finite.checkSolution(x);
      for (int i = 0; i < k; i++) {
        z[i * k + column] = x[i];
      }
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] inverse(double[] a) {
    int k = Matrices.dimension(a.length);
    double[] lu = a.clone();
    int[] exponents = balance(lu, k);
    int[] order = factor(lu, k);
    double[] z = new double[a.length];
    for (int column = 0; column < k; column++) {
      double[] unit = new double[k];
      unit[column] = 1.0;
      double[] x = substitute(lu, order, exponents, unit);
      Finite.checkSolution(x);
      for (int i = 0; i < k; i++) {
        z[i * k + column] = x[i];
      }
    }
    return z;
  }

  /** Multiplies each row by a power of two, and returns the exponents. */
  private static int[] balance(float[] a, int k) {
    Finite.checkMatrix(a, k);
    int[] exponents = new int[k];
    for (int i = 0; i < k; i++) {
      float largest = 0.0f;
      for (int j = 0; j < k; j++) {
        largest = Math.max(largest, Math.abs(a[i * k + j]));
      }
      if (largest == 0) {
        throw Refusals.zeroRow(i);
      }
      exponents[i] = -Math.getExponent(largest);
      for (int j = 0; j < k; j++) {
        a[i * k + j] = Math.scalb(a[i * k + j], exponents[i]);
      }
    }
    return exponents;
  }

  private static int[] balance(double[] a, int k) {
    Finite.checkMatrix(a, k);
    int[] exponents = new int[k];
    for (int i = 0; i < k; i++) {
      double largest = 0.0;
      for (int j = 0; j < k; j++) {
        largest = Math.max(largest, Math.abs(a[i * k + j]));
      }
      if (largest == 0) {
        throw Refusals.zeroRow(i);
      }
      exponents[i] = -Math.getExponent(largest);
      for (int j = 0; j < k; j++) {
        a[i * k + j] *= powerOfTwo(exponents[i]);
      }
    }
    return exponents;
  }

  /** 2 to the power of −1023 to 1023, also where Math.scalb is none of the lifted methods. */
  private static double powerOfTwo(int exponent) {
    return exponent < Double.MIN_EXPONENT
        ? 0x1p-1023
        : Double.longBitsToDouble((exponent + 1023L) << 52);
  }

  /** Puts L below the diagonal and U above it, and returns which row went where. */
  private static int[] factor(float[] a, int k) {
    float[] largest = new float[k];
    int[] order = new int[k];
    for (int i = 0; i < k; i++) {
      order[i] = i;
      for (int j = 0; j < k; j++) {
        largest[j] = Math.max(largest[j], Math.abs(a[i * k + j]));
      }
    }
    float tolerance = 4 * k * Math.ulp(1.0f);
    for (int p = 0; p < k; p++) {
      int row = p;
      for (int i = p + 1; i < k; i++) {
        if (Math.abs(a[i * k + p]) > Math.abs(a[row * k + p])) {
          row = i;
        }
      }
      float pivot = a[row * k + p];
      // Not <=: what overflowed may have become NaN.
      if (!(Math.abs(pivot) > tolerance * largest[p])) {
        throw Refusals.singular(p, pivot, largest[p]);
      }
      exchange(a, k, order, p, row);
      for (int i = p + 1; i < k; i++) {
        float factor = a[i * k + p] / pivot;
        a[i * k + p] = factor;
        for (int j = p + 1; j < k; j++) {
          a[i * k + j] -= factor * a[p * k + j];
        }
      }
    }
    return order;
  }

  private static int[] factor(double[] a, int k) {
    double[] largest = new double[k];
    int[] order = new int[k];
    for (int i = 0; i < k; i++) {
      order[i] = i;
      for (int j = 0; j < k; j++) {
        largest[j] = Math.max(largest[j], Math.abs(a[i * k + j]));
      }
    }
    double tolerance = 4 * k * Math.ulp(1.0);
    for (int p = 0; p < k; p++) {
      int row = p;
      for (int i = p + 1; i < k; i++) {
        if (Math.abs(a[i * k + p]) > Math.abs(a[row * k + p])) {
          row = i;
        }
      }
      double pivot = a[row * k + p];
      // Not <=: what overflowed may have become NaN.
      if (!(Math.abs(pivot) > tolerance * largest[p])) {
        throw Refusals.singular(p, pivot, largest[p]);
      }
      exchange(a, k, order, p, row);
      for (int i = p + 1; i < k; i++) {
        double factor = a[i * k + p] / pivot;
        a[i * k + p] = factor;
        for (int j = p + 1; j < k; j++) {
          a[i * k + j] -= factor * a[p * k + j];
        }
      }
    }
    return order;
  }

  private static void exchange(float[] a, int k, int[] order, int p, int row) {
    for (int j = 0; j < k; j++) {
      float element = a[p * k + j];
      a[p * k + j] = a[row * k + j];
      a[row * k + j] = element;
    }
    int moved = order[p];
    order[p] = order[row];
    order[row] = moved;
  }

  private static void exchange(double[] a, int k, int[] order, int p, int row) {
    for (int j = 0; j < k; j++) {
      double element = a[p * k + j];
      a[p * k + j] = a[row * k + j];
      a[row * k + j] = element;
    }
    int moved = order[p];
    order[p] = order[row];
    order[row] = moved;
  }

  private static float[] substitute(float[] lu, int[] order, int[] exponents, float[] b) {
    int k = b.length;
    float[] x = new float[k];
    for (int i = 0; i < k; i++) {
      float sum = Math.scalb(b[order[i]], exponents[order[i]]);
      for (int j = 0; j < i; j++) {
        sum -= lu[i * k + j] * x[j];
      }
      x[i] = sum;
    }
    for (int i = k - 1; i >= 0; i--) {
      float sum = x[i];
      for (int j = i + 1; j < k; j++) {
        sum -= lu[i * k + j] * x[j];
      }
      x[i] = sum / lu[i * k + i];
    }
    return x;
  }

  private static double[] substitute(double[] lu, int[] order, int[] exponents, double[] b) {
    int k = b.length;
    double[] x = new double[k];
    for (int i = 0; i < k; i++) {
      double sum = b[order[i]] * powerOfTwo(exponents[order[i]]);
      for (int j = 0; j < i; j++) {
        sum -= lu[i * k + j] * x[j];
      }
      x[i] = sum;
    }
    for (int i = k - 1; i >= 0; i--) {
      double sum = x[i];
      for (int j = i + 1; j < k; j++) {
        sum -= lu[i * k + j] * x[j];
      }
      x[i] = sum / lu[i * k + i];
    }
    return x;
  }
}
