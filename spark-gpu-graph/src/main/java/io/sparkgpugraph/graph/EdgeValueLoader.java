package io.sparkgpugraph.graph;

import io.sparkgpugraph.program.ValueType;
import java.util.ArrayList;
import java.util.List;

/** Brings edge values from blocks into the order of the in-edges. */
final class EdgeValueLoader {
  private EdgeValueLoader() {}

  /** Values for a graph that has been built: sorts the edges once more to learn their places. */
  static List<Columns> load(
      CsrExecutorGraph graph, ValueType type, List<? extends EdgeBlock> blocks, Workers workers) {
    long edges = blocks.stream().mapToLong(EdgeBlock::size).sum();
    if (edges != graph.edgeCount()) {
      throw new IllegalArgumentException(
          "the blocks hold " + edges + " edges, the graph " + graph.edgeCount());
    }
    ValueCodec codec = ValueCodec.of(type);
    List<DenseBlock> dense = DenseBlocks.of(blocks, graph.ids(), workers);
    int vertices = Math.toIntExact(graph.ids().size());
    List<Columns> values = new ArrayList<>();
    for (CsrGraphPartition partition : graph.partitions()) {
      int first = (int) partition.firstVertex();
      PartitionSlice slice =
          graph.partitions().size() == 1
              ? PartitionSlice.all(dense)
              : PartitionSlice.of(dense, first, first + partition.stored(), true, workers);
      if (slice.edges() != partition.inEdges().edges()) {
        throw new IllegalArgumentException(
            "the blocks hold "
                + slice.edges()
                + " edges into partition "
                + partition.index()
                + ", the graph "
                + partition.inEdges().edges());
      }
      int[][] places = places(slice);
      Csr bySource = CsrSort.bySource(slice.blocks(), vertices, places, workers);
      CsrSort.transpose(bySource, partition.stored(), true, workers);
      values.add(read(codec, slice, blocks, places, bySource.neighbours(), workers));
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
