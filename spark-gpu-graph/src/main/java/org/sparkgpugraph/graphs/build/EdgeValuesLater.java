package org.sparkgpugraph.graphs.build;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.rows.BlockSequence;
import org.sparkgpugraph.graphs.rows.DenseBlock;
import org.sparkgpugraph.graphs.rows.DenseBlocks;
import org.sparkgpugraph.graphs.rows.EdgeSequence;
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
    PlacedVertexIds placed = graph.ids() instanceof PlacedVertexIds some ? some : null;
    if (placed == null && (workers.edges() != null || StoredEdgeBlock.isAmong(edges.all()))) {
      return graph.partitions().stream()
          .map(partition -> loadAway(graph, partition, codec, edges, workers))
          .toList();
    }
    List<DenseBlock> rows;
    List<DenseBlock> turned;
    if (placed != null) {
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

  /** Values of one partition, where they or the edges that they come from are off the heap. */
  private static Loaded loadAway(
      CsrExecutorGraph graph,
      CsrGraphPartition partition,
      ValueCodec codec,
      EdgeSides edges,
      Workers workers) {
    Columns in =
        loadAway(
            graph,
            partition,
            partition.inEdges(),
            codec,
            new BlockSequence(edges.in(), graph.ids()),
            edges.in(),
            workers);
    Columns out =
        graph.storesOutEdges()
            ? loadAway(
                graph,
                partition,
                partition.outEdges(),
                codec,
                new BlockSequence(edges.out(), graph.ids(), true),
                edges.out(),
                workers)
            : null;
    return new Loaded(in, out);
  }

  private static Columns loadAway(
      CsrExecutorGraph graph,
      CsrGraphPartition partition,
      Csr rows,
      ValueCodec codec,
      EdgeSequence edges,
      List<EdgeBlock> blocks,
      Workers workers) {
    PartitionRows made =
        PartitionRows.of(
            edges,
            blocks,
            (int) partition.firstVertex(),
            Math.toIntExact(graph.ids().size()),
            partition.stored(),
            codec,
            count -> unequal(partition, count, rows),
            workers);
    if (made.csr().edges() != rows.edges()) {
      throw unequal(partition, made.csr().edges(), rows);
    }
    // The graph has these rows.
    workers.release(made.csr().bytes());
    return made.values();
  }

  private static IllegalArgumentException unequal(
      CsrGraphPartition partition, long edges, Csr rows) {
    return new IllegalArgumentException(
        "the blocks hold %s edges of partition %s, the graph %s"
            .formatted(edges, partition.index(), rows.edges()));
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
      throw unequal(partition, slice.edges(), rows);
    }
    int known = Math.toIntExact(graph.ids().size());
    PartitionRows made = PartitionRows.of(slice, blocks, known, stored, codec, workers);
    // The graph has these rows.
    workers.release(slice.copiedBytes() + made.csr().bytes());
    return made.values();
  }
}
