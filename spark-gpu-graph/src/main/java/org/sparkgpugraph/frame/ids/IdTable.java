package org.sparkgpugraph.frame.ids;

import java.util.Arrays;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;

/**
 * Ids by their keys: open addressing, with the bytes of all ids one after the other. Not
 * thread-safe.
 */
final class IdTable {
  private static final int LEAST = 1 << 10;

  private long[] keys = new long[LEAST];

  /** By slot, the number of the id there plus 1; 0: the slot is free. */
  private int[] slots = new int[LEAST];

  /** By number, where its bytes end. */
  private int[] ends = new int[LEAST / 2];

  /** By number, its key. */
  private long[] keyOf = new long[LEAST / 2];

  private byte[] bytes = new byte[LEAST * 8];
  private int size;
  private boolean clash;

  /** Number of ids. */
  int size() {
    return size;
  }

  /** Whether two ids were added that have one key. */
  boolean hasClash() {
    return clash;
  }

  long key(int number) {
    return keyOf[number];
  }

  int start(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  int end(int number) {
    return ends[number];
  }

  byte[] bytes() {
    return bytes;
  }

  /**
   * Adds an id unless it is there.
   *
   * @param base object that has the bytes, and offset of the first, as Spark's Platform takes them
   */
  void add(long key, Object base, long offset, int length) {
    int mask = slots.length - 1;
    int slot = (int) (key ^ key >>> 32) & mask;
    while (slots[slot] != 0) {
      if (keys[slot] == key) {
        int number = slots[slot] - 1;
        int start = start(number);
        clash |=
            ends[number] - start != length
                || !ByteArrayMethods.arrayEquals(
                    base, offset, bytes, Platform.BYTE_ARRAY_OFFSET + (long) start, length);
        return;
      }
      slot = slot + 1 & mask;
    }
    keys[slot] = key;
    slots[slot] = size + 1;
    append(key, base, offset, length);
    if (2 * size > slots.length) {
      grow();
    }
  }

  private void append(long key, Object base, long offset, int length) {
    int start = size == 0 ? 0 : ends[size - 1];
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
      keyOf = Arrays.copyOf(keyOf, 2 * size);
    }
    if ((long) start + length > bytes.length) {
      long more = Math.max(2L * bytes.length, (long) start + length);
      if ((long) start + length > IdBlock.MOST_BYTES) {
        throw new IllegalStateException(
            "the different ids of a partition have more than "
                + IdBlock.MOST_BYTES
                + " bytes: repartition the edges into more partitions");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(more, IdBlock.MOST_BYTES));
    }
    Platform.copyMemory(base, offset, bytes, Platform.BYTE_ARRAY_OFFSET + (long) start, length);
    keyOf[size] = key;
    ends[size++] = start + length;
  }

  private void grow() {
    keys = new long[2 * slots.length];
    slots = new int[keys.length];
    int mask = slots.length - 1;
    for (int number = 0; number < size; number++) {
      long key = keyOf[number];
      int slot = (int) (key ^ key >>> 32) & mask;
      while (slots[slot] != 0) {
        slot = slot + 1 & mask;
      }
      keys[slot] = key;
      slots[slot] = number + 1;
    }
  }
}
