package org.sparkgpugraph.program.ir;

/**
 * Library functions that both printers know. Operand kinds are those of the argument variables, the
 * result kind is that of the target variable; the semantics are those of the Java method named
 * beside each, to the bit unless it says otherwise.
 */
public enum Intrinsic {
  /** Math.min, Integer.min, … on INT, LONG, FLOAT, DOUBLE (NaN wins, −0.0 &lt; 0.0). */
  MIN(2),
  MAX(2),
  ABS(1),
  /** Double.compare / Float.compare / Integer.compare / Long.compare, also compareTo of boxes. */
  COMPARE_TOTAL(2),
  /** Correctly rounded: bit-exact everywhere. */
  SQRT(1),
  FLOOR(1),
  CEIL(1),
  RINT(1),
  /** Math.round: DOUBLE → LONG, FLOAT → INT. */
  ROUND(1),
  FMA(3),
  SIGNUM(1),
  /** StrictMath.copySign: a NaN as sign counts as positive (the sign of a computed NaN is open). */
  COPY_SIGN(2),
  /** Within the ulp that Java's Math allows; not bit-equal between engines. */
  EXP(1),
  EXPM1(1),
  LOG(1),
  LOG10(1),
  LOG1P(1),
  SIN(1),
  COS(1),
  TAN(1),
  ASIN(1),
  ACOS(1),
  ATAN(1),
  ATAN2(2),
  SINH(1),
  COSH(1),
  TANH(1),
  CBRT(1),
  HYPOT(2),
  POW(2),
  /** Predicates, result INT 0 or 1. */
  IS_NAN(1),
  IS_INFINITE(1),
  IS_FINITE(1),
  /** doubleToLongBits / floatToIntBits (canonical NaN) and the raw forms and their inverses. */
  TO_BITS(1),
  TO_RAW_BITS(1),
  FROM_BITS(1),
  /** Integer./Long. bit counting. */
  BIT_COUNT(1),
  LEADING_ZEROS(1),
  TRAILING_ZEROS(1),
  REVERSE(1),
  HIGHEST_ONE_BIT(1),
  LOWEST_ONE_BIT(1),
  ROTATE_LEFT(2),
  ROTATE_RIGHT(2),
  MULTIPLY_HIGH(2),
  FLOOR_DIV(2),
  FLOOR_MOD(2);

  private final int arity;

  Intrinsic(int arity) {
    this.arity = arity;
  }

  /** Number of arguments. */
  public int arity() {
    return arity;
  }
}
