package org.sparkgpugraph.vector;

/** What is wrong with arguments, in words: the numbers, where they are, and what to do. */
final class Refusals {
  /** The most rows of a square matrix in one array: 46340² is below 2³¹. */
  static final int MOST_ROWS = 46340;

  private static final String REGULARISE =
      "; add a small number to the diagonal (Matrices.addToDiagonal), or drop what depends on the"
          + " rest";

  private Refusals() {}

  static IllegalArgumentException lengths(String one, int oneLength, String other, int length) {
    return new IllegalArgumentException(
        one
            + " has "
            + elements(oneLength)
            + " and "
            + other
            + " has "
            + elements(length)
            + ": make both vectors of the same length k");
  }

  static IllegalArgumentException matrix(int length, int k) {
    return new IllegalArgumentException(
        "the matrix has "
            + elements(length)
            + " and the vector has "
            + elements(k)
            + ": with a vector of k numbers goes a matrix of k x k, here of "
            + (long) k * k
            + " elements, row by row");
  }

  static IllegalArgumentException square(int length) {
    return new IllegalArgumentException(
        "the matrix has "
            + elements(length)
            + ", which is no k x k: give all elements of a square matrix, row by row");
  }

  static IllegalArgumentException rows(int k) {
    return new IllegalArgumentException(
        "a matrix of k x k with k = " + k + ": k may be 0 to " + MOST_ROWS);
  }

  static IllegalArgumentException empty(String method) {
    return new IllegalArgumentException(
        method + " of a vector of length 0: it has no such element, give one of at least 1");
  }

  static IndexOutOfBoundsException element(int k, int row, int column) {
    return new IndexOutOfBoundsException(
        "row "
            + row
            + ", column "
            + column
            + " of a matrix of "
            + k
            + " x "
            + k
            + ": rows and columns are 0 to "
            + (k - 1));
  }

  static ArithmeticException notFinite(int row, int column, double value) {
    return new ArithmeticException(
        "row "
            + row
            + ", column "
            + column
            + " of the matrix is "
            + value
            + ": a solver needs finite numbers, look at how the matrix was made");
  }

  static ArithmeticException rightHandSide(int index, double value) {
    return new ArithmeticException(
        "element "
            + index
            + " of the right-hand side is "
            + value
            + ": a solver needs finite numbers, look at how the vector was made");
  }

  static ArithmeticException zeroRow(int row) {
    return new ArithmeticException(
        "the matrix is singular: all elements of row " + row + " are 0.0" + REGULARISE);
  }

  static ArithmeticException singular(int column, double pivot, double largest) {
    return new ArithmeticException(
        "the matrix is singular up to rounding: of column "
            + column
            + ", whose largest element is "
            + largest
            + " (rows scaled to 1), "
            + pivot
            + " is left once the columns before it are taken out"
            + REGULARISE);
  }

  static ArithmeticException notPositiveDefinite(int row, double pivot, double diagonal) {
    return new ArithmeticException(
        "the matrix is not positive definite, or singular up to rounding: of row "
            + row
            + ", column "
            + row
            + ", which is "
            + diagonal
            + ", "
            + pivot
            + " is left once the rows before it are taken out"
            + REGULARISE
            + "; a matrix that is not positive definite is for Lu");
  }

  static ArithmeticException overflow(int index, double value) {
    return new ArithmeticException(
        "element "
            + index
            + " of the solution is "
            + value
            + ": the solution is too large for its type, scale the equations or use doubles");
  }

  private static String elements(int count) {
    return count == 1 ? "1 element" : count + " elements";
  }
}
