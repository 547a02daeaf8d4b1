package org.sparkgpugraph.program.ir;

/**
 * Library functions that both printers know. Operand kinds are those of the argument variables, the
 * result kind is that of the target variable; the semantics are those of the Java method named
 * beside each, to the bit unless it says otherwise.
 */
public enum Intrinsic {
  /** Math.min, Integer.min, … on INT, LONG, FLOAT, DOUBLE (NaN wins, −0.0 &lt; 0.0). */
  MIN("min", 2),
  MAX("max", 2),
  /**
   * The one that COMPARE_TOTAL puts first, on FLOAT and DOUBLE: NaN is the largest number, so that
   * one that is none gives way to any other; −0.0 &lt; 0.0. What SQL calls the least.
   */
  LEAST("least", 2),
  ABS("abs", 1),
  /** Double.compare / Float.compare / Integer.compare / Long.compare, also compareTo of boxes. */
  COMPARE_TOTAL("compare", 2),
  /** Correctly rounded: bit-exact everywhere. */
  SQRT("sqrt", 1),
  FLOOR("floor", 1),
  CEIL("ceil", 1),
  RINT("rint", 1),
  /** Math.round: DOUBLE → LONG, FLOAT → INT. */
  ROUND("round", 1),
  FMA("fma", 3),
  SIGNUM("signum", 1),
  /** StrictMath.copySign: a NaN as sign counts as positive (the sign of a computed NaN is open). */
  COPY_SIGN("copySign", 2),
  /** Within the ulp that Java's Math allows; not bit-equal between engines. */
  EXP("exp", 1),
  EXPM1("expm1", 1),
  LOG("log", 1),
  LOG10("log10", 1),
  LOG1P("log1p", 1),
  SIN("sin", 1),
  COS("cos", 1),
  TAN("tan", 1),
  ASIN("asin", 1),
  ACOS("acos", 1),
  ATAN("atan", 1),
  ATAN2("atan2", 2),
  SINH("sinh", 1),
  COSH("cosh", 1),
  TANH("tanh", 1),
  CBRT("cbrt", 1),
  HYPOT("hypot", 2),
  POW("pow", 2),
  /** Predicates, result INT 0 or 1. */
  IS_NAN("isNaN", 1),
  IS_INFINITE("isInfinite", 1),
  IS_FINITE("isFinite", 1),
  /** doubleToLongBits / floatToIntBits (canonical NaN) and the raw forms and their inverses. */
  TO_BITS(null, 1),
  TO_RAW_BITS(null, 1),
  FROM_BITS(null, 1),
  /** Integer./Long. bit counting. */
  BIT_COUNT("bitCount", 1),
  LEADING_ZEROS("numberOfLeadingZeros", 1),
  TRAILING_ZEROS("numberOfTrailingZeros", 1),
  REVERSE("reverse", 1),
  HIGHEST_ONE_BIT("highestOneBit", 1),
  LOWEST_ONE_BIT("lowestOneBit", 1),
  ROTATE_LEFT("rotateLeft", 2),
  ROTATE_RIGHT("rotateRight", 2),
  MULTIPLY_HIGH("multiplyHigh", 2),
  FLOOR_DIV("floorDiv", 2),
  FLOOR_MOD("floorMod", 2);

  private final String method;
  private final int arity;

  Intrinsic(String method, int arity) {
    this.method = method;
    this.arity = arity;
  }

  /** Name of the Java method; null where that depends on the kinds. */
  public String method() {
    return method;
  }

  /** Number of arguments. */
  public int arity() {
    return arity;
  }

  /** Whether it is a function of Math that takes and returns doubles only. */
  public boolean isReal() {
    return isExact() || compareTo(EXP) >= 0 && compareTo(POW) <= 0;
  }

  /** Whether it is such a function that gives the same when all of it is done on floats. */
  public boolean isExact() {
    return compareTo(SQRT) >= 0 && compareTo(RINT) <= 0;
  }
}
