package io.sparkgpugraph.io;

import io.sparkgpugraph.graph.GlobalEdgeBlock;

/** Collects edges into a block of primitive arrays. Not thread-safe. */
final class EdgeBlockBuilder {
  /**
   * Edges of a full block. Small enough that its arrays (128 KB each) are not humongous objects of
   * a G1 heap with regions of 1 MB, which is what a heap below 4 GB has.
   */
  static final int CAPACITY = 1 << 14;

  private final boolean weighted;
  private final boolean undirected;
  private long[] sources;
  private long[] destinations;
  private double[] weights;
  private int size;

  /**
   * Starts with an empty block.
   *
   * @param weighted whether blocks carry the weights, as {@code double[]}
   * @param undirected whether every edge is added in both directions
   */
  EdgeBlockBuilder(boolean weighted, boolean undirected) {
    this.weighted = weighted;
    this.undirected = undirected;
    allocate();
  }

  private void allocate() {
    sources = new long[CAPACITY];
    destinations = new long[CAPACITY];
    weights = weighted ? new double[CAPACITY] : null;
    size = 0;
  }

  /** Whether another edge may have no room. */
  boolean isFull() {
    return !hasRoom(1);
  }

  /** Whether that many calls of {@link #add} have room. */
  boolean hasRoom(int edges) {
    return size + (undirected ? 2 * edges : edges) <= CAPACITY;
  }

  /** Whether the weights given to {@link #add} are kept. */
  boolean isWeighted() {
    return weighted;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Adds an edge, and its reverse in an undirected graph (of a self-loop too). */
  void add(long source, long destination, double weight) {
    put(source, destination, weight);
    if (undirected) {
      put(destination, source, weight);
    }
  }

  private void put(long source, long destination, double weight) {
    sources[size] = source;
    destinations[size] = destination;
    if (weighted) {
      weights[size] = weight;
    }
    size++;
  }

  /** Hands the block over and starts a new one. */
  GlobalEdgeBlock take() {
    GlobalEdgeBlock block = new GlobalEdgeBlock(size, sources, destinations, weights);
    allocate();
    return block;
  }
}
