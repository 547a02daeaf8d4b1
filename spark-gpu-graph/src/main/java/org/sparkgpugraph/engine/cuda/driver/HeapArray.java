package org.sparkgpugraph.engine.cuda.driver;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A primitive array of any kind that is copied to or from a buffer. */
abstract class HeapArray {
  private final int elementBytes;

  private HeapArray(int elementBytes) {
    this.elementBytes = elementBytes;
  }

  /** Bytes of an element on the device. */
  final int elementBytes() {
    return elementBytes;
  }

  final long bytes(int elements) {
    return (long) elements * elementBytes;
  }

  /** Puts elements into the buffer. */
  abstract void read(int first, int count, ByteBuffer to);

  /** Takes elements from the buffer. */
  abstract void write(int first, int count, ByteBuffer from);

  /**
   * @throws IllegalArgumentException when it is not an array of a kind that devices hold
   * @throws IndexOutOfBoundsException when the elements are not all in it
   */
  static HeapArray of(Object array, int first, int count) {
    HeapArray heap;
    if (array instanceof boolean[] a) {
      heap = booleans(a);
    } else if (array instanceof int[] a) {
      heap = ints(a);
    } else if (array instanceof long[] a) {
      heap = longs(a);
    } else if (array instanceof float[] a) {
      heap = floats(a);
    } else if (array instanceof double[] a) {
      heap = doubles(a);
    } else {
      throw new IllegalArgumentException(
          "a device holds no " + (array == null ? "null" : array.getClass().getTypeName()));
    }
    Objects.checkFromIndexSize(first, count, Array.getLength(array));
    return heap;
  }

  private static HeapArray booleans(boolean[] array) {
    return new HeapArray(1) {
      @Override
      void read(int first, int count, ByteBuffer to) {
        for (int i = 0; i < count; i++) {
          to.put(i, (byte) (array[first + i] ? 1 : 0));
        }
      }

      @Override
      void write(int first, int count, ByteBuffer from) {
        for (int i = 0; i < count; i++) {
          array[first + i] = from.get(i) != 0;
        }
      }
    };
  }

  private static HeapArray ints(int[] array) {
    return new HeapArray(Integer.BYTES) {
      @Override
      void read(int first, int count, ByteBuffer to) {
        to.asIntBuffer().put(array, first, count);
      }

      @Override
      void write(int first, int count, ByteBuffer from) {
        from.asIntBuffer().get(array, first, count);
      }
    };
  }

  private static HeapArray longs(long[] array) {
    return new HeapArray(Long.BYTES) {
      @Override
      void read(int first, int count, ByteBuffer to) {
        to.asLongBuffer().put(array, first, count);
      }

      @Override
      void write(int first, int count, ByteBuffer from) {
        from.asLongBuffer().get(array, first, count);
      }
    };
  }

  private static HeapArray floats(float[] array) {
    return new HeapArray(Float.BYTES) {
      @Override
      void read(int first, int count, ByteBuffer to) {
        to.asFloatBuffer().put(array, first, count);
      }

      @Override
      void write(int first, int count, ByteBuffer from) {
        from.asFloatBuffer().get(array, first, count);
      }
    };
  }

  private static HeapArray doubles(double[] array) {
    return new HeapArray(Double.BYTES) {
      @Override
      void read(int first, int count, ByteBuffer to) {
        to.asDoubleBuffer().put(array, first, count);
      }

      @Override
      void write(int first, int count, ByteBuffer from) {
        from.asDoubleBuffer().get(array, first, count);
      }
    };
  }
}
