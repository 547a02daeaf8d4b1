package org.sparkgpugraph.graphs.model;

import java.io.Serializable;
import java.lang.reflect.Array;
import org.sparkgpugraph.graphs.memory.Columns;

/**
 * A block of edges in columnar form: what a loader, a generator or a GraphX edge partition delivers
 * to the builder of a graph. There is no object per edge.
 *
 * <p>Blocks are ordinary classes, not records, because Kryo 4 cannot serialise records; arrays are
 * referenced, never copied, so the owner must not change them while a build runs.
 */
public sealed interface EdgeBlock extends Serializable
    permits ArrayEdgeBlock, StoredEdgeBlock, DeviceEdgeBlock {
  /** Number of edges; arrays may be longer. */
  int size();

  /** Original id of the source of the edge at {@code position}. */
  long source(int position);

  /** Original id of the destination of the edge at {@code position}. */
  long destination(int position);

  /**
   * Puts the original ids of ends into the first elements of an array: faster than one by one where
   * they are off the heap.
   *
   * @param ofSources whether of the sources or of the destinations
   * @param from the first edge
   */
  default void ends(boolean ofSources, int from, int count, long[] into) {
    for (int i = 0; i < count; i++) {
      into[i] = ofSources ? source(from + i) : destination(from + i);
    }
  }

  /**
   * Edge values by position: an array of primitives, boxes, records or {@code Object}s, a flat
   * {@link Columns}, or null when the edges carry none.
   */
  Object values();

  /** Bytes of the heap that the arrays of the edges take, those of the values among them. */
  long bytes();

  /** Bytes that values take at least: of objects their references alone. */
  static long valueBytes(Object values) {
    if (values == null) {
      return 0;
    }
    if (values instanceof Columns columns) {
      return columns.bytes();
    }
    Class<?> type = values.getClass().getComponentType();
    int each = type == null || !type.isPrimitive() ? Integer.BYTES : primitiveBytes(type);
    return type == null ? 0 : (long) each * Array.getLength(values);
  }

  private static int primitiveBytes(Class<?> type) {
    if (type == long.class || type == double.class) {
      return Long.BYTES;
    }
    if (type == boolean.class || type == byte.class) {
      return Byte.BYTES;
    }
    return type == short.class || type == char.class ? Short.BYTES : Integer.BYTES;
  }

  /** Name of an edge in messages: {@code edge 3→5}. */
  default String describe(int position) {
    return "edge " + source(position) + "->" + destination(position);
  }
}
