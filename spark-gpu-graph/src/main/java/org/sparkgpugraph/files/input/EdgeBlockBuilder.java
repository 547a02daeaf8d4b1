package org.sparkgpugraph.files.input;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.Kind;

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
  private final int length;
  private final boolean undirected;
  private final int capacity;

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
    this(weighted, 0, undirected);
  }

  /**
   * As above.
   *
   * @param length numbers of the array that every edge has as its weights, which blocks carry as a
   *     column of such arrays; 0: weights are numbers
   */
  EdgeBlockBuilder(boolean weighted, int length, boolean undirected) {
    this.weighted = weighted;
    this.length = length;
    this.undirected = undirected;
    capacity = CAPACITY / Math.max(1, length);
    allocate();
  }

  /** Bytes that an edge takes in a block, at least. */
  public static int leastBytes(boolean weighted) {
    return 2 * Integer.BYTES + (weighted ? Double.BYTES : 0);
  }

  private void allocate() {
    if (wide) {
      sources = new long[capacity];
      destinations = new long[capacity];
    } else {
      intSources = new int[capacity];
      intDestinations = new int[capacity];
    }
    weights = weighted ? new double[capacity * Math.max(1, length)] : null;
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
    return edges <= room();
  }

  /** How many calls of {@link #add} have room. */
  public int room() {
    return (capacity - size) / (undirected ? 2 : 1);
  }

  /** Adds an edge, and its reverse in an undirected graph (of a self-loop too). */
  public void add(long source, long destination, double weight) {
    put(source, destination, weight);
    if (undirected) {
      put(destination, source, weight);
    }
  }

  /** Adds an edge with an array of weights, and its reverse in an undirected graph. */
  void add(long source, long destination, double[] array) {
    for (int times = undirected ? 2 : 1; times > 0; times--) {
      System.arraycopy(array, 0, weights, size * length, length);
      put(times == 1 ? source : destination, times == 1 ? destination : source);
    }
  }

  private void put(long source, long destination, double weight) {
    if (weighted) {
      weights[size] = weight;
    }
    put(source, destination);
  }

  private void put(long source, long destination) {
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
    size++;
  }

  private void widen() {
    wide = true;
    sources = new long[capacity];
    destinations = new long[capacity];
    for (int i = 0; i < size; i++) {
      sources[i] = intSources[i];
      destinations[i] = intDestinations[i];
    }
    intSources = null;
    intDestinations = null;
  }

  /** Hands the block over and starts a new one. */
  public EdgeBlock take() {
    Object values =
        length == 0
            ? weights
            : new Columns(
                List.of(new ArrayType(Kind.DOUBLE, length)), new Object[] {weights}, size);
    EdgeBlock block =
        wide
            ? new GlobalEdgeBlock(size, sources, destinations, values)
            : new IntEdgeBlock(size, intSources, intDestinations, values);
    allocate();
    return block;
  }
}
