package org.sparkgpugraph.exchange;

import java.nio.ByteBuffer;
import org.sparkgpugraph.graphs.memory.Varint;
import org.sparkgpugraph.program.ir.Kind;

/**
 * How the values of one column are written. Every value is a number of 64 bits: an INT with its
 * sign extended, the bits of a FLOAT (sign extended) or DOUBLE, a BOOLEAN as 0 or 1. With a base
 * (the smallest number) and a shift (the low bits in which all numbers are equal), a column of
 * equal values takes no bits at all, labels of a narrow range a few, and small whole numbers as
 * DOUBLE lose the zeros of their mantissas.
 */
enum ColumnCoding {
  /** Each in its own size. */
  RAW,
  /**
   * Byte {@code width} (0 … 63), byte {@code shift}, the base, then {@code (value − base) >>>
   * shift} in {@code width} bits each.
   */
  BITS,
  /** Byte {@code shift}, the base, then {@code (value − base) >>> shift} as varints. */
  VARINTS,
  /** The differences of each from the one before (the first from 0) as zigzag varints. */
  DELTAS;

  /**
   * A coding with its parameters.
   *
   * @param bytes bytes that it takes, parameters and values
   */
  record Plan(ColumnCoding coding, long base, int shift, int width, long bytes) {}

  /** Numbers that are looked at together: they stay in the fastest cache. */
  private static final int BLOCK = 1 << 10;

  /**
   * From this many numbers on, a coding is counted only when a sample says that it may be the best.
   */
  private static final int SAMPLED = 1 << 12;

  private static final int SAMPLE_STEP = 16;

  // ---- planning ---------------------------------------------------------------------------------

  /** Bytes of a column as RAW. */
  static Plan raw(Kind kind, int count) {
    return new Plan(RAW, 0, 0, 0, (long) kind.bytes() * count);
  }

  /**
   * The coding of the fewest bytes, by exact count; of many rows VARINTS and DELTAS are not counted
   * when every 16th number says that they take a sixteenth more than the others.
   *
   * @param from first row
   * @param count number of rows, at least 1
   */
  static Plan of(Kind kind, Object column, int from, int count) {
    long[] numbers = new long[Math.min(BLOCK, count)];
    numbers(kind, column, from, 1, numbers);
    long first = numbers[0];
    long min = first;
    long max = first;
    long different = 0;
    for (int row = 0; row < count; row += BLOCK) {
      int length = Math.min(BLOCK, count - row);
      numbers(kind, column, from + row, length, numbers);
      for (int i = 0; i < length; i++) {
        min = Math.min(min, numbers[i]);
        max = Math.max(max, numbers[i]);
        different |= numbers[i] ^ first;
      }
    }
    int shift = different == 0 ? 0 : Long.numberOfTrailingZeros(different);
    int width = 64 - Long.numberOfLeadingZeros((max - min) >>> shift);
    int base = baseBytes(kind, min);
    Plan best = raw(kind, count);
    if (width < 64) {
      long bits = 2 + base + RecordWriter.bitBytes(count, width);
      best = smaller(best, new Plan(BITS, min, shift, width, bits));
    }
    // The others take a byte each or more.
    if (best.bytes <= count) {
      return best;
    }
    if (count >= SAMPLED) {
      Bytes sample = bytes(kind, column, from, count, min, shift, SAMPLE_STEP);
      long limit = best.bytes / SAMPLE_STEP * 17 / 16;
      if (sample.varints > limit && sample.deltas > limit) {
        return best;
      }
    }
    Bytes exact = bytes(kind, column, from, count, min, shift, 1);
    best = smaller(best, new Plan(VARINTS, min, shift, 0, 1 + base + exact.varints));
    return smaller(best, new Plan(DELTAS, 0, 0, 0, exact.deltas));
  }

  /** Bytes of numbers, parameters left out. */
  private record Bytes(long varints, long deltas) {}

