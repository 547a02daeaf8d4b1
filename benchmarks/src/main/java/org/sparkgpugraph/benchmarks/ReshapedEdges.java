package org.sparkgpugraph.benchmarks;

import org.sparkgpugraph.graphs.model.IntEdgeBlock;

/** Graphs that are made of the edges of others. */
final class ReshapedEdges {
  private static final int HEAVIEST = 10_000;

  private ReshapedEdges() {}

  /**
   * A lattice like a map of streets: a fifth of its vertices is missing, but none of the first row
   * and column, and weights are uniform integers 1 … 10 000, the same both ways.
   *
   * @param side vertices of a row of the lattice
   */
  static IntEdgeBlock holes(IntEdgeBlock block, int side, long seed) {
    int[] sources = new int[block.size()];
    int[] destinations = new int[block.size()];
    Object values = block.values() == null ? null : sized(block.values(), block.size());
    int size = 0;
    for (int e = 0; e < block.size(); e++) {
      int source = block.sources()[e];
      int destination = block.destinations()[e];
      if (isHole(source, side, seed) || isHole(destination, side, seed)) {
        continue;
      }
      sources[size] = source;
      destinations[size] = destination;
      if (values != null) {
        set(values, size, weight(source, destination, seed, HEAVIEST));
      }
      size++;
    }
    return new IntEdgeBlock(size, sources, destinations, values);
  }

  /** The weight of an edge, the same both ways: a uniform integer from 1 to the heaviest. */
  static int weight(int source, int destination, long seed, int heaviest) {
    long edge = (long) Math.min(source, destination) << 32 | Math.max(source, destination);
    return 1 + (int) Long.remainderUnsigned(mix(edge ^ seed), heaviest);
  }

  private static boolean isHole(int vertex, int side, long seed) {
    return vertex >= side
        && vertex % side != 0
        && Long.remainderUnsigned(mix(vertex - seed), 5) == 0;
  }

  /**
   * As many edges between vertices drawn at random, with the weights that they have.
   *
   * @param number of the block
   * @param vertices number of ids, a power of two
   */
  static IntEdgeBlock random(IntEdgeBlock block, int number, long vertices, long seed) {
    int[] sources = new int[block.size()];
    int[] destinations = new int[block.size()];
    for (int e = 0; e < block.size(); e++) {
      long bits = mix(((long) number << 32 | e) + mix(seed));
      sources[e] = (int) (bits & (vertices - 1));
      destinations[e] = (int) (bits >>> 32 & (vertices - 1));
    }
    return new IntEdgeBlock(block.size(), sources, destinations, block.values());
  }

  private static Object sized(Object values, int size) {
    return values instanceof int[]
        ? new int[size]
        : values instanceof float[] ? new float[size] : new double[size];
  }

  static void set(Object values, int at, double weight) {
    if (values instanceof int[] ints) {
      ints[at] = (int) weight;
    } else if (values instanceof float[] floats) {
      floats[at] = (float) weight;
    } else {
      ((double[]) values)[at] = weight;
    }
  }

  /** A weight; 1 where there are none. */
  static float get(Object values, int at) {
    if (values == null) {
      return 1;
    }
    return values instanceof int[] ints
        ? ints[at]
        : values instanceof float[] floats ? floats[at] : (float) ((double[]) values)[at];
  }

  /** The finaliser of SplitMix64. */
  static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
