package io.sparkgpugraph.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Writes little-endian numbers into an array of a size that was computed before. */
final class RecordWriter {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private int at;

  RecordWriter(int size) {
    bytes = new byte[size];
  }

  /** Bytes of an unsigned varint: 7 bits each, lowest first. */
  static int varintBytes(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
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
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
  }

  /** Numbers of the same width, for {@link #bits}. */
  @FunctionalInterface
  interface Bits {
    /** Number i; bits above the width are 0. */
    long get(int i);
  }

  /** {@code count} numbers of {@code width} bits each (0 … 63), lowest bit first, no gaps. */
  void bits(int count, int width, Bits numbers) {
    if (width == 0) {
      return;
    }
    long word = 0;
    int filled = 0;
    for (int i = 0; i < count; i++) {
      long number = numbers.get(i);
      word |= number << filled;
      filled += width;
      if (filled >= 64) {
        i64(word);
        filled -= 64;
        word = filled == 0 ? 0 : number >>> (width - filled);
      }
    }
    low(word, (filled + 7) >>> 3);
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
