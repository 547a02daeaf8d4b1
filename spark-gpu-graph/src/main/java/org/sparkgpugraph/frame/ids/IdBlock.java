package org.sparkgpugraph.frame.ids;

import java.io.Serializable;
import java.util.Arrays;

/** Different ids and their keys. Not a record, because Kryo 4 cannot serialise records. */
final class IdBlock implements Serializable {
  private static final long serialVersionUID = 1L;

  /** JVMs do not make longer arrays. */
  static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private final long[] keys;
  private final int[] ends;
  private final byte[] bytes;
  private final boolean clash;

  private IdBlock(long[] keys, int[] ends, byte[] bytes, boolean clash) {
    this.keys = keys;
    this.ends = ends;
    this.bytes = bytes;
    this.clash = clash;
  }

  int size() {
    return keys.length;
  }

  /** Whether two ids have one key. */
  boolean hasClash() {
    return clash;
  }

  long key(int number) {
    return keys[number];
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

  /** The bytes of an id. */
  byte[] id(int number) {
    return Arrays.copyOfRange(bytes, start(number), ends[number]);
  }

  /** What is told of ids of which two have one key. */
  static IdBlock clashing() {
    return new IdBlock(new long[0], new int[0], new byte[0], true);
  }

  /** All ids of a table. */
  static IdBlock of(IdTable table) {
    return parts(table, 1)[0];
  }

  /** The ids of a table by their keys: equal keys are in one part, whichever table has them. */
  static IdBlock[] parts(IdTable table, int count) {
    int[] sizes = new int[count];
    int[] lengths = new int[count];
    for (int i = 0; i < table.size(); i++) {
      int part = part(table.key(i), count);
      sizes[part]++;
      lengths[part] += table.end(i) - table.start(i);
    }
    IdBlock[] parts = new IdBlock[count];
    for (int part = 0; part < count; part++) {
      parts[part] =
          new IdBlock(
              new long[sizes[part]],
              new int[sizes[part]],
              new byte[lengths[part]],
              table.hasClash());
    }
    int[] next = new int[count];
    for (int i = 0; i < table.size(); i++) {
      int part = part(table.key(i), count);
      IdBlock block = parts[part];
      int number = next[part]++;
      int start = block.start(number);
      int length = table.end(i) - table.start(i);
      System.arraycopy(table.bytes(), table.start(i), block.bytes, start, length);
      block.keys[number] = table.key(i);
      block.ends[number] = start + length;
    }
    return parts;
  }

  private static int part(long key, int count) {
    // The low bits choose a slot of the table: others choose the part.
    return (int) ((key >>> 33) % count);
  }
}
