package org.sparkgpugraph.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sparkgpugraph.graphs.memory.Varint;

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

  /** Takes the next {@code size} bytes; returns their place. */
  int take(long size) {
    require(size);
    int from = at;
    at += (int) size;
    return from;
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
    int from = at;
    int behind = Varint.end(bytes, from, end);
    if (behind < 0) {
      throw wrong("a number that does not end");
    }
    at = behind;
    return Varint.get(bytes, from, behind);
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

  /** Refuses a record that has fewer bytes left. */
  void require(long size) {
    if (size > remaining()) {
      throw wrong(size + " bytes expected, " + remaining() + " left");
    }
  }

  // ---- many at a time ---------------------------------------------------------------------------

  /** The next {@code size} bytes, as a buffer of little-endian numbers. */
  ByteBuffer block(long size) {
    return ByteBuffer.wrap(bytes, take(size), (int) size).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** {@code count} varints. */
  void varints(long[] into, int count) {
    for (int i = 0; i < count; i++) {
      into[i] = at < end && bytes[at] >= 0 ? bytes[at++] : varint();
    }
  }

  /**
   * {@code count} numbers of {@code width} bits each (1 … 63) of those that begin at a byte.
   *
   * @param from see {@link #take}
   * @param first how many numbers lie between that and the first wanted
   */
  void bits(long[] into, int count, int from, int first, int width) {
    long mask = (1L << width) - 1;
    long bit = (long) first * width;
    for (int i = 0; i < count; i++, bit += width) {
      int index = from + (int) (bit >>> 3);
      int shift = (int) bit & 7;
      long value = word(index) >>> shift;
      if (shift + width > 64) {
        value |= (bytes[index + 8] & 0xffL) << (64 - shift);
      }
      into[i] = value & mask;
    }
  }

  /** Up to 8 bytes, those behind the end as 0. */
  long word(int from) {
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
