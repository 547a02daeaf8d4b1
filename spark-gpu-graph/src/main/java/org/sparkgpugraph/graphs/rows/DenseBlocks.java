package org.sparkgpugraph.graphs.rows;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexIds;

/** Gives the ends of edge blocks as dense ids, with as little copying as the blocks allow. */
public final class DenseBlocks {
  private DenseBlocks() {}

  /** Number of edges of all blocks; may be more than an array can have. */
  public static long edges(List<DenseBlock> blocks) {
    return blocks.stream().mapToLong(DenseBlock::size).sum();
  }

  /**
   * Maps blocks. GraphX's dictionaries need one {@code int} per entry; blocks of {@code int} ids
   * share one table over all ids, or are used as they are; only blocks of {@code long} ids, or of
   * widely scattered {@code int} ids, are copied. The workers reserve what is made.
   *
   * @throws IllegalArgumentException when an end of an edge is not among the ids
   */
  public static List<DenseBlock> of(
      List<? extends EdgeBlock> blocks, VertexIds ids, Workers workers) {
    DenseBlock[] dense = new DenseBlock[blocks.size()];
    int[] table = null;
    PlacedVertexIds placed = ids instanceof PlacedVertexIds p ? p : null;
    VertexIds inOrder = placed == null ? ids : placed.inOrder();
    if (placed != null && inOrder instanceof IdentityVertexIds) {
      table = placed.denseInOrder();
    } else if (inOrder instanceof BitmapVertexIds bitmap
        && blocks.stream().anyMatch(IntEdgeBlock.class::isInstance)) {
      long edges = blocks.stream().mapToLong(EdgeBlock::size).sum();
      long bits = (long) bitmap.bitmap().words().length * 64;
      if (bits <= Math.max(edges, 1 << 16)) {
        workers.acquire(4 * bits);
        table = table(bitmap.bitmap(), (int) bits, placed);
      }
    }
    int[] shared = table;
    workers.run(
        dense.length,
        b -> {
          EdgeBlock block = blocks.get(b);
          if (block instanceof LocalEdgeBlock local) {
            workers.acquire(4L * local.localToGlobal().length);
            int[] map = new int[local.localToGlobal().length];
            dense[b] =
                new DenseBlock(block.size(), local.localSources(), local.localDestinations(), map);
          } else if (block instanceof IntEdgeBlock ints && ids instanceof IdentityVertexIds) {
            dense[b] = new DenseBlock(block.size(), ints.sources(), ints.destinations(), null);
          } else if (block instanceof IntEdgeBlock ints && shared != null) {
            dense[b] = new DenseBlock(block.size(), ints.sources(), ints.destinations(), shared);
          } else { // filled below
            workers.acquire(8L * block.size());
            dense[b] =
                new DenseBlock(block.size(), new int[block.size()], new int[block.size()], null);
          }
        });
    workers.forEachPart(
        blocks.stream()
            .mapToInt(b -> b instanceof LocalEdgeBlock local ? local.localToGlobal().length : 0)
            .toArray(),
        (b, from, to) ->
            dictionary(
                ((LocalEdgeBlock) blocks.get(b)).localToGlobal(), ids, from, to, dense[b].map()));
    workers.forEachPart(
        blocks.stream().mapToInt(b -> isCopied(b, ids, shared) ? b.size() : 0).toArray(),
        (b, from, to) -> copy(blocks.get(b), ids, from, to, dense[b]));
    return Arrays.asList(dense);
  }

  /**
   * Blocks of which rows are made that come in the order of original ids: ends that become rows are
   * dense ids, the others the places of the ids in ascending order ({@link
   * PlacedVertexIds#denseInOrder}). The workers reserve what is made, 8 bytes an edge.
   *
   * @param turned whether sources become rows: they are the destinations then
   * @throws IllegalArgumentException when an end of an edge is not among the ids
   */
  public static List<DenseBlock> inOrder(
      List<? extends EdgeBlock> blocks, PlacedVertexIds ids, boolean turned, Workers workers) {
    int[] sizes = blocks.stream().mapToInt(EdgeBlock::size).toArray();
    int[][] places = new int[sizes.length][];
    DenseBlock[] made = new DenseBlock[sizes.length];
    workers.run(
        sizes.length,
        b -> {
          workers.acquire(8L * sizes[b]);
          made[b] = new DenseBlock(sizes[b], new int[sizes[b]], new int[sizes[b]], null);
          if (blocks.get(b) instanceof LocalEdgeBlock local) {
            long[] originals = local.localToGlobal();
            workers.acquire(4L * originals.length);
            places[b] = new int[originals.length];
            dictionary(originals, ids.inOrder(), 0, originals.length, places[b]);
          }
        });
    workers.forEachPart(
        sizes,
        (b, from, to) -> {
          EdgeBlock block = blocks.get(b);
          LocalEdgeBlock local = places[b] == null ? null : (LocalEdgeBlock) block;
          for (int i = from; i < to; i++) {
            int source;
            int destination;
            if (local == null) {
              source = (int) ids.inOrder().dense(block.source(i));
              destination = (int) ids.inOrder().dense(block.destination(i));
            } else {
              source = places[b][local.localSources()[i]];
              destination = places[b][local.localDestinations()[i]];
            }
            if (source < 0 || destination < 0) {
              throw stranger(block, i);
            }
            made[b].sources()[i] = turned ? destination : source;
            made[b].destinations()[i] = ids.denseInOrder()[turned ? source : destination];
          }
        });
    return Arrays.asList(made);
  }

  private static boolean isCopied(EdgeBlock block, VertexIds ids, int[] shared) {
    return block instanceof GlobalEdgeBlock
        || block instanceof StoredEdgeBlock
        || block instanceof IntEdgeBlock && !(ids instanceof IdentityVertexIds) && shared == null;
  }

  private static int[] table(RankedBitmap bitmap, int bits, PlacedVertexIds placed) {
    int[] table = new int[bits];
    Arrays.fill(table, -1);
    int next = 0;
    for (int w = 0; w < bitmap.words().length; w++) {
      for (long word = bitmap.words()[w]; word != 0; word &= word - 1) {
        table[(w << 6) + Long.numberOfTrailingZeros(word)] =
            placed == null ? next : placed.denseInOrder()[next];
        next++;
      }
    }
    return table;
  }

  /** Entries that no edge uses may be unknown: −1. */
  private static void dictionary(long[] originals, VertexIds ids, int from, int to, int[] map) {
    for (int l = from; l < to; l++) {
      map[l] = (int) ids.dense(originals[l]);
    }
  }

  /** For an edge with an end that is not among the ids. */
  static IllegalArgumentException stranger(EdgeBlock block, int position) {
    return new IllegalArgumentException(
        block.describe(position) + " is not an edge of this graph: its ends have no dense ids");
  }

  private static void copy(EdgeBlock block, VertexIds ids, int from, int to, DenseBlock copy) {
    for (int i = from; i < to; i++) {
      int source = (int) ids.dense(block.source(i));
      int destination = (int) ids.dense(block.destination(i));
      if (source < 0 || destination < 0) {
        throw stranger(block, i);
      }
      copy.sources()[i] = source;
      copy.destinations()[i] = destination;
    }
  }
}