  /**
   * Bytes of every {@code step}-th number.
   *
   * @param step divides {@link #BLOCK}
   */
  private static Bytes bytes(
      Kind kind, Object column, int from, int count, long base, int shift, int step) {
    long[] numbers = new long[Math.min(BLOCK, count)];
    long varints = 0;
    long deltas = 0;
    long before = 0;
    for (int row = 0; row < count; row += BLOCK) {
      int length = Math.min(BLOCK, count - row);
      numbers(kind, column, from + row, length, numbers);
      for (int i = 0; i < length; i += step) {
        varints += Varint.bytes((numbers[i] - base) >>> shift);
        deltas += Varint.bytes(Varint.zigzag(numbers[i] - (i == 0 ? before : numbers[i - 1])));
      }
      before = numbers[length - 1];
    }
    return new Bytes(varints, deltas);
  }

  private static Plan smaller(Plan one, Plan other) {
    return other.bytes < one.bytes ? other : one;
  }

  /** Whole numbers near 0 are short, floating ones are not. */
  private static int baseBytes(Kind kind, long base) {
    return kind.isIntegral() ? Varint.bytes(Varint.zigzag(base)) : kind.bytes();
  }

  // ---- columns and numbers ----------------------------------------------------------------------

  /** Rows of a column as numbers. */
  private static void numbers(Kind kind, Object column, int from, int count, long[] numbers) {
    switch (kind) {
      case BOOLEAN -> {
        boolean[] rows = (boolean[]) column;
        for (int i = 0; i < count; i++) {
          numbers[i] = rows[from + i] ? 1 : 0;
        }
      }
      case INT -> {
        int[] rows = (int[]) column;
        for (int i = 0; i < count; i++) {
          numbers[i] = rows[from + i];
        }
      }
      case LONG -> System.arraycopy(column, from, numbers, 0, count);
      case FLOAT -> {
        float[] rows = (float[]) column;
        for (int i = 0; i < count; i++) {
          numbers[i] = Float.floatToRawIntBits(rows[from + i]);
        }
      }
      case DOUBLE -> {
        double[] rows = (double[]) column;
        for (int i = 0; i < count; i++) {
          numbers[i] = Double.doubleToRawLongBits(rows[from + i]);
        }
      }
    }
  }

  /** The reverse: {@code base + (number << shift)}. */
  private static void rows(
      Kind kind,
      long[] numbers,
      int count,
      long base,
      int shift,
      Object column,
      int from,
      RecordReader in) {
    switch (kind) {
      case BOOLEAN -> {
        boolean[] rows = (boolean[]) column;
        for (int i = 0; i < count; i++) {
          long number = base + (numbers[i] << shift);
          if ((number & ~1L) != 0) {
            throw in.wrong("a BOOLEAN of " + number);
          }
          rows[from + i] = number != 0;
        }
      }
      case INT -> {
        int[] rows = (int[]) column;
        for (int i = 0; i < count; i++) {
          rows[from + i] = (int) (base + (numbers[i] << shift));
        }
      }
      case LONG -> {
        long[] rows = (long[]) column;
        for (int i = 0; i < count; i++) {
          rows[from + i] = base + (numbers[i] << shift);
        }
      }
      case FLOAT -> {
        float[] rows = (float[]) column;
        for (int i = 0; i < count; i++) {
          rows[from + i] = Float.intBitsToFloat((int) (base + (numbers[i] << shift)));
        }
      }
      case DOUBLE -> {
        double[] rows = (double[]) column;
        for (int i = 0; i < count; i++) {
          rows[from + i] = Double.longBitsToDouble(base + (numbers[i] << shift));
        }
      }
    }
  }

  // ---- writing ----------------------------------------------------------------------------------

  /** Writes rows as RAW. */
  static void writeRaw(Kind kind, Object column, int from, int count, RecordWriter out) {
    ByteBuffer block = out.block(kind.bytes() * count);
    switch (kind) {
      case BOOLEAN -> {
        boolean[] rows = (boolean[]) column;
        for (int i = 0; i < count; i++) {
          block.put(i, (byte) (rows[from + i] ? 1 : 0));
        }
      }
      case INT -> block.asIntBuffer().put((int[]) column, from, count);
      case LONG -> block.asLongBuffer().put((long[]) column, from, count);
      case FLOAT -> block.asFloatBuffer().put((float[]) column, from, count);
      case DOUBLE -> block.asDoubleBuffer().put((double[]) column, from, count);
    }
  }

