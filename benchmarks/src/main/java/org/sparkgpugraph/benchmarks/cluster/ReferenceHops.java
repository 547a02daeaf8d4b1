package org.sparkgpugraph.benchmarks.cluster;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Hops between a few vertices and all others, by a breadth-first search with a queue for each: what
 * searches that share their edges, and vectors of hops, are compared with.
 */
final class ReferenceHops {
  private static final int UNREACHED = Integer.MAX_VALUE;

  private final GraphPartition partition;
  private final int[] several;
  private int[][] from;
  private int[][] to;

  /**
   * @param partition the only one of a graph
   * @param several dense ids
   */
  ReferenceHops(GraphPartition partition, int[] several) {
    this.partition = partition;
    this.several = several;
  }

  /** Searches, from all vertices at the same time. */
  void prepare() {
    from = searches(partition.outEdges());
    to = searches(partition.inEdges());
  }

  private int[][] searches(Csr rows) {
    IntFunction<int[]> search = start -> search(rows, start);
    return IntStream.of(several).parallel().mapToObj(search).toArray(int[][]::new);
  }

  private static int[] search(Csr rows, int start) {
    int[] hops = new int[rows.rows()];
    Arrays.fill(hops, UNREACHED);
    int[] queue = new int[hops.length];
    int tail = 0;
    hops[start] = 0;
    queue[tail++] = start;
    for (int head = 0; head < tail; head++) {
      int v = queue[head];
      for (int e = rows.offsets()[v]; e < rows.offsets()[v + 1]; e++) {
        int neighbour = rows.neighbours()[e];
        if (hops[neighbour] == UNREACHED) {
          hops[neighbour] = hops[v] + 1;
          queue[tail++] = neighbour;
        }
      }
    }
    return hops;
  }

  /**
   * Compares searches from these vertices.
   *
   * @param sources by dense id: bit i is set when the vertex i of these reaches it
   * @param distances sums of the hops from these
   * @return null when they agree, otherwise the first vertex that does not and both values
   */
  String reachedDifference(long[] sources, long[] distances) {
    for (int v = 0; v < sources.length; v++) {
      long bits = 0;
      long sum = 0;
      for (int i = 0; i < several.length; i++) {
        if (from[i][v] != UNREACHED) {
          bits |= 1L << i;
          sum += from[i][v];
        }
      }
      if (sources[v] != bits || distances[v] != sum) {
        return "vertex %d is reached by %s in %d hops, expected %s in %d"
            .formatted(
                partition.originalId(v),
                Long.toBinaryString(sources[v]),
                distances[v],
                Long.toBinaryString(bits),
                sum);
      }
    }
    return null;
  }

  /**
   * Compares hops to these vertices.
   *
   * @param found a column for each
   * @return as above
   */
  String landmarkDifference(Columns found) {
    for (int i = 0; i < several.length; i++) {
      int v = Arrays.mismatch(found.ints(i), to[i]);
      if (v >= 0) {
        return "vertex %d has %d hops to vertex %d, expected %d"
            .formatted(
                partition.originalId(v),
                found.ints(i)[v],
                partition.originalId(several[i]),
                to[i][v]);
      }
    }
    return null;
  }
}
