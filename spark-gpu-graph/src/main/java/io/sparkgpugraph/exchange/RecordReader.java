package io.sparkgpugraph.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads what {@link RecordWriter} writes; says at which byte a record is wrong. */
final class RecordReader {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int end;
  private int at;

  /**
   * @param end reads {@code [0, end)}
   */
  RecordReader(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  /** The next byte to read. */
  int position() {
    return at;
  }

  /** Bytes not read yet. */
  int remaining() {
    return end - at;
  }

  /** What is wrong, at the current byte. */
  ExchangeFormatException wrong(String what) {
    return new ExchangeFormatException(what + " at byte " + at + " of " + end);
  }

  private int take(int size) {
    if (size > end - at) {
      throw wrong(size + " bytes expected, " + (end - at) + " left");
    }
    int from = at;
    at += size;
    return from;
  }

  void skip(int size) {
    take(size);
  }

  int u8() {
    return bytes[take(1)] & 0xff;
  }

  int i32() {
    return (int) INT.get(bytes, take(4));
  }

  long i64() {
    return (long) LONG.get(bytes, take(8));
  }

  /** The lowest {@code size} bytes of a number, signed. */
  long low(int size) {
    int from = take(size);
    long value = bytes[from + size - 1];
    for (int i = size - 2; i >= 0; i--) {
      value = value << 8 | bytes[from + i] & 0xff;
    }
    return value;
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      long next = bytes[take(1)];
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw wrong("a number of more than 10 bytes");
  }

  /**
   * A varint that must be in {@code [from, to]}.
   *
   * @param what for the message
   */
  int varint(String what, long from, long to) {
    long value = varint();
    if (value < from || value > to) {
      throw wrong(what + " is " + value + ", not in " + from + " … " + to);
    }
    return (int) value;
  }

  /** Takes the numbers of {@link #bits}. */
  @FunctionalInterface
  interface Bits {
    void set(int i, long value);
  }

  /** {@code count} numbers of {@code width} bits each (0 … 63). */
  void bits(int count, int width, Bits numbers) {
    long size = RecordWriter.bitBytes(count, width);
    if (size > remaining()) {
      throw wrong(size + " bytes expected, " + remaining() + " left");
    }
    int from = take((int) size);
    long mask = (1L << width) - 1;
    for (int i = 0; i < count; i++) {
      long bit = (long) i * width;
      int first = from + (int) (bit >>> 3);
      int shift = (int) bit & 7;
      long value = word(first) >>> shift;
      if (shift + width > 64) {
        value |= (bytes[first + 8] & 0xffL) << (64 - shift);
      }
      numbers.set(i, value & mask);
    }
  }

  /** Up to 8 bytes, those behind the end as 0. */
  private long word(int from) {
    if (from + 8 <= end) {
      return (long) LONG.get(bytes, from);
    }
    long value = 0;
    for (int i = from; i < end; i++) {
      value |= (bytes[i] & 0xffL) << 8 * (i - from);
    }
    return value;
  }
}
