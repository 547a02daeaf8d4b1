package org.sparkgpugraph.graphs.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/** Reads what {@link ByteWriter} wrote. */
public final class ByteReader {
  private static final Kind[] KINDS = Kind.values();

  private final byte[] bytes;
  private final ByteBuffer buffer;

  /**
   * @param bytes not copied
   */
  public ByteReader(byte[] bytes) {
    this.bytes = bytes;
    buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  public void skip(long count) {
    buffer.position(Math.toIntExact(buffer.position() + count));
  }

  /** Whether there is anything left. */
  public boolean hasMore() {
    return buffer.hasRemaining();
  }

  /** One byte. */
  public byte getByte() {
    return buffer.get();
  }

  public int getInt() {
    return buffer.getInt();
  }

  public long getLong() {
    return buffer.getLong();
  }

  /**
   * A number of things that follow, so that a damaged one allocates no more than the bytes that are
   * there could fill.
   *
   * @param leastBytes bytes that each of them takes at least
   * @throws IllegalStateException when so many cannot follow
   */
  public int getSize(int leastBytes) {
    return checked(buffer.getInt(), leastBytes);
  }

  /** The same, as {@link ByteWriter#putVarying(long)} wrote it, of things of a byte or more. */
  public int getVaryingSize() {
    return checked(getVarying(), 1);
  }

  private int checked(long size, int leastBytes) {
    if (size < 0 || size > buffer.remaining() / leastBytes) {
      throw new IllegalStateException(
          ("a damaged message: it says that %s entries follow at byte %s of %s, where %s"
                  + " could")
              .formatted(size, buffer.position(), bytes.length, buffer.remaining() / leastBytes));
    }
    return (int) size;
  }

  /** As {@link ByteWriter#putVarying(long)} wrote it. */
  public long getVarying() {
    int at = buffer.position();
    int end = Varint.end(bytes, at, bytes.length);
    if (end < 0) {
      throw new IllegalStateException(
          "a damaged message: no number ends behind byte " + at + " of " + bytes.length);
    }
    buffer.position(end);
    return Varint.get(bytes, at, end);
  }

  /** Into {@code into[from]}, … */
  public void getVarying(int[] into, int from, int count) {
    for (int i = from; i < from + count; i++) {
      into[i] = (int) getVarying();
    }
  }

  /** Into {@code into[from]}, … */
  public void getAscending(long[] into, int from, int count) {
    for (int i = from; i < from + count; i++) {
      into[i] = i == from ? getLong() : into[i - 1] + getVarying();
    }
  }

  /** Into {@code into[from]}, … */
  public void getAscending(int[] into, int from, int count) {
    for (int i = from; i < from + count; i++) {
      into[i] = (int) getVarying() + (i == from ? 0 : into[i - 1]);
    }
  }

  public int[] getInts(int count) {
    int[] values = new int[checked(count, Integer.BYTES)];
    buffer.asIntBuffer().get(values);
    buffer.position(buffer.position() + 4 * count);
    return values;
  }

  public long[] getLongs(int count) {
    long[] values = new long[checked(count, Long.BYTES)];
    buffer.asLongBuffer().get(values);
    buffer.position(buffer.position() + 8 * count);
    return values;
  }

  /** A table, or null. */
  public Columns getColumns() {
    int width = getByte();
    if (width < 0) {
      return null;
    }
    int count = getInt();
    checked(width, 1);
    List<ColumnType> kinds = new ArrayList<>();
    Object[] arrays = new Object[width];
    for (int c = 0; c < width; c++) {
      int said = getByte();
      int ordinal = said < 0 ? ~said : said;
      if (ordinal < 0 || ordinal >= KINDS.length) {
        throw new IllegalStateException("a damaged message: a column of the kind " + ordinal);
      }
      Kind kind = KINDS[ordinal];
      ColumnType type = said < 0 ? new ArrayType(kind, checked(getInt(), 1)) : kind;
      kinds.add(type);
      checked(count, type.bytes());
      int numbers = count * type.width();
      int at = buffer.position();
      switch (kind) {
        case BOOLEAN -> {
          boolean[] values = new boolean[numbers];
          for (int i = 0; i < numbers; i++) {
            values[i] = bytes[at + i] != 0;
          }
          arrays[c] = values;
        }
        case INT -> arrays[c] = getInts(numbers);
        case LONG -> arrays[c] = getLongs(numbers);
        case FLOAT -> {
          float[] values = new float[numbers];
          buffer.asFloatBuffer().get(values);
          arrays[c] = values;
        }
        case DOUBLE -> {
          double[] values = new double[numbers];
          buffer.asDoubleBuffer().get(values);
          arrays[c] = values;
        }
      }
      buffer.position(at + type.bytes() * count);
    }
    return new Columns(kinds, arrays, count);
  }
}
