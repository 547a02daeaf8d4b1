package org.sparkgpugraph.vector;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;

/**
 * One type of elements for tests of all overloads: arrays of it, exact numbers in them, what an
 * exact number is rounded to, and the overload that takes it.
 */
enum ElementType {
  FLOAT(float.class) {
    @Override
    Object rounded(BigDecimal exact) {
      return exact.floatValue();
    }
  },
  DOUBLE(double.class) {
    @Override
    Object rounded(BigDecimal exact) {
      return exact.doubleValue();
    }
  },
  INT(int.class) {
    @Override
    Object rounded(BigDecimal exact) {
      return exact.toBigIntegerExact().intValue();
    }
  },
  LONG(long.class) {
    @Override
    Object rounded(BigDecimal exact) {
      return exact.toBigIntegerExact().longValue();
    }
  };

  static final List<ElementType> REALS = List.of(FLOAT, DOUBLE);

  /** Around the widths of warps and of their halves, and where nothing divides. */
  static final int[] LENGTHS = {1, 2, 3, 5, 31, 32, 33, 64, 100, 128};

  private final Class<?> type;

  ElementType(Class<?> type) {
    this.type = type;
  }

  /** Rounds to the nearest, ties to even; of integers takes the lowest bits. */
  abstract Object rounded(BigDecimal exact);

  boolean isReal() {
    return REALS.contains(this);
  }

  /** u, half the distance from 1 to the next number. */
  double unitRoundoff() {
    return this == FLOAT ? 0x1p-24 : 0x1p-53;
  }

  /** γ(n), the largest relative error of n roundings. */
  BigDecimal gamma(int n) {
    return BigDecimal.valueOf(n * unitRoundoff() / (1 - n * unitRoundoff()));
  }

  /** A number of any sign; of reals between 2⁻¹⁰ and 2¹⁰, of integers any. */
  Object number(Random random) {
    if (isReal()) {
      double number = Math.scalb(random.nextDouble() - 0.5, random.nextInt(20) - 9);
      return rounded(new BigDecimal(number));
    }
    return rounded(BigDecimal.valueOf(random.nextLong()));
  }

  Object vector(Random random, int length) {
    Object array = Array.newInstance(type, length);
    for (int i = 0; i < length; i++) {
      Array.set(array, i, number(random));
    }
    return array;
  }

  /** An array of the nearest numbers of the type. */
  Object array(double... numbers) {
    Object array = Array.newInstance(type, numbers.length);
    for (int i = 0; i < numbers.length; i++) {
      Object number;
      if (this == FLOAT) {
        number = (float) numbers[i];
      } else {
        number = this == DOUBLE ? (Object) numbers[i] : rounded(new BigDecimal(numbers[i]));
      }
      Array.set(array, i, number);
    }
    return array;
  }

  static BigDecimal exact(Object number) {
    return number instanceof Float || number instanceof Double
        ? new BigDecimal(((Number) number).doubleValue())
        : BigDecimal.valueOf(((Number) number).longValue());
  }

  static BigDecimal get(Object array, int i) {
    return exact(Array.get(array, i));
  }

  static Object copy(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  /** Elements of two vectors, combined one by one and rounded. */
  Object combined(Object x, Object y, BinaryOperator<BigDecimal> operator) {
    int length = Array.getLength(x);
    Object z = Array.newInstance(type, length);
    for (int i = 0; i < length; i++) {
      Array.set(z, i, rounded(operator.apply(get(x, i), get(y, i))));
    }
    return z;
  }

  /** A vector folded in the order of the index, each step rounded. */
  BigDecimal folded(
      BigDecimal start, Object x, BiFunction<BigDecimal, BigDecimal, BigDecimal> step) {
    BigDecimal result = start;
    for (int i = 0; i < Array.getLength(x); i++) {
      result = exact(rounded(step.apply(result, get(x, i))));
    }
    return result;
  }

  /** Calls the overload for these arguments. */
  static Object call(Class<?> owner, String name, Object... arguments) {
    try {
      return overload(owner, name, arguments).invoke(null, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new AssertionError(e);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static Method overload(Class<?> owner, String name, Object... arguments) {
    Class<?>[] types =
        Arrays.stream(arguments)
            .map(a -> a.getClass().isArray() ? a.getClass() : primitive(a))
            .toArray(Class<?>[]::new);
    try {
      return owner.getDeclaredMethod(name, types);
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  private static Class<?> primitive(Object box) {
    return Arrays.stream(values())
        .map(t -> t.type)
        .filter(t -> Array.get(Array.newInstance(t, 1), 0).getClass() == box.getClass())
        .findFirst()
        .orElseThrow();
  }
}
