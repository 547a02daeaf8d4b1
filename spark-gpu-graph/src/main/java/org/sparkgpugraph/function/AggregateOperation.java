package org.sparkgpugraph.function;

/** How values combine; the neutral element is what a superstep without vertices yields. */
public enum AggregateOperation {
  SUM(0.0),
  MIN(Double.POSITIVE_INFINITY),
  MAX(Double.NEGATIVE_INFINITY);

  private final double neutral;

  AggregateOperation(double neutral) {
    this.neutral = neutral;
  }

  /** The neutral element. */
  public double neutral() {
    return neutral;
  }

  /** Combines two partial results. */
  public double combine(double a, double b) {
    return switch (this) {
      case SUM -> a + b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
    };
  }
}
