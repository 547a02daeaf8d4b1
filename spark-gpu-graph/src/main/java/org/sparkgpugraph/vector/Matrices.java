package org.sparkgpugraph.vector;

/**
 * Square matrices of k × k numbers as arrays of k · k, row by row, and their products with vectors
 * of k numbers. Methods whose names end in To or Diagonal change their first argument and no other;
 * all others return a new array. Sums are taken in the order of the index, each step rounded to the
 * element's type.
 */
public final class Matrices {
  private Matrices() {}

  /**
   * Returns where an element of a matrix of k × k is in its array: {@code row * k + column}.
   *
   * @param k number of rows and columns
   * @param row 0 to k − 1
   * @param column 0 to k − 1
   * @throws IndexOutOfBoundsException if there is no such row or column
   */
  public static int index(int k, int row, int column) {
    if (row < 0 || row >= k || column < 0 || column >= k) {
      throw Refusals.element(k, row, column);
    }
    return row * k + column;
  }

  /**
   * Returns the identity of k × k: ones on the diagonal, zeros elsewhere.
   *
   * @param k number of rows, 0 to 46340
   * @return a new matrix of k × k
   * @throws IllegalArgumentException if k is not in that range
   */
  public static float[] floatIdentity(int k) {
    if (k < 0 || k > Refusals.MOST_ROWS) {
      throw Refusals.rows(k);
    }
    float[] a = new float[k * k];
    for (int i = 0; i < k; i++) {
      a[i * k + i] = 1.0f;
    }
    return a;
  }

  /**
   * Returns the identity of k × k: ones on the diagonal, zeros elsewhere.
   *
   * @param k number of rows, 0 to 46340
   * @return a new matrix of k × k
   * @throws IllegalArgumentException if k is not in that range
   */
  public static double[] doubleIdentity(int k) {
    if (k < 0 || k > Refusals.MOST_ROWS) {
      throw Refusals.rows(k);
    }
    double[] a = new double[k * k];
    for (int i = 0; i < k; i++) {
      a[i * k + i] = 1.0;
    }
    return a;
  }

  /**
   * Returns the transpose: rows become columns.
   *
   * @param a matrix of k × k
   * @return a new matrix of k × k
   * @throws IllegalArgumentException if the number of elements is no square
   */
  public static float[] transpose(float[] a) {
    int k = dimension(a.length);
    float[] z = new float[a.length];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        z[j * k + i] = a[i * k + j];
      }
    }
    return z;
  }

  /** The same of doubles. */
  public static double[] transpose(double[] a) {
    int k = dimension(a.length);
    double[] z = new double[a.length];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        z[j * k + i] = a[i * k + j];
      }
    }
    return z;
  }

  /**
   * Returns the product of matrix and vector, A x: y[i] is the sum of a[i, j] · x[j].
   *
   * @param a matrix of k × k
   * @param x vector of k
   * @return a new vector of k
   * @throws IllegalArgumentException unless a has k × k elements
   */
  public static float[] multiply(float[] a, float[] x) {
    int k = x.length;
    if (a.length != (long) k * k) {
      throw Refusals.matrix(a.length, k);
    }
    float[] y = new float[k];
    for (int i = 0; i < k; i++) {
      float sum = 0.0f;
      for (int j = 0; j < k; j++) {
        sum += a[i * k + j] * x[j];
      }
      y[i] = sum;
    }
    return y;
  }

  /** The same of doubles. */
  public static double[] multiply(double[] a, double[] x) {
    int k = x.length;
    if (a.length != (long) k * k) {
      throw Refusals.matrix(a.length, k);
    }
    double[] y = new double[k];
    for (int i = 0; i < k; i++) {
      double sum = 0.0;
      for (int j = 0; j < k; j++) {
        sum += a[i * k + j] * x[j];
      }
      y[i] = sum;
    }
    return y;
  }

  /**
   * Returns the product of the transposed vector and a matrix, xᵀ A: y[j] is the sum of x[i] · a[i,
   * j].
   *
   * @param x vector of k
   * @param a matrix of k × k
   * @return a new vector of k
   * @throws IllegalArgumentException unless a has k × k elements
   */
  public static float[] multiplyTransposed(float[] x, float[] a) {
    int k = x.length;
    if (a.length != (long) k * k) {
      throw Refusals.matrix(a.length, k);
    }
    float[] y = new float[k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        y[j] += x[i] * a[i * k + j];
      }
    }
    return y;
  }

  /** The same of doubles. */
  public static double[] multiplyTransposed(double[] x, double[] a) {
    int k = x.length;
    if (a.length != (long) k * k) {
      throw Refusals.matrix(a.length, k);
    }
    double[] y = new double[k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        y[j] += x[i] * a[i * k + j];
      }
    }
    return y;
  }

  /**
   * Adds the outer product of two vectors to a matrix, A += x yᵀ: a[i, j] += x[i] · y[j].
   *
   * @param a matrix of k × k, changed; another array than x and y
   * @param x vector of k
   * @param y vector of k
   * @throws IllegalArgumentException if the lengths differ, or unless a has k × k elements
   */
  public static void addOuterTo(float[] a, float[] x, float[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    int k = x.length;
    if (a.length != (long) k * k) {
      throw Refusals.matrix(a.length, k);
    }
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        a[i * k + j] += x[i] * y[j];
      }
    }
  }

  /** The same of doubles. */
  public static void addOuterTo(double[] a, double[] x, double[] y) {
    if (x.length != y.length) {
      throw Refusals.lengths("x", x.length, "y", y.length);
    }
    int k = x.length;
    if (a.length != (long) k * k) {
      throw Refusals.matrix(a.length, k);
    }
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        a[i * k + j] += x[i] * y[j];
      }
    }
  }

  /**
   * Adds a number to each element of the diagonal, A += number · I, as a regularisation does.
   *
   * @param a matrix of k × k, changed
   * @param number what is added
   * @throws IllegalArgumentException if the number of elements is no square
   */
  public static void addToDiagonal(float[] a, float number) {
    int k = dimension(a.length);
    for (int i = 0; i < k; i++) {
      a[i * k + i] += number;
    }
  }

  /** The same of doubles. */
  public static void addToDiagonal(double[] a, double number) {
    int k = dimension(a.length);
    for (int i = 0; i < k; i++) {
      a[i * k + i] += number;
    }
  }

  /** Returns k of an array of k · k numbers. */
  static int dimension(int length) {
    int k = (int) Math.sqrt(length);
    if (k * k != length) {
      throw Refusals.square(length);
    }
    return k;
  }
}
