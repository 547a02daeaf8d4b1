package io.sparkgpugraph.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Moves vertex values between blocks of original ids and the tables of an executor graph. */
public final class VertexTables {
  private VertexTables() {}

  /**
   * Reads vertex values into one table per partition, with a row per held vertex and ghost. Rows of
   * ends that are not vertices stay zero.
   *
   * @param blocks together, every vertex of the graph once; ids that the graph does not have are
   *     passed over
   * @throws NullValueException when a value is null
   */
  public static List<Columns> load(
      ExecutorGraph graph, ValueCodec codec, List<VertexBlock> blocks, int threads) {
    List<Columns> tables = new ArrayList<>();
    for (GraphPartition partition : graph.partitions()) {
      tables.add(Columns.allocate(codec.kinds(), partition.stored() + partition.ghosts()));
    }
    if (codec.kinds().isEmpty()) {
      return tables;
    }
    try (Workers workers = new Workers(threads)) {
      workers.run(blocks.size(), b -> load(graph, codec, blocks.get(b), tables));
    }
    for (BoundaryList list : graph.boundaries()) {
      Columns home = tables.get(list.home());
      Columns reader = tables.get(list.reader());
      for (int i = 0; i < list.size(); i++) {
        reader.copyFrom(home, list.homeVertices()[i], list.firstGhost() + i, 1);
      }
    }
    return tables;
  }

  private static void load(
      ExecutorGraph graph, ValueCodec codec, VertexBlock block, List<Columns> tables) {
    int[] rows = new int[block.size()];
    for (GraphPartition partition : graph.partitions()) {
      rows(graph, partition, block, rows);
      codec.read(
          block.values(),
          block.slots(),
          0,
          block.size(),
          tables.get(partition.index()),
          rows,
          i -> "vertex " + block.ids()[i]);
    }
  }

  /** The row of each vertex of a block in one partition's table, −1 where it is not held there. */
  private static void rows(
      ExecutorGraph graph, GraphPartition partition, VertexBlock block, int[] rows) {
    VertexIds ids = graph.ids();
    long first = partition.firstVertex();
    for (int i = 0; i < rows.length; i++) {
      long row = ids.dense(block.ids()[i]) - first;
      rows[i] = row >= 0 && row < partition.stored() ? (int) row : -1;
    }
  }

  /**
   * Makes the value array of a vertex block from result tables: an array of {@code
   * block.capacity()} slots, with the value of vertex i in {@code block.slot(i)}. Slots without a
   * vertex of the graph keep null or zero.
   *
   * @param tables one per partition, with at least {@code stored} rows
   * @param component class of the array's elements: a primitive, a box, a record, {@code Object}
   */
  public static Object collect(
      ExecutorGraph graph,
      ValueCodec codec,
      List<Columns> tables,
      VertexBlock block,
      Class<?> component) {
    Object array = ValueCodec.newArray(component, block.capacity());
    int[] rows = new int[block.size()];
    for (GraphPartition partition : graph.partitions()) {
      rows(graph, partition, block, rows);
      codec.write(tables.get(partition.index()), rows, 0, block.size(), array, block.slots());
    }
    return array;
  }

  /**
   * Original ids of a partition's vertices that are present, ascending: what a writer walks over
   * where there is no GraphX graph to give the result back to.
   *
   * @return with the row of vertex i in {@link VertexBlock#slot}
   */
  public static VertexBlock vertices(GraphPartition partition) {
    int stored = partition.stored();
    long[] present = partition.present();
    long[] originals = partition.originalIds();
    long[] ids = new long[stored];
    int[] slots = new int[stored];
    int size = 0;
    for (int local = 0; local < stored; local++) {
      if (present == null || (present[local >>> 6] >>> local & 1) != 0) {
        ids[size] = originals[local];
        slots[size++] = local;
      }
    }
    return new VertexBlock(
        size, Arrays.copyOf(ids, size), Arrays.copyOf(slots, size), stored, null);
  }
}
