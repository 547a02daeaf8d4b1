package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/** Values for random tests: every special case of each kind, and random bits. */
public final class RandomValues {
  private static final int[] INTS = {
    0,
    1,
    -1,
    2,
    31,
    32,
    33,
    -31,
    63,
    64,
    65,
    127,
    128,
    -128,
    -129,
    255,
    256,
    32767,
    32768,
    65535,
    65536,
    Integer.MAX_VALUE,
    Integer.MAX_VALUE - 1,
    Integer.MIN_VALUE,
    Integer.MIN_VALUE + 1
  };
  private static final long[] LONGS = {
    0,
    1,
    -1,
    2,
    31,
    32,
    63,
    64,
    65,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 31,
    1L << 32,
    (1L << 53) + 1,
    -(1L << 53) - 1,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 1,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1
  };
  private static final double[] DOUBLES = {
    0.0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    0.1,
    1e9,
    3e9,
    -3e9,
    1e18,
    1e19,
    -1e19,
    1e300,
    -1e300,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.MIN_NORMAL,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Math.PI
  };

  private RandomValues() {}

  public static Object random(Kind kind, Random random) {
    boolean special = random.nextInt(3) > 0;
    return switch (kind) {
      case BOOLEAN -> random.nextBoolean();
      case INT ->
          special
              ? (Object) INTS[random.nextInt(INTS.length)]
              : random.nextBoolean() ? (Object) random.nextInt() : random.nextInt(201) - 100;
      case LONG ->
          special
              ? (Object) LONGS[random.nextInt(LONGS.length)]
              : random.nextBoolean() ? (Object) random.nextLong() : random.nextInt(201) - 100L;
      case FLOAT ->
          special
              ? (Object) (float) DOUBLES[random.nextInt(DOUBLES.length)]
              : random.nextBoolean()
                  ? (Object) Float.intBitsToFloat(random.nextInt())
                  : (random.nextFloat() - 0.5f) * 200;
      case DOUBLE ->
          special
              ? (Object) DOUBLES[random.nextInt(DOUBLES.length)]
              : random.nextBoolean()
                  ? (Object) Double.longBitsToDouble(random.nextLong())
                  : (random.nextDouble() - 0.5) * 200;
    };
  }

  public static List<Object> random(List<? extends ColumnType> kinds, Random random) {
    List<Object> values = new ArrayList<>();
    kinds.forEach(kind -> values.add(random(kind.kind(), random)));
    return values;
  }
}
