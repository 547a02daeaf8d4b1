package org.sparkgpugraph.vector;

/** Refuses NaN and infinite numbers, which solvers cannot use. */
final class Finite {
  private Finite() {}

  static void checkVector(float[] b) {
    for (int i = 0; i < b.length; i++) {
      if (!Float.isFinite(b[i])) {
        throw Refusals.rightHandSide(i, b[i]);
      }
    }
  }

  static void checkVector(double[] b) {
    for (int i = 0; i < b.length; i++) {
      if (!Double.isFinite(b[i])) {
        throw Refusals.rightHandSide(i, b[i]);
      }
    }
  }

  static void checkMatrix(float[] a, int k) {
    for (int i = 0; i < a.length; i++) {
      if (!Float.isFinite(a[i])) {
        throw Refusals.notFinite(i / k, i % k, a[i]);
      }
    }
  }

  static void checkMatrix(double[] a, int k) {
    for (int i = 0; i < a.length; i++) {
      if (!Double.isFinite(a[i])) {
        throw Refusals.notFinite(i / k, i % k, a[i]);
      }
    }
  }

  static void checkLowerTriangle(float[] a, int k) {
    for (int i = 0; i < k; i++) {
      for (int j = 0; j <= i; j++) {
        if (!Float.isFinite(a[i * k + j])) {
          throw Refusals.notFinite(i, j, a[i * k + j]);
        }
      }
    }
  }

  static void checkLowerTriangle(double[] a, int k) {
    for (int i = 0; i < k; i++) {
      for (int j = 0; j <= i; j++) {
        if (!Double.isFinite(a[i * k + j])) {
          throw Refusals.notFinite(i, j, a[i * k + j]);
        }
      }
    }
  }

  static void checkSolution(float[] x) {
    for (int i = 0; i < x.length; i++) {
      if (!Float.isFinite(x[i])) {
        throw Refusals.overflow(i, x[i]);
      }
    }
  }

  static void checkSolution(double[] x) {
    for (int i = 0; i < x.length; i++) {
      if (!Double.isFinite(x[i])) {
        throw Refusals.overflow(i, x[i]);
      }
    }
  }
}
