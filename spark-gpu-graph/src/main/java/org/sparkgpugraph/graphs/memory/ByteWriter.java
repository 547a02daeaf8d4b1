package org.sparkgpugraph.graphs.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/** Writes primitives and arrays of them into a growing array of bytes, little-endian. */
public final class ByteWriter {
  /** Longest array that every JVM can make. */
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private byte[] bytes;
  private ByteBuffer buffer;
  private int size;

  /**
   * @param expected number of bytes to make room for
   */
  public ByteWriter(long expected) {
    bytes = new byte[(int) Math.min(Math.max(expected, 16), LONGEST)];
    buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private int grow(long more) {
    long needed = size + more;
    if (needed > bytes.length) {
      if (needed > LONGEST) {
        throw new IllegalStateException(
            "a record of more than " + LONGEST + " bytes cannot be made");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(LONGEST, Math.max(needed, 2L * bytes.length)));
      buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    int at = size;
    size = (int) needed;
    return at;
  }

  /** One byte. */
  public ByteWriter put(byte value) {
    int at = grow(1);
    bytes[at] = value;
    return this;
  }

  public ByteWriter put(int value) {
    int at = grow(4);
    buffer.putInt(at, value);
    return this;
  }

  public ByteWriter put(long value) {
    int at = grow(8);
    buffer.putLong(at, value);
    return this;
  }

  /** As a {@link Varint}. */
  public ByteWriter putVarying(long value) {
    int at = grow(Varint.MOST_BYTES);
    size = Varint.put(bytes, at, value);
    return this;
  }

  /** The first {@code count} numbers, each as {@link #putVarying}. */
  public ByteWriter putVarying(int[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      putVarying(values[i] & 0xFFFFFFFFL);
    }
    return this;
  }

  /** Numbers that ascend: the first, then the differences, varying in length. */
  public ByteWriter putAscending(long[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      if (i == from) {
        put(values[i]);
      } else {
        putVarying(values[i] - values[i - 1]);
      }
    }
    return this;
  }

  /** Numbers that ascend from 0 or above: differences, varying in length. */
  public ByteWriter putAscending(int[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      putVarying(values[i] - (i == from ? 0 : values[i - 1]));
    }
    return this;
  }

  public ByteWriter put(int[] values, int count) {
    int at = grow(4L * count);
    buffer.position(at);
    buffer.asIntBuffer().put(values, 0, count);
    return this;
  }

  public ByteWriter put(long[] values, int count) {
    int at = grow(8L * count);
    buffer.position(at);
    buffer.asLongBuffer().put(values, 0, count);
    return this;
  }

  /** A table, or null. */
  public ByteWriter put(Columns columns) {
    if (columns == null) {
      return put((byte) -1);
    }
    if (columns.width() > Byte.MAX_VALUE) {
      throw new IllegalArgumentException(
          columns.width() + " columns in a value; at most " + Byte.MAX_VALUE + " are possible");
    }
    put((byte) columns.width());
    int count = columns.length();
    put(count);
    for (int c = 0; c < columns.width(); c++) {
      ColumnType type = columns.kinds().get(c);
      Kind kind = type.kind();
      put((byte) (type.isArray() ? ~kind.ordinal() : kind.ordinal()));
      if (type.isArray()) {
        put(type.width());
      }
      int numbers = count * type.width();
      int at = grow((long) type.bytes() * count);
      buffer.position(at);
      switch (kind) {
        case BOOLEAN -> {
          boolean[] values = columns.booleans(c);
          for (int i = 0; i < numbers; i++) {
            bytes[at + i] = (byte) (values[i] ? 1 : 0);
          }
        }
        case INT -> buffer.asIntBuffer().put(columns.ints(c), 0, numbers);
        case LONG -> buffer.asLongBuffer().put(columns.longs(c), 0, numbers);
        case FLOAT -> buffer.asFloatBuffer().put(columns.floats(c), 0, numbers);
        case DOUBLE -> buffer.asDoubleBuffer().put(columns.doubles(c), 0, numbers);
      }
    }
    return this;
  }

  /** Number of bytes that were written. */
  public int size() {
    return size;
  }

  /** What was written; not copied when the expectation was right. */
  public byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  /** Bytes of a table as it is written. */
  public static long bytes(Columns columns) {
    // An array's column says its kind and its length.
    return columns == null
        ? 1
        : 5
            + columns.kinds().stream().mapToInt(type -> type.isArray() ? 5 : 1).sum()
            + columns.bytes();
  }
}
