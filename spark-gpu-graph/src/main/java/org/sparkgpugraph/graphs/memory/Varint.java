package org.sparkgpugraph.graphs.memory;

/**
 * Numbers of seven bits a byte, low ones first, the highest bit set in all bytes but the last: 1
 * byte below 128, at most {@value #MOST_BYTES}. They are unsigned; {@link #zigzag} makes short ones
 * of numbers near 0 on both sides.
 */
public final class Varint {
  /** Bytes of the longest one. */
  public static final int MOST_BYTES = 10;

  private Varint() {}

  /** Bytes of a number. */
  public static int bytes(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Writes a number; returns the place behind it. */
  public static int put(byte[] bytes, int at, long value) {
    int to = at;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[to++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[to++] = (byte) rest;
    return to;
  }

  /** The place behind the number at a place; −1 where it does not end before {@code end}. */
  public static int end(byte[] bytes, int at, int end) {
    int last = Math.min(end, at + MOST_BYTES);
    for (int i = at; i < last; i++) {
      if (bytes[i] >= 0) {
        return i + 1;
      }
    }
    return -1;
  }

  /** Reads the number between two places; see {@link #end}. */
  public static long get(byte[] bytes, int at, int end) {
    long value = 0;
    for (int i = end - 1; i >= at; i--) {
      value = value << 7 | bytes[i] & 0x7F;
    }
    return value;
  }

  /** {@code 0, −1, 1, −2, …} as {@code 0, 1, 2, 3, …}. */
  public static long zigzag(long number) {
    return number << 1 ^ number >> 63;
  }

  /** Turns {@link #zigzag} back. */
  public static long unzigzag(long number) {
    return number >>> 1 ^ -(number & 1);
  }
}
