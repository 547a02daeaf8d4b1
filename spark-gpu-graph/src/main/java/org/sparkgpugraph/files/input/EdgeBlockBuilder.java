package org.sparkgpugraph.files.input;

import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;

/**
 * Collects edges into blocks of primitive arrays, with 32-bit ids as long as all fit. Not
 * thread-safe.
 */
public final class EdgeBlockBuilder {
  /**
   * Edges of a full block. Small enough that none of its arrays (128 KB) is a humongous object of a
   * G1 heap with regions of 1 MB, which is what a heap below 4 GB has.
   */
  static final int CAPACITY = 1 << 14;

  private final boolean weighted;
  private final boolean undirected;

  /** Once an id needs 64 bits all later blocks have room for such: ids come in ranges. */
  private boolean wide;

  private int[] intSources;
  private int[] intDestinations;
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
  public EdgeBlockBuilder(boolean weighted, boolean undirected) {
    this.weighted = weighted;
    this.undirected = undirected;
    allocate();
  }

  /** Bytes that an edge takes in a block, at least. */
  public static int leastBytes(boolean weighted) {
    return 2 * Integer.BYTES + (weighted ? Double.BYTES : 0);
  }

  private void allocate() {
    if (wide) {
      sources = new long[CAPACITY];
      destinations = new long[CAPACITY];
    } else {
      intSources = new int[CAPACITY];
      intDestinations = new int[CAPACITY];
    }
    weights = weighted ? new double[CAPACITY] : null;
    size = 0;
  }

  /** Whether the weights given to {@link #add} are kept. */
  public boolean isWeighted() {
    return weighted;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Whether another edge may have no room. */
  public boolean isFull() {
    return !hasRoom(1);
  }

  /** Whether that many calls of {@link #add} have room. */
  public boolean hasRoom(int edges) {
    return size + (undirected ? 2 * edges : edges) <= CAPACITY;
  }

  /** Adds an edge, and its reverse in an undirected graph (of a self-loop too). */
  public void add(long source, long destination, double weight) {
    put(source, destination, weight);
    if (undirected) {
      put(destination, source, weight);
    }
  }

  private void put(long source, long destination, double weight) {
    if (!wide && (source != (int) source || destination != (int) destination)) {
      widen();
    }
    if (wide) {
      sources[size] = source;
      destinations[size] = destination;
    } else {
      intSources[size] = (int) source;
      intDestinations[size] = (int) destination;
    }
    if (weighted) {
      weights[size] = weight;
    }
    size++;
  }

  private void widen() {
    wide = true;
    sources = new long[CAPACITY];
    destinations = new long[CAPACITY];
    for (int i = 0; i < size; i++) {
      sources[i] = intSources[i];
      destinations[i] = intDestinations[i];
    }
    intSources = null;
    intDestinations = null;
  }

  /** Hands the block over and starts a new one. */
  public EdgeBlock take() {
    EdgeBlock block =
        wide
            ? new GlobalEdgeBlock(size, sources, destinations, weights)
            : new IntEdgeBlock(size, intSources, intDestinations, weights);
    allocate();
    return block;
  }
}
