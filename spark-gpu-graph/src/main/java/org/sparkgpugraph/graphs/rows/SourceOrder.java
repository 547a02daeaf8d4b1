package org.sparkgpugraph.graphs.rows;

import java.util.List;
import org.sparkgpugraph.graphs.memory.BinarySearch;

/**
 * Edge blocks whose sources ascend, as those of GraphX's edge partitions do, as one sequence in the
 * order (source, block, position), which can be cut anywhere. Where sources do not ascend its cuts
 * mean nothing; that is found out on the way.
 *
 * @param known sources are below it, at least 1
 */
record SourceOrder(List<DenseBlock> blocks, int known) {
  /** Edges at the begin of every block that are looked at before any work is done. */
  private static final int PROBE = 1 << 10;

  /** Whether the first sources of every block ascend: most blocks that do not are found by that. */
  static boolean begins(List<DenseBlock> blocks) {
    return blocks.stream().allMatch(SourceOrder::begins);
  }

  private static boolean begins(DenseBlock block) {
    for (int i = 1; i < Math.min(PROBE, block.size()); i++) {
      if (block.source(i) < block.source(i - 1)) {
        return false;
      }
    }
    return true;
  }

  /** The source of the edge that has so many before it; the last of all where there is none. */
  int sourceAt(long before) {
    return BinarySearch.first(0, known - 1, source -> below(source + 1) > before);
  }

  /** Number of edges whose source is below one. */
  long below(int source) {
    long edges = 0;
    for (int b = 0; b < blocks.size(); b++) {
      edges += begin(b, source);
    }
    return edges;
  }

  /** Position of the first edge of a block whose source is not below one. */
  int begin(int b, int source) {
    DenseBlock block = blocks.get(b);
    return BinarySearch.first(0, block.size(), i -> block.source(i) >= source);
  }
}
