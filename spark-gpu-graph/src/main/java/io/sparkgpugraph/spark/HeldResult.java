package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ValueCodec;
import io.sparkgpugraph.graph.VertexBlock;
import io.sparkgpugraph.graph.VertexIds;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.ValueType;
import java.util.List;

/**
 * The values of a finished run in an executor's memory.
 *
 * @param values result columns by dense id
 * @param present bitmap of the dense ids that are vertices; null: all
 * @param type type of the values
 * @param layouts layout of the source's vertex partitions, see {@link HeldGraph#layouts()}
 * @param ids mapping of the graph
 */
record HeldResult(
    Columns values, long[] present, ValueType type, List<VertexLayout> layouts, VertexIds ids) {

  /**
   * The value array of one vertex partition of the source, in its slot order.
   *
   * @return a primitive array for scalar types, otherwise an array of the value's class
   */
  Object slotArray(int partition) {
    VertexLayout layout = layouts.get(partition);
    Object array = newArray(layout.capacity());
    codec().write(values, layout.rows(), 0, layout.rows().length, array, layout.slots());
    return array;
  }

  /** Whether a dense id is a vertex. */
  boolean has(int dense) {
    return present == null || (present[dense >>> 6] >>> dense & 1) != 0;
  }

  /** The vertices of the {@code part}-th of {@code parts} ranges of dense ids. */
  VertexBlock range(int part, int parts) {
    int from = (int) ((long) values.length() * part / parts);
    int to = (int) ((long) values.length() * (part + 1) / parts);
    int[] rows = new int[to - from];
    long[] original = new long[to - from];
    int size = 0;
    for (int dense = from; dense < to; dense++) {
      if (has(dense)) {
        rows[size] = dense;
        original[size++] = ids.original(dense);
      }
    }
    Object array = newArray(size);
    codec().write(values, rows, 0, size, array, null);
    return new VertexBlock(size, original, null, size, array);
  }

  private ValueCodec codec() {
    return ValueCodec.of(type);
  }

  private Object newArray(int length) {
    if (type instanceof ValueType.Scalar scalar) {
      Kind kind = scalar.kind();
      return java.lang.reflect.Array.newInstance(kind.primitive(), length);
    }
    return java.lang.reflect.Array.newInstance(ValueClasses.of(type), length);
  }
}
