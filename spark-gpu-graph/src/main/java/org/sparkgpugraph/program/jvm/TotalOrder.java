package org.sparkgpugraph.program.jvm;

/** The order of Double.compare, for code that is generated. */
public final class TotalOrder {
  private TotalOrder() {}

  /** The smaller one; of NaN and a number the number. */
  public static double least(double a, double b) {
    return Double.compare(a, b) <= 0 ? a : b;
  }

  /** The smaller one; of NaN and a number the number. */
  public static float least(float a, float b) {
    return Float.compare(a, b) <= 0 ? a : b;
  }
}
