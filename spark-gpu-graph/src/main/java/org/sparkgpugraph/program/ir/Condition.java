package org.sparkgpugraph.program.ir;

/**
 * Conditions of a {@link Insn.Branch} between two variables of one kind. For FLOAT and DOUBLE the
 * first six are false on NaN, but NE, which is true; the NOT_ forms are their exact complements (a
 * Java {@code if (a < b)} compiles to a jump on NOT_LT).
 */
public enum Condition {
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  NOT_LT,
  NOT_LE,
  NOT_GT,
  NOT_GE;

  /** The exact complement, also on NaN. */
  public Condition negate() {
    return switch (this) {
      case EQ -> NE;
      case NE -> EQ;
      case LT -> NOT_LT;
      case LE -> NOT_LE;
      case GT -> NOT_GT;
      case GE -> NOT_GE;
      case NOT_LT -> LT;
      case NOT_LE -> LE;
      case NOT_GT -> GT;
      case NOT_GE -> GE;
    };
  }

  /**
   * Whether it holds between numbers that can be compared.
   *
   * @param order negative, 0 or positive, as the left one is less than, equal to or greater than
   *     the right one
   */
  public boolean holds(int order) {
    return switch (this) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT, NOT_GE -> order < 0;
      case LE, NOT_GT -> order <= 0;
      case GT, NOT_LE -> order > 0;
      case GE, NOT_LT -> order >= 0;
    };
  }
}
