package org.sparkgpugraph.graphs.build;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.rows.DenseBlock;
import org.sparkgpugraph.graphs.rows.DenseBlocks;
import org.sparkgpugraph.graphs.rows.EdgeSides;
import org.sparkgpugraph.graphs.rows.PartitionRows;
import org.sparkgpugraph.graphs.rows.PartitionSlice;
import org.sparkgpugraph.graphs.rows.PlacedVertexIds;
import org.sparkgpugraph.program.ValueType;

/** Brings edge values from blocks into the order of rows that are there already. */
final class EdgeValuesLater {
  private EdgeValuesLater() {}

  /**
   * Values of one partition.
   *
   * @param in in the order of its in-edges
   * @param out in the order of its out-edges; null where those are derived from in-edges
   */
  record Loaded(Columns in, Columns out) {}

  /** Values for a graph that has been built: sorts the edges once more to learn their places. */
  static List<Loaded> load(
      CsrExecutorGraph graph, ValueType type, EdgeSides edges, Workers workers) {
    long count = edges.in().stream().mapToLong(EdgeBlock::size).sum();
    if (count != graph.edgeCount()) {
      throw new IllegalArgumentException(
          "the blocks hold " + count + " edges, the graph " + graph.edgeCount());
    }
    boolean out = graph.storesOutEdges();
    ValueCodec codec = ValueCodec.of(type);
    List<DenseBlock> rows;
    List<DenseBlock> turned;
    if (graph.ids() instanceof PlacedVertexIds placed) {
      rows = DenseBlocks.inOrder(edges.in(), placed, false, workers);
      turned = out ? DenseBlocks.inOrder(edges.out(), placed, true, workers) : null;
    } else {
      List<DenseBlock> dense = DenseBlocks.of(edges.all(), graph.ids(), workers);
      rows = edges.in(dense);
      turned = PartitionRows.turned(edges.out(dense));
    }
    List<Loaded> values = new ArrayList<>();
    for (CsrGraphPartition partition : graph.partitions()) {
      Columns in = load(graph, partition, partition.inEdges(), codec, rows, edges.in(), workers);
      Columns back =
          out
              ? load(graph, partition, partition.outEdges(), codec, turned, edges.out(), workers)
              : null;
      values.add(new Loaded(in, back));
    }
    return values;
  }

  /**
   * Values of the rows of one partition.
   *
   * @param dense the edges, with the rows as destinations
   * @param blocks the blocks that they came from
   */
  private static Columns load(
      CsrExecutorGraph graph,
      CsrGraphPartition partition,
      Csr rows,
      ValueCodec codec,
      List<DenseBlock> dense,
      List<EdgeBlock> blocks,
      Workers workers) {
    int first = (int) partition.firstVertex();
    int stored = partition.stored();
    PartitionSlice slice =
        graph.partitions().size() == 1
            ? PartitionSlice.all(dense, first)
            : PartitionSlice.of(dense, first, first + stored, workers);
    if (slice.edges() != rows.edges()) {
      throw new IllegalArgumentException(
          "the blocks hold %s edges of partition %s, the graph %s"
              .formatted(slice.edges(), partition.index(), rows.edges()));
    }
    int known = Math.toIntExact(graph.ids().size());
    PartitionRows made = PartitionRows.of(slice, blocks, known, stored, codec, workers);
    // The graph has these rows.
    workers.release(slice.copiedBytes() + made.csr().bytes());
    return made.values();
  }
}
