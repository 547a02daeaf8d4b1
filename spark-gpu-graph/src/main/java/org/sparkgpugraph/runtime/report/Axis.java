package org.sparkgpugraph.runtime.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The vertical axis of a chart: from 0 to the largest value, or, where that is more than {@value
 * #RANGE} times the smallest one above 0, with a decade for each power of ten.
 *
 * @param top largest value that has a place
 * @param decades how many there are below the top; 0: the axis is linear
 */
record Axis(double top, int decades) {
  private static final double RANGE = 1000;

  /** Decades that still can be told apart. */
  private static final int MOST_DECADES = 12;

  private static final int TICKS = 4;

  /** For values that may differ by powers of ten. */
  static Axis of(double[] values) {
    double most = 0;
    double least = Double.MAX_VALUE;
    for (double value : values) {
      most = Math.max(most, value);
      least = value > 0 ? Math.min(least, value) : least;
    }
    if (most <= RANGE * least) {
      return linear(most);
    }
    double top = Math.pow(10, Math.ceil(Math.log10(most)));
    int decades = (int) (Math.ceil(Math.log10(most)) - Math.floor(Math.log10(least)));
    return new Axis(top, Math.min(MOST_DECADES, Math.max(1, decades)));
  }

  /** From 0. */
  static Axis linear(double most) {
    if (most <= 0) {
      return new Axis(1, 0);
    }
    double step = step(most, TICKS);
    return new Axis(Math.ceil(most / step - 1e-9) * step, 0);
  }

  /** The smallest of 1, 2 and 5 times a power of ten that cuts a range into few enough pieces. */
  static double step(double range, int pieces) {
    double rough = range / pieces;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    for (double factor : new double[] {1, 2, 5}) {
      if (factor * power >= rough * (1 - 1e-9)) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  /** Whether 0 has a place of its own below the lowest power of ten. */
  boolean isLogarithmic() {
    return decades > 0;
  }

  /** Where a value is, from 0 at the bottom to 1 at the top. */
  double place(double value) {
    if (value <= 0) {
      return 0;
    }
    if (!isLogarithmic()) {
      return Math.min(1, value / top);
    }
    // One part more, at the bottom, sets the smallest values apart from 0.
    double parts = decades + 1.0;
    double below = Math.log10(top) - Math.log10(value);
    return Math.max(0.5 / parts, Math.min(1, (parts - below) / parts));
  }

  /** Values that have a line, the lowest first. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>(List.of(0.0));
    if (isLogarithmic()) {
      int every = (decades + TICKS) / (TICKS + 1);
      for (int d = decades; d >= 0; d--) {
        if (d % every == 0) {
          ticks.add(top / Math.pow(10, d));
        }
      }
      return ticks;
    }
    double step = step(top, TICKS);
    for (int i = 1; i * step <= top * (1 + 1e-9); i++) {
      ticks.add(i * step);
    }
    return ticks;
  }
}
