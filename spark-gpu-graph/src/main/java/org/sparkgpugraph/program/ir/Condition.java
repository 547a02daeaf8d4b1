package org.sparkgpugraph.program.ir;

/**
 * Conditions of a {@link Insn.Branch} between two variables of one kind. For FLOAT and DOUBLE the
 * first six are false on NaN, but NE, which is true; the NOT_ forms are their exact complements (a
 * Java {@code if (a < b)} compiles to a jump on NOT_LT).
 */
public enum Condition {
  EQ(false, true, false, false),
  NE(true, false, true, true),
  LT(true, false, false, false),
  LE(true, true, false, false),
  GT(false, false, true, false),
  GE(false, true, true, false),
  NOT_LT(false, true, true, true),
  NOT_LE(false, false, true, true),
  NOT_GT(true, true, false, true),
  NOT_GE(true, false, false, true);

  /** Whether it holds where the left operand is less than, equal to, greater than the right one. */
  private final boolean less;

  private final boolean equal;
  private final boolean greater;

  /** Whether it holds where one of them is NaN. */
  private final boolean unordered;

  Condition(boolean less, boolean equal, boolean greater, boolean unordered) {
    this.less = less;
    this.equal = equal;
    this.greater = greater;
    this.unordered = unordered;
  }

  private static Condition of(boolean less, boolean equal, boolean greater, boolean unordered) {
    for (Condition c : values()) {
      if (c.less == less && c.equal == equal && c.greater == greater && c.unordered == unordered) {
        return c;
      }
    }
    throw new IllegalArgumentException("no condition holds just there");
  }

  /** The exact complement, also on NaN. */
  public Condition negate() {
    return of(!less, !equal, !greater, !unordered);
  }

  /** The same between the operands in the other order. */
  public Condition mirrored() {
    return of(greater, equal, less, unordered);
  }

  /** The same between integers, not a NOT_ form. */
  public Condition ofIntegers() {
    return this == NE ? NE : of(less, equal, greater, false);
  }

  /**
   * Whether it holds between numbers that can be compared.
   *
   * @param order negative, 0 or positive, as the left one is less than, equal to or greater than
   *     the right one
   */
  public boolean holds(int order) {
    return order == 0 ? equal : order < 0 ? less : greater;
  }

  /** Whether it holds between numbers of which one may be NaN. */
  public boolean holds(double left, double right) {
    return left < right ? less : left == right ? equal : left > right ? greater : unordered;
  }
}
