package org.sparkgpugraph.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The simple undirected graph of others' edges: each edge both ways and once, none from a vertex to
 * itself, in the order of sources and destinations.
 */
final class UndirectedEdges {
  private static final int BLOCK = 1 << 22;
  private static final int HEAVIEST = 64;

  private UndirectedEdges() {}

  /**
   * @param weights kind of the edge values, uniform integers 1 … 64, the same both ways; null: none
   * @throws IllegalArgumentException when there are 2^30 edges or more
   */
  static List<EdgeBlock> of(List<EdgeBlock> blocks, Kind weights) {
    long size = blocks.stream().mapToLong(EdgeBlock::size).sum();
    if (size >= 1 << 30) {
      throw new IllegalArgumentException(
          "both ways " + size + " edges are more than an array holds");
    }
    long[] keys = new long[2 * (int) size];
    int at = 0;
    for (EdgeBlock block : blocks) {
      IntEdgeBlock some = (IntEdgeBlock) block;
      for (int e = 0; e < some.size(); e++) {
        long source = some.sources()[e];
        long destination = some.destinations()[e];
        keys[at++] = source << 32 | destination;
        keys[at++] = destination << 32 | source;
      }
    }
    Arrays.parallelSort(keys);
    int kept = 0;
    for (int i = 0; i < keys.length; i++) {
      boolean again = i > 0 && keys[i] == keys[i - 1];
      boolean loop = (int) (keys[i] >>> 32) == (int) keys[i];
      if (!again && !loop) {
        keys[kept++] = keys[i];
      }
    }
    int edges = kept;
    return new ArrayList<>(
        IntStream.range(0, (edges + BLOCK - 1) / BLOCK)
            .parallel()
            .mapToObj(b -> block(keys, b * BLOCK, Math.min(BLOCK, edges - b * BLOCK), weights))
            .toList());
  }

  private static IntEdgeBlock block(long[] keys, int first, int size, Kind weights) {
    int[] sources = new int[size];
    int[] destinations = new int[size];
    Object values = weights == null ? null : BenchmarkGraphs.newArray(weights, size);
    for (int e = 0; e < size; e++) {
      int source = (int) (keys[first + e] >>> 32);
      int destination = (int) keys[first + e];
      sources[e] = source;
      destinations[e] = destination;
      if (values != null) {
        ReshapedEdges.set(values, e, ReshapedEdges.weight(source, destination, 0, HEAVIEST));
      }
    }
    return new IntEdgeBlock(size, sources, destinations, values);
  }
}
