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

  /** 1 when a key is below another, else 0; without a branch. */
  public static long isBelow(long key, long other) {
    return (key & ~other | ~(key ^ other) & (key - other)) >>> 63;
  }

  /**
   * The least key of some values of a column.
   *
   * @param column an array of numbers
   * @param least whether the least value wins
   */
  public static long worst(Object column, int from, int to, boolean least) {
    long worst = Long.MAX_VALUE;
    if (column instanceof int[] ints) {
      for (int i = from; i < to; i++) {
        worst = Math.min(worst, least ? ofLeast(ints[i]) : ofMost(ints[i]));
      }
    } else if (column instanceof long[] longs) {
      for (int i = from; i < to; i++) {
        worst = Math.min(worst, least ? ofLeast(longs[i]) : ofMost(longs[i]));
      }
    } else if (column instanceof float[] floats) {
      for (int i = from; i < to; i++) {
        worst = Math.min(worst, least ? ofLeast(floats[i]) : ofMost(floats[i]));
      }
    } else {
      double[] doubles = (double[]) column;
      for (int i = from; i < to; i++) {
        worst = Math.min(worst, least ? ofLeast(doubles[i]) : ofMost(doubles[i]));
      }
    }
    return worst;
  }

  /** The value of a key {@code ofMost} an int. */
  public static int intOfMost(long key) {
    return (int) key;
  }

  public static long longOfMost(long key) {
    return key;
  }

  public static float floatOfMost(long key) {
    int bits = (int) key;
    return Float.intBitsToFloat(bits ^ (bits >> 31) & Integer.MAX_VALUE);
  }

  public static double doubleOfMost(long key) {
    return Double.longBitsToDouble(key ^ (key >> 63) & Long.MAX_VALUE);
  }

  public static int intOfLeast(long key) {
    return intOfMost(~key);
  }

  public static long longOfLeast(long key) {
    return longOfMost(~key);
  }

  public static float floatOfLeast(long key) {
    return floatOfMost(~key);
  }

  public static double doubleOfLeast(long key) {
    return doubleOfMost(~key);
  }

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
