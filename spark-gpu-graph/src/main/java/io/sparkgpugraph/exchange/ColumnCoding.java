package io.sparkgpugraph.exchange;

import io.sparkgpugraph.program.Kind;

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

  /** Rows of a column as numbers. */
  static long[] numbers(Kind kind, Object column, int from, int count) {
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = number(kind, column, from + i);
    }
    return numbers;
  }

  private static long number(Kind kind, Object column, int row) {
    return switch (kind) {
      case BOOLEAN -> ((boolean[]) column)[row] ? 1 : 0;
      case INT -> ((int[]) column)[row];
      case LONG -> ((long[]) column)[row];
      case FLOAT -> Float.floatToRawIntBits(((float[]) column)[row]);
      case DOUBLE -> Double.doubleToRawLongBits(((double[]) column)[row]);
    };
  }

  private static void set(Kind kind, Object column, int row, long number, RecordReader in) {
    switch (kind) {
      case BOOLEAN -> {
        if ((number & ~1L) != 0) {
          throw in.wrong("a BOOLEAN of " + number);
        }
        ((boolean[]) column)[row] = number != 0;
      }
      case INT -> ((int[]) column)[row] = (int) number;
      case LONG -> ((long[]) column)[row] = number;
      case FLOAT -> ((float[]) column)[row] = Float.intBitsToFloat((int) number);
      case DOUBLE -> ((double[]) column)[row] = Double.longBitsToDouble(number);
    }
  }

  /** Bytes of a column as RAW. */
  static Plan raw(Kind kind, int count) {
    return new Plan(RAW, 0, 0, 0, (long) kind.bytes() * count);
  }

  /** The coding of the fewest bytes. */
  static Plan of(Kind kind, long[] numbers) {
    long min = numbers[0];
    long max = numbers[0];
    long different = 0;
    for (long number : numbers) {
      min = Math.min(min, number);
      max = Math.max(max, number);
      different |= number ^ numbers[0];
    }
    int shift = different == 0 ? 0 : Long.numberOfTrailingZeros(different);
    int width = 64 - Long.numberOfLeadingZeros((max - min) >>> shift);
    long varints = 0;
    long deltas = 0;
    long before = 0;
    for (long number : numbers) {
      varints += RecordWriter.varintBytes((number - min) >>> shift);
      deltas += RecordWriter.varintBytes(zigzag(number - before));
      before = number;
    }
    int base = baseBytes(kind, min);
    Plan best = raw(kind, numbers.length);
    if (width < 64) {
      long bits = 2 + base + RecordWriter.bitBytes(numbers.length, width);
      best = smaller(best, new Plan(BITS, min, shift, width, bits));
    }
    best = smaller(best, new Plan(VARINTS, min, shift, 0, 1 + base + varints));
    return smaller(best, new Plan(DELTAS, 0, 0, 0, deltas));
  }

  private static Plan smaller(Plan one, Plan other) {
    return other.bytes < one.bytes ? other : one;
  }

  private static long zigzag(long number) {
    return number << 1 ^ number >> 63;
  }

  private static long unzigzag(long number) {
    return number >>> 1 ^ -(number & 1);
  }

  /** Whole numbers near 0 are short, floating ones are not. */
  private static boolean varintBase(Kind kind) {
    return kind.isIntegral();
  }

  private static int baseBytes(Kind kind, long base) {
    return varintBase(kind) ? RecordWriter.varintBytes(zigzag(base)) : kind.bytes();
  }

  /** Writes rows as RAW. */
  static void writeRaw(Kind kind, Object column, int from, int count, RecordWriter out) {
    switch (kind.bytes()) {
      case 4 -> {
        for (int i = from; i < from + count; i++) {
          out.i32((int) number(kind, column, i));
        }
      }
      case 8 -> {
        for (int i = from; i < from + count; i++) {
          out.i64(number(kind, column, i));
        }
      }
      default -> {
        for (int i = from; i < from + count; i++) {
          out.low(number(kind, column, i), kind.bytes());
        }
      }
    }
  }

  /** Writes numbers by a plan that is not RAW. */
  static void write(Plan plan, Kind kind, long[] numbers, RecordWriter out) {
    long base = plan.base;
    int shift = plan.shift;
    switch (plan.coding) {
      case RAW -> throw new IllegalArgumentException("RAW");
      case BITS -> {
        out.u8(plan.width);
        out.u8(shift);
        writeBase(kind, base, out);
        out.bits(numbers.length, plan.width, i -> (numbers[i] - base) >>> shift);
      }
      case VARINTS -> {
        out.u8(shift);
        writeBase(kind, base, out);
        for (long number : numbers) {
          out.varint((number - base) >>> shift);
        }
      }
      case DELTAS -> {
        long before = 0;
        for (long number : numbers) {
          out.varint(zigzag(number - before));
          before = number;
        }
      }
    }
  }

  private static void writeBase(Kind kind, long base, RecordWriter out) {
    if (varintBase(kind)) {
      out.varint(zigzag(base));
    } else {
      out.low(base, kind.bytes());
    }
  }

  private static long readBase(Kind kind, RecordReader in) {
    return varintBase(kind) ? unzigzag(in.varint()) : in.low(kind.bytes());
  }

  /** Reads the first {@code count} rows of a column. */
  void read(Kind kind, Object column, int count, RecordReader in) {
    switch (this) {
      case RAW -> {
        for (int i = 0; i < count; i++) {
          set(kind, column, i, kind.bytes() == 8 ? in.i64() : in.low(kind.bytes()), in);
        }
      }
      case BITS -> {
        int width = in.u8();
        int shift = in.u8();
        if (width > 63 || shift > 63) {
          throw in.wrong("numbers of " + width + " bits, shifted by " + shift);
        }
        long base = readBase(kind, in);
        in.bits(count, width, (i, value) -> set(kind, column, i, base + (value << shift), in));
      }
      case VARINTS -> {
        int shift = in.u8();
        if (shift > 63) {
          throw in.wrong("numbers shifted by " + shift);
        }
        long base = readBase(kind, in);
        for (int i = 0; i < count; i++) {
          set(kind, column, i, base + (in.varint() << shift), in);
        }
      }
      case DELTAS -> {
        long number = 0;
        for (int i = 0; i < count; i++) {
          number += unzigzag(in.varint());
          set(kind, column, i, number, in);
        }
      }
    }
  }
}
