package org.sparkgpugraph.exchange;

import java.util.List;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Rounds floating-point numbers to fewer significant bits, the nearest such number, of two equally
 * near ones the even one. The relative error of a normal number is at most {@code 2^-bits}. The
 * range of exponents is kept. Infinities, NaNs, zeros and the few numbers that would become
 * infinite stay as they are ({@code Double.MAX_VALUE} is a marker for some); numbers below the
 * normal ones lose more. A rounded number stays as it is when it is rounded again, and of two
 * numbers the larger never becomes the smaller.
 *
 * <p>The low bits are zeros afterwards, which {@link ColumnCoding} leaves out.
 */
public final class Rounding {
  /** Significant bits of a double: nothing is rounded. */
  public static final int EXACT = 53;

  /** Fewest bits to which numbers are rounded. */
  public static final int FEWEST = 4;

  private static final int FLOAT_BITS = 24;
  private static final int FLOAT_INFINITY = 0x7f800000;
  private static final long DOUBLE_INFINITY = 0x7ff0000000000000L;

  private Rounding() {}

  /** Whether numbers of this kind lose something. */
  static boolean changes(Kind kind, int bits) {
    return switch (kind) {
      case DOUBLE -> bits < EXACT;
      case FLOAT -> bits < FLOAT_BITS;
      default -> false;
    };
  }

  /** Whether rounding to so many bits changes anything of these columns. */
  public static boolean changes(List<ColumnType> kinds, int bits) {
    return kinds.stream().anyMatch(type -> changes(type.kind(), bits));
  }

  /**
   * Rounds numbers of a column in place, {@code [from, to)}.
   *
   * @param bits significant bits that are kept, {@link #FEWEST} at least
   */
  static void apply(Kind kind, Object column, int from, int to, int bits) {
    if (kind == Kind.DOUBLE) {
      double[] numbers = (double[]) column;
      for (int i = from; i < to; i++) {
        numbers[i] = round(numbers[i], bits);
      }
    } else {
      float[] numbers = (float[]) column;
      for (int i = from; i < to; i++) {
        numbers[i] = round(numbers[i], bits);
      }
    }
  }

  /** A number of so many significant bits. */
  static double round(double number, int bits) {
    long raw = Double.doubleToRawLongBits(number);
    if (bits >= EXACT || (raw & DOUBLE_INFINITY) == DOUBLE_INFINITY) {
      return number;
    }
    int dropped = EXACT - bits;
    long kept = -1L << dropped;
    // A half, less the lowest unit where the last bit that is kept is even already.
    long rounded = raw + (~kept >>> 1) + (raw >>> dropped & 1) & kept;
    return Double.longBitsToDouble((rounded & DOUBLE_INFINITY) == DOUBLE_INFINITY ? raw : rounded);
  }

  /** A number of so many significant bits. */
  static float round(float number, int bits) {
    int raw = Float.floatToRawIntBits(number);
    if (bits >= FLOAT_BITS || (raw & FLOAT_INFINITY) == FLOAT_INFINITY) {
      return number;
    }
    int dropped = FLOAT_BITS - bits;
    int kept = -1 << dropped;
    int rounded = raw + (~kept >>> 1) + (raw >>> dropped & 1) & kept;
    return Float.intBitsToFloat((rounded & FLOAT_INFINITY) == FLOAT_INFINITY ? raw : rounded);
  }
}
