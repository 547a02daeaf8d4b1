package org.sparkgpugraph.engine.emulator;

import com.sun.jna.Pointer;

/** Copies between Java arrays and native memory. */
final class ArrayCopies {
  private static final int CHUNK = 1 << 16;

  private ArrayCopies() {}

  /** Bytes of a number of an array's elements. */
  static long bytes(Object array, int count) {
    if (count < 0) {
      throw new IndexOutOfBoundsException(count + " elements");
    }
    if (array instanceof boolean[]) {
      return count;
    } else if (array instanceof int[] || array instanceof float[]) {
      return 4L * count;
    } else if (array instanceof long[] || array instanceof double[]) {
      return 8L * count;
    }
    throw new IllegalArgumentException(
        "an array of boolean, int, long, float or double is needed, not "
            + (array == null ? "null" : array.getClass().getSimpleName()));
  }

  /** Copies elements to native memory. */
  static void upload(Object array, int from, int count, Pointer to) {
    if (count == 0) {
      return;
    }
    if (array instanceof boolean[] flags) {
      byte[] chunk = new byte[Math.min(CHUNK, count)];
      for (int done = 0; done < count; done += chunk.length) {
        int size = Math.min(chunk.length, count - done);
        for (int i = 0; i < size; i++) {
          chunk[i] = (byte) (flags[from + done + i] ? 1 : 0);
        }
        to.write(done, chunk, 0, size);
      }
    } else if (array instanceof int[] ints) {
      to.write(0, ints, from, count);
    } else if (array instanceof float[] floats) {
      to.write(0, floats, from, count);
    } else if (array instanceof long[] longs) {
      to.write(0, longs, from, count);
    } else {
      to.write(0, (double[]) array, from, count);
    }
  }

  /** Copies elements from native memory. */
  static void download(Pointer from, Object array, int to, int count) {
    if (count == 0) {
      return;
    }
    if (array instanceof boolean[] flags) {
      byte[] chunk = new byte[Math.min(CHUNK, count)];
      for (int done = 0; done < count; done += chunk.length) {
        int size = Math.min(chunk.length, count - done);
        from.read(done, chunk, 0, size);
        for (int i = 0; i < size; i++) {
          flags[to + done + i] = chunk[i] != 0;
        }
      }
    } else if (array instanceof int[] ints) {
      from.read(0, ints, to, count);
    } else if (array instanceof float[] floats) {
      from.read(0, floats, to, count);
    } else if (array instanceof long[] longs) {
      from.read(0, longs, to, count);
    } else {
      from.read(0, (double[]) array, to, count);
    }
  }
}
