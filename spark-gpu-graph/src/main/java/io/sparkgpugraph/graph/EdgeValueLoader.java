package io.sparkgpugraph.graph;

import io.sparkgpugraph.program.ValueType;
import java.util.ArrayList;
import java.util.List;

/** Brings edge values from blocks into the order of the in-edges. */
final class EdgeValueLoader {
  private EdgeValueLoader() {}

  /**
   * Values of one partition.
   *
   * @param in in the order of its in-edges
   * @param out in the order of its out-edges; null where those are derived from in-edges
   */
  record Loaded(Columns in, Columns out) {}

  /** Values for a graph that has been built: sorts the edges once more to learn their places. */
  static List<Loaded> load(
      CsrExecutorGraph graph, ValueType type, List<? extends EdgeBlock> blocks, Workers workers) {
    long edges = blocks.stream().mapToLong(EdgeBlock::size).sum();
    boolean out = graph.storesOutEdges();
    if (!out && edges != graph.edgeCount()) {
      throw new IllegalArgumentException(
          "the blocks hold " + edges + " edges, the graph " + graph.edgeCount());
    }
    ValueCodec codec = ValueCodec.of(type);
    List<DenseBlock> dense = DenseBlocks.of(blocks, graph.ids(), workers);
    List<DenseBlock> turned = out ? PartitionRows.turned(dense) : null;
    boolean all = graph.partitions().size() == 1 && !out;
    int known = Math.toIntExact(graph.ids().size());
    List<Loaded> values = new ArrayList<>();
    for (CsrGraphPartition partition : graph.partitions()) {
      int first = (int) partition.firstVertex();
      int stored = partition.stored();
      Columns in = null;
      Columns back = null;
      for (List<DenseBlock> side : out ? List.of(dense, turned) : List.of(dense)) {
        PartitionSlice slice =
            all
                ? PartitionSlice.all(side, first)
                : PartitionSlice.of(side, first, first + stored, true, workers);
        Csr rows = side == dense ? partition.inEdges() : partition.outEdges();
        if (slice.edges() != rows.edges()) {
          throw new IllegalArgumentException(
              "the blocks hold "
                  + slice.edges()
                  + " edges "
                  + (side == dense ? "into" : "out of")
                  + " partition "
                  + partition.index()
                  + ", the graph "
                  + rows.edges());
        }
        Columns read = PartitionRows.of(slice, blocks, known, stored, codec, workers).values();
        if (side == dense) {
          in = read;
        } else {
          back = read;
        }
      }
      values.add(new Loaded(in, back));
    }
    return values;
  }

  /** Room for the place of every edge of a slice. */
  static int[][] places(PartitionSlice slice) {
    int[][] places = new int[slice.blocks().size()][];
    for (int b = 0; b < places.length; b++) {
      places[b] = new int[slice.blocks().get(b).size()];
    }
    return places;
  }

  /**
   * Reads the values of a slice.
   *
   * @param places per block, the place of every edge in the sort by source; overwritten
   * @param rows place in the sort by source → place among the in-edges
   */
  static Columns read(
      ValueCodec codec,
      PartitionSlice slice,
      List<? extends EdgeBlock> blocks,
      int[][] places,
      int[] rows,
      Workers workers) {
    Columns values = Columns.allocate(codec.kinds(), rows.length);
    for (int b = 0; b < places.length; b++) {
      EdgeBlock block = blocks.get(b);
      int[] place = places[b];
      int[] positions = slice.positions(b);
      workers.forEachChunk(
          place.length,
          (from, to) -> {
            for (int i = from; i < to; i++) {
              place[i] = rows[place[i]];
            }
            codec.read(
                block.values(),
                positions,
                from,
                to,
                values,
                place,
                i -> block.describe(positions == null ? i : positions[i]));
          });
    }
    return values;
  }
}
