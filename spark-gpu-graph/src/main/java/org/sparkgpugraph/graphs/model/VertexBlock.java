package org.sparkgpugraph.graphs.model;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import org.sparkgpugraph.graphs.memory.Columns;

/**
 * A block of vertices in columnar form: their original ids and, where there are any, their
 * attributes. A GraphX vertex partition keeps attributes in the slots of a hash index; its block
 * references that array and says which slot belongs to which id.
 */
public final class VertexBlock implements Serializable {
  private static final long serialVersionUID = 1L;

  /** JVMs do not make longer arrays. */
  private static final int MAX_SIZE = Integer.MAX_VALUE - 8;

  private final int size;
  private final long[] ids;
  private final int[] slots;
  private final int capacity;
  private final Object values;

  /**
   * @param size number of vertices
   * @param ids {@code long[≥ size]}: original ids
   * @param slots {@code int[≥ size]}: where in {@code values} the attribute of vertex i is; null:
   *     at i
   * @param capacity length of a value array of this block: beyond every slot
   * @param values array of primitives, boxes, records or {@code Object}s, a {@link Columns}, or
   *     null
   */
  public VertexBlock(int size, long[] ids, int[] slots, int capacity, Object values) {
    if (ids.length < size || (slots != null && slots.length < size) || capacity < size) {
      throw new IllegalArgumentException(
          size + " vertices, but " + ids.length + " ids and a capacity of " + capacity);
    }
    this.size = size;
    this.ids = ids;
    this.slots = slots;
    this.capacity = capacity;
    this.values = values;
  }

  /** A block whose values, if any, are in the order of the ids. */
  public VertexBlock(long[] ids, Object values) {
    this(ids.length, ids, null, ids.length, values);
  }

  /** The ids of several blocks in one, without attributes. */
  public static VertexBlock joined(Iterator<VertexBlock> blocks) {
    long[] ids = new long[1 << 10];
    int size = 0;
    while (blocks.hasNext()) {
      VertexBlock block = blocks.next();
      long needed = (long) size + block.size();
      if (needed > MAX_SIZE) {
        throw new IllegalArgumentException(
            "a partition of more than " + MAX_SIZE + " vertices: repartition them");
      }
      if (needed > ids.length) {
        ids = Arrays.copyOf(ids, (int) Math.min(MAX_SIZE, Math.max(needed, 2L * ids.length)));
      }
      System.arraycopy(block.ids(), 0, ids, size, block.size());
      size += block.size();
    }
    return new VertexBlock(Arrays.copyOf(ids, size), null);
  }

  /** Number of vertices. */
  public int size() {
    return size;
  }

  /** Original ids, not a copy. */
  public long[] ids() {
    return ids;
  }

  /** Slot of each vertex, or null when vertex i is in slot i. */
  public int[] slots() {
    return slots;
  }

  /** Number of slots. */
  public int capacity() {
    return capacity;
  }

  /** Attributes by slot, or null. */
  public Object values() {
    return values;
  }

  /** Bytes of the heap that the arrays take. */
  public long bytes() {
    return 8L * ids.length + (slots == null ? 0 : 4L * slots.length) + EdgeBlock.valueBytes(values);
  }

  /** Slot of the vertex at {@code position}. */
  public int slot(int position) {
    return slots == null ? position : slots[position];
  }
}