  /** Writes rows by a plan. */
  static void write(Plan plan, Kind kind, Object column, int from, int count, RecordWriter out) {
    switch (plan.coding) {
      case RAW -> {
        writeRaw(kind, column, from, count, out);
        return;
      }
      case BITS -> {
        out.u8(plan.width);
        out.u8(plan.shift);
        writeBase(kind, plan.base, out);
        if (plan.width == 0) {
          return;
        }
      }
      case VARINTS -> {
        out.u8(plan.shift);
        writeBase(kind, plan.base, out);
      }
      case DELTAS -> {}
    }
    long[] numbers = new long[Math.min(BLOCK, count)];
    long before = 0;
    for (int row = 0; row < count; row += BLOCK) {
      int length = Math.min(BLOCK, count - row);
      numbers(kind, column, from + row, length, numbers);
      switch (plan.coding) {
        case BITS -> out.bits(numbers, length, plan.base, plan.shift, plan.width);
        case VARINTS -> out.varints(numbers, length, plan.base, plan.shift);
        default -> {
          long last = numbers[length - 1];
          for (int i = length - 1; i >= 0; i--) {
            numbers[i] = Varint.zigzag(numbers[i] - (i == 0 ? before : numbers[i - 1]));
          }
          out.varints(numbers, length, 0, 0);
          before = last;
        }
      }
    }
    if (plan.coding == BITS) {
      out.endBits();
    }
  }

  private static void writeBase(Kind kind, long base, RecordWriter out) {
    if (kind.isIntegral()) {
      out.varint(Varint.zigzag(base));
    } else {
      out.low(base, kind.bytes());
    }
  }

  private static long readBase(Kind kind, RecordReader in) {
    return kind.isIntegral() ? Varint.unzigzag(in.varint()) : in.low(kind.bytes());
  }

  // ---- reading ----------------------------------------------------------------------------------

  /** Reads the first {@code count} rows of a column. */
  void read(Kind kind, Object column, int count, RecordReader in) {
    if (this == RAW) {
      readRaw(kind, column, count, in);
      return;
    }
    int width = this == BITS ? in.u8() : 0;
    int shift = this == DELTAS ? 0 : in.u8();
    if (width > 63 || shift > 63) {
      throw in.wrong("numbers of " + width + " bits, shifted by " + shift);
    }
    long base = this == DELTAS ? 0 : readBase(kind, in);
    int from = this == BITS ? in.take(RecordWriter.bitBytes(count, width)) : 0;
    long[] numbers = new long[Math.min(BLOCK, count)];
    long number = 0;
    for (int row = 0; row < count; row += BLOCK) {
      int length = Math.min(BLOCK, count - row);
      if (this != BITS) {
        in.varints(numbers, length);
      } else if (width > 0) {
        in.bits(numbers, length, from, row, width);
      }
      for (int i = 0; i < length && this == DELTAS; i++) {
        number += Varint.unzigzag(numbers[i]);
        numbers[i] = number;
      }
      rows(kind, numbers, length, base, shift, column, row, in);
    }
  }

  private static void readRaw(Kind kind, Object column, int count, RecordReader in) {
    ByteBuffer block = in.block((long) kind.bytes() * count);
    switch (kind) {
      case BOOLEAN -> {
        boolean[] rows = (boolean[]) column;
        for (int i = 0; i < count; i++) {
          int value = block.get(i);
          if ((value & ~1) != 0) {
            throw in.wrong("a BOOLEAN of " + value);
          }
          rows[i] = value != 0;
        }
      }
      case INT -> block.asIntBuffer().get((int[]) column, 0, count);
      case LONG -> block.asLongBuffer().get((long[]) column, 0, count);
      case FLOAT -> block.asFloatBuffer().get((float[]) column, 0, count);
      case DOUBLE -> block.asDoubleBuffer().get((double[]) column, 0, count);
    }
  }
}
