package org.sparkgpugraph.engine.device;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Elements of Java arrays as the bytes that devices hold, in native order; a boolean is one byte, 0
 * or 1.
 */
public final class ArrayBytes {
  private ArrayBytes() {}

  /**
   * Bytes of one element.
   *
   * @throws IllegalArgumentException when it is not an array of a kind that devices hold
   */
  public static int elementBytes(Object array) {
    if (array instanceof boolean[]) {
      return 1;
    }
    if (array instanceof int[] || array instanceof float[]) {
      return Integer.BYTES;
    }
    if (array instanceof long[] || array instanceof double[]) {
      return Long.BYTES;
    }
    throw new IllegalArgumentException(
        "an array of boolean, int, long, float or double is needed, not "
            + (array == null ? "null" : array.getClass().getTypeName()));
  }

  /**
   * Bytes of some elements.
   *
   * @throws IllegalArgumentException when it is not an array of a kind that devices hold
   * @throws IndexOutOfBoundsException when the elements are not all in it
   */
  public static long bytes(Object array, int first, int count) {
    long each = elementBytes(array);
    Objects.checkFromIndexSize(first, count, Array.getLength(array));
    return each * count;
  }

  /** Puts elements into a buffer, from its beginning. */
  public static void put(Object array, int first, int count, ByteBuffer to) {
    if (array instanceof boolean[] flags) {
      for (int i = 0; i < count; i++) {
        to.put(i, (byte) (flags[first + i] ? 1 : 0));
      }
    } else if (array instanceof int[] ints) {
      to.asIntBuffer().put(ints, first, count);
    } else if (array instanceof long[] longs) {
      to.asLongBuffer().put(longs, first, count);
    } else if (array instanceof float[] floats) {
      to.asFloatBuffer().put(floats, first, count);
    } else {
      to.asDoubleBuffer().put((double[]) array, first, count);
    }
  }

  /** Takes elements from a buffer, from its beginning. */
  public static void get(ByteBuffer from, Object array, int first, int count) {
    if (array instanceof boolean[] flags) {
      for (int i = 0; i < count; i++) {
        flags[first + i] = from.get(i) != 0;
      }
    } else if (array instanceof int[] ints) {
      from.asIntBuffer().get(ints, first, count);
    } else if (array instanceof long[] longs) {
      from.asLongBuffer().get(longs, first, count);
    } else if (array instanceof float[] floats) {
      from.asFloatBuffer().get(floats, first, count);
    } else {
      from.asDoubleBuffer().get((double[]) array, first, count);
    }
  }
}
