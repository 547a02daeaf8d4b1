package org.sparkgpugraph.runtime.held;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.serial.SlotPart;
import org.sparkgpugraph.runtime.serial.ValueClasses;

/**
 * The values of a finished run in an executor's memory.
 *
 * @param values result columns by dense id
 * @param present bitmap of the dense ids that are vertices; null: all
 * @param first the first dense id whose row is held here; others are ghosts and have no values
 * @param held number of rows held here
 * @param type type of the values
 * @param layouts layout of the source's vertex partitions, see {@link HeldGraph#layouts()}
 * @param ids mapping of the graph
 */
public record HeldResult(
    Columns values,
    long[] present,
    int first,
    int held,
    ValueType type,
    List<VertexLayout> layouts,
    VertexIds ids) {

  /**
   * A result of a graph.
   *
   * @param graph that the program ran on, perhaps a reversed view of the held one
   */
  public static HeldResult of(HeldGraph held, ExecutorGraph graph, Columns values, ValueType type) {
    return new HeldResult(
        values,
        present(graph),
        HeldAttributes.first(graph),
        HeldAttributes.stored(graph),
        type,
        held.layouts(),
        graph.ids());
  }

  /** Which dense ids are vertices held here; null when all are. */
  private static long[] present(ExecutorGraph graph) {
    if (graph.heldVertices() == graph.ids().size()) {
      return null;
    }
    long[] present = new long[(int) (graph.ids().size() + 63 >>> 6)];
    for (GraphPartition partition : graph.partitions()) {
      long[] local = partition.present();
      for (int v = 0; v < partition.stored(); v++) {
        if (local == null || (local[v >>> 6] >>> v & 1) != 0) {
          int dense = (int) partition.firstVertex() + v;
          present[dense >>> 6] |= 1L << dense;
        }
      }
    }
    return present;
  }

  /**
   * The value array of one vertex partition of the source, in its slot order.
   *
   * @return a primitive array for scalar types, otherwise an array of the value's class
   */
  public Object slotArray(int partition) {
    VertexLayout layout = layouts.get(partition);
    Object array = ValueClasses.newArray(type, layout.capacity());
    codec().write(values, layout.rows(), 0, layout.rows().length, array, layout.slots());
    return array;
  }

  /** What is held here of the value array of one vertex partition of the source. */
  public SlotPart slotPart(int partition) {
    VertexLayout layout = layouts.get(partition);
    int size = layout.rows().length;
    Columns part = Columns.allocate(values.kinds(), size);
    // Columns to columns: the user's classes are needed where the array is put together only.
    codec().read(values, layout.rows(), 0, size, part, null, row -> "vertex " + row);
    return new SlotPart(layout.capacity(), layout.slots(), part);
  }

  /** Whether a dense id is a vertex. */
  boolean has(int dense) {
    return GraphPartition.exists(present, dense);
  }

  /** Whether every dense id is a vertex whose value is here. */
  public boolean isWhole() {
    return present == null && first == 0 && held == ids.size();
  }

  /** The vertices of the {@code part}-th of {@code parts} ranges of the dense ids held here. */
  public VertexBlock range(int part, int parts) {
    return range(
        part,
        parts,
        (rows, size) -> {
          Object array = ValueClasses.newArray(type, size);
          codec().write(values, rows, 0, size, array, null);
          return array;
        });
  }

  /** As {@link #range(int, int)}, with the values as {@link Columns}. */
  public VertexBlock columns(int part, int parts) {
    return range(
        part,
        parts,
        (rows, size) -> {
          Columns columns = Columns.allocate(values.kinds(), size);
          columns.copyFrom(values, rows, 0, size, null);
          return columns;
        });
  }

  /** Makes the values of a block. */
  private interface Values {
    /**
     * @param rows of the values, the first {@code size}
     */
    Object of(int[] rows, int size);
  }

  private VertexBlock range(int part, int parts, Values taken) {
    int from = first + (int) ((long) held * part / parts);
    int to = first + (int) ((long) held * (part + 1) / parts);
    int[] rows = new int[to - from];
    long[] original = new long[to - from];
    ids.originals(from, to - from, original);
    int size = 0;
    for (int dense = from; dense < to; dense++) {
      if (has(dense)) {
        rows[size] = dense;
        original[size++] = original[dense - from];
      }
    }
    return new VertexBlock(size, original, null, size, taken.of(rows, size));
  }

  private ValueCodec codec() {
    return ValueCodec.of(type);
  }
}
