package org.sparkgpugraph.engine.cpu.frame;

/**
 * Values as numbers of which the larger is the better one: where the least wins when messages merge
 * ({@code ofLeast}), or the largest ({@code ofMost}). Zeros are ordered as {@link Math#min} and
 * {@link Math#max} do.
 */
public final class MessageKey {
  /** The key of no value that improves anything. */
  public static final long NONE = Long.MIN_VALUE;

  private MessageKey() {}

  public static long ofMost(int value) {
    return value;
  }

  public static long ofMost(long value) {
    return value;
  }

  public static long ofMost(float value) {
    int bits = Float.floatToRawIntBits(value);
    return bits ^ (bits >> 31) & Integer.MAX_VALUE;
  }

  public static long ofMost(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return bits ^ (bits >> 63) & Long.MAX_VALUE;
  }

  public static long ofLeast(int value) {
    return ~(long) value;
  }

  public static long ofLeast(long value) {
    return ~value;
  }

  public static long ofLeast(float value) {
    return ~ofMost(value);
  }

  public static long ofLeast(double value) {
    return ~ofMost(value);
  }
}
