package org.sparkgpugraph.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.sparkgpugraph.graphs.memory.Varint;

/** Writes little-endian numbers into an array of a size that was computed before. */
final class RecordWriter {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private int at;

  /** Bits that are not written yet, and how many. */
  private long word;

  private int filled;

  RecordWriter(int size) {
    bytes = new byte[size];
  }

  /** Bytes of {@code count} numbers of {@code width} bits each. */
  static long bitBytes(long count, int width) {
    return (count * width + 7) >>> 3;
  }

  void u8(int value) {
    bytes[at++] = (byte) value;
  }

  void i32(int value) {
    INT.set(bytes, at, value);
    at += 4;
  }

  void i64(long value) {
    LONG.set(bytes, at, value);
    at += 8;
  }

  /** The lowest {@code size} bytes. */
  void low(long value, int size) {
    for (int i = 0; i < size; i++) {
      bytes[at++] = (byte) (value >>> 8 * i);
    }
  }

  void varint(long value) {
    at = Varint.put(bytes, at, value);
  }

  // ---- many at a time ---------------------------------------------------------------------------

  /** {@code (number − base) >>> shift} of the first {@code count} numbers, as varints. */
  void varints(long[] numbers, int count, long base, int shift) {
    for (int i = 0; i < count; i++) {
      varint((numbers[i] - base) >>> shift);
    }
  }

  /**
   * {@code (number − base) >>> shift} of the first {@code count} numbers in {@code width} bits each
   * (1 … 63), lowest bit first, no gaps. What follows with the same width goes on in the same byte,
   * until {@link #endBits}.
   */
  void bits(long[] numbers, int count, long base, int shift, int width) {
    long unwritten = word;
    int used = filled;
    int to = at;
    for (int i = 0; i < count; i++) {
      long number = (numbers[i] - base) >>> shift;
      unwritten |= number << used;
      used += width;
      if (used >= 64) {
        LONG.set(bytes, to, unwritten);
        to += 8;
        used -= 64;
        unwritten = used == 0 ? 0 : number >>> (width - used);
      }
    }
    at = to;
    word = unwritten;
    filled = used;
  }

  /** Ends a sequence of {@link #bits}: zeros fill the last byte. */
  void endBits() {
    low(word, (filled + 7) >>> 3);
    word = 0;
    filled = 0;
  }

  /** Makes room for bytes that the caller sets; returns where they begin. They are 0. */
  int skip(int size) {
    int from = at;
    at += size;
    return from;
  }

  /** Sets 8 bytes, or as many of them as there are before {@code end}. */
  void setWord(int from, long value, int end) {
    if (end - from >= 8) {
      LONG.set(bytes, from, value);
      return;
    }
    for (int i = from; i < end; i++) {
      bytes[i] = (byte) (value >>> 8 * (i - from));
    }
  }

  /** {@code size} bytes, as a buffer of little-endian numbers for the caller to fill. */
  ByteBuffer block(int size) {
    return ByteBuffer.wrap(bytes, skip(size), size).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Ends the record with its checksum. */
  byte[] finish() {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, at);
    i32((int) checksum.getValue());
    if (at != bytes.length) {
      throw new IllegalStateException(
          "a record of " + at + " bytes was computed as " + bytes.length);
    }
    return bytes;
  }
}
