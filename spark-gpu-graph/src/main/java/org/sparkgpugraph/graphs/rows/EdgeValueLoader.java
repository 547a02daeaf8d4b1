package org.sparkgpugraph.graphs.rows;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.program.ValueType;

/** Brings edge values from blocks into the order of rows that are made with them. */
public final class EdgeValueLoader {
  private EdgeValueLoader() {}

  /**
   * Values block by block, in the order of their edges.
   *
   * @param copiedBytes how many bytes of them were copied; others are in the blocks' own arrays
   */
  record InPlace(List<Columns> blocks, long copiedBytes) {}

  /** The values of blocks, in their own arrays where these are such as programs read. */
  public static InPlace inPlace(ValueType type, List<EdgeBlock> blocks, Workers workers) {
    ValueCodec codec = ValueCodec.of(type);
    Columns[] values = new Columns[blocks.size()];
    int[] copied = new int[values.length];
    long bytes = 0;
    for (int b = 0; b < values.length; b++) {
      EdgeBlock block = blocks.get(b);
      values[b] = codec.view(block.values(), block.size());
      if (values[b] == null) {
        workers.acquire(Columns.bytes(codec.kinds(), block.size()));
        values[b] = Columns.allocate(codec.kinds(), block.size());
        copied[b] = block.size();
        bytes += values[b].bytes();
      }
    }
    workers.forEachPart(
        copied,
        (b, from, to) -> {
          EdgeBlock block = blocks.get(b);
          codec.read(block.values(), null, from, to, values[b], null, block::describe);
        });
    return new InPlace(List.of(values), bytes);
  }

  /**
   * Values for a graph whose edges the host has not sorted yet: they wait with them, by position.
   * That is possible only if the edges come in the order of those that wait; a source that is
   * evaluated once more may give another.
   *
   * @return whether that is so, and the edges are on the heap; otherwise nothing is done
   */
  public static boolean loadUnsorted(
      UnsortedEdges unsorted,
      ValueType type,
      List<EdgeBlock> blocks,
      VertexIds ids,
      Workers workers) {
    UnsortedEdges.Loaded loaded = unsorted == null ? null : unsorted.loaded();
    if (loaded == null
        || StoredEdgeBlock.isAmong(blocks)
        || !sizes(loaded.blocks()).equals(blocks.stream().map(EdgeBlock::size).toList())
        || !same(loaded.blocks(), DenseBlocks.of(blocks, ids, workers), workers)) {
      return false;
    }
    return unsorted.load(type.columns(), inPlace(type, blocks, workers));
  }

  private static List<Integer> sizes(List<DenseBlock> blocks) {
    return blocks.stream().map(DenseBlock::size).toList();
  }

  /** Whether blocks of the same sizes hold the same edges in the same order. */
  private static boolean same(List<DenseBlock> some, List<DenseBlock> others, Workers workers) {
    AtomicBoolean differ = new AtomicBoolean();
    workers.forEachPart(
        some.stream().mapToInt(DenseBlock::size).toArray(),
        (b, from, to) -> {
          DenseBlock block = some.get(b);
          DenseBlock other = others.get(b);
          for (int i = from; i < to; i++) {
            if (block.source(i) != other.source(i)
                || block.destination(i) != other.destination(i)) {
              differ.set(true);
              return;
            }
          }
        });
    return !differ.get();
  }

  /**
   * Reads the values of a slice.
   *
   * @param places per block, the place of every edge among the rows
   */
  static Columns read(
      ValueCodec codec,
      PartitionSlice slice,
      List<? extends EdgeBlock> blocks,
      int[][] places,
      Workers workers) {
    int[] sizes = slice.blocks().stream().mapToInt(DenseBlock::size).toArray();
    workers.acquire(Columns.bytes(codec.kinds(), slice.edges()));
    Columns values = Columns.allocate(codec.kinds(), (int) slice.edges());
    workers.forEachPart(
        sizes,
        (b, from, to) -> {
          EdgeBlock block = blocks.get(b);
          int[] positions = slice.positions(b);
          codec.read(
              block.values(),
              positions,
              from,
              to,
              values,
              places[b],
              i -> block.describe(positions == null ? i : positions[i]));
        });
    return values;
  }
}
