package io.sparkgpugraph.graph;

import java.util.Arrays;
import java.util.List;

/** Gives the ends of edge blocks as dense ids, with as little copying as the blocks allow. */
final class DenseBlocks {
  private DenseBlocks() {}

  /**
   * Maps blocks. GraphX's dictionaries need one {@code int} per entry; blocks of {@code int} ids
   * share one table over all ids, or are used as they are; only blocks of {@code long} ids, or of
   * widely scattered {@code int} ids, are copied.
   *
   * @throws IllegalArgumentException when an end of an edge is not among the ids
   */
  static List<DenseBlock> of(List<? extends EdgeBlock> blocks, VertexIds ids, Workers workers) {
    DenseBlock[] dense = new DenseBlock[blocks.size()];
    int[] table = null;
    if (ids instanceof BitmapVertexIds bitmap
        && blocks.stream().anyMatch(IntEdgeBlock.class::isInstance)) {
      long edges = blocks.stream().mapToLong(EdgeBlock::size).sum();
      long bits = (long) bitmap.bitmap().words().length * 64;
      if (bits <= Math.max(edges, 1 << 16)) {
        table = table(bitmap.bitmap(), (int) bits);
      }
    }
    int[] shared = table;
    for (int b = 0; b < dense.length; b++) {
      EdgeBlock block = blocks.get(b);
      if (block instanceof LocalEdgeBlock local) {
        dense[b] =
            new DenseBlock(
                block.size(),
                local.localSources(),
                local.localDestinations(),
                dictionary(local.localToGlobal(), ids, workers));
      } else if (block instanceof IntEdgeBlock ints && ids instanceof IdentityVertexIds) {
        dense[b] = new DenseBlock(block.size(), ints.sources(), ints.destinations(), null);
      } else if (block instanceof IntEdgeBlock ints && shared != null) {
        dense[b] = new DenseBlock(block.size(), ints.sources(), ints.destinations(), shared);
      } else {
        dense[b] = copy(block, ids, workers);
      }
    }
    return Arrays.asList(dense);
  }

  private static int[] table(RankedBitmap bitmap, int bits) {
    int[] table = new int[bits];
    Arrays.fill(table, -1);
    int next = 0;
    for (int w = 0; w < bitmap.words().length; w++) {
      for (long word = bitmap.words()[w]; word != 0; word &= word - 1) {
        table[(w << 6) + Long.numberOfTrailingZeros(word)] = next++;
      }
    }
    return table;
  }

  /** Entries that no edge uses may be unknown: −1. */
  private static int[] dictionary(long[] originals, VertexIds ids, Workers workers) {
    int[] map = new int[originals.length];
    workers.forEachChunk(
        map.length,
        (from, to) -> {
          for (int l = from; l < to; l++) {
            map[l] = (int) ids.dense(originals[l]);
          }
        });
    return map;
  }

  private static DenseBlock copy(EdgeBlock block, VertexIds ids, Workers workers) {
    int[] sources = new int[block.size()];
    int[] destinations = new int[block.size()];
    workers.forEachChunk(
        sources.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            sources[i] = (int) ids.dense(block.source(i));
            destinations[i] = (int) ids.dense(block.destination(i));
            if (sources[i] < 0 || destinations[i] < 0) {
              throw new IllegalArgumentException(
                  block.describe(i) + " is not an edge of this graph: its ends have no dense ids");
            }
          }
        });
    return new DenseBlock(sources.length, sources, destinations, null);
  }
}
