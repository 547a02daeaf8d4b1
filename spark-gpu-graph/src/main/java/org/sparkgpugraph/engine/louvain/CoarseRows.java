package org.sparkgpugraph.engine.louvain;

/**
 * Rows of a level whose vertices are communities of the one before: each neighbour once, without
 * what is inside. In chunks, as the threads made them.
 */
final class CoarseRows implements LevelRows {
  /** Rows of a chunk. */
  static final int CHUNK = 256;

  private final int first;
  private final int end;
  private final Chunk[] chunks;

  /**
   * Some rows, one behind the other.
   *
   * @param offsets {@code int[rows + 1]}
   */
  record Chunk(int[] offsets, int[] neighbours, long[] weights) {}

  /**
   * @param first number of the first vertex
   * @param chunks of {@link #CHUNK} rows each, the last of what is left
   */
  CoarseRows(int first, int end, Chunk[] chunks) {
    this.first = first;
    this.end = end;
    this.chunks = chunks;
  }

  static int chunks(int rows) {
    return (rows + CHUNK - 1) / CHUNK;
  }

  /** Number of connections of all rows. */
  long entries() {
    long sum = 0;
    for (Chunk chunk : chunks) {
      sum += chunk.neighbours.length;
    }
    return sum;
  }

  @Override
  public int first() {
    return first;
  }

  @Override
  public int end() {
    return end;
  }

  @Override
  public void load(int vertex, NeighbourRow into) {
    int row = vertex - first;
    Chunk chunk = chunks[row / CHUNK];
    int from = chunk.offsets[row % CHUNK];
    int size = chunk.offsets[row % CHUNK + 1] - from;
    into.reserve(size, false);
    System.arraycopy(chunk.neighbours, from, into.neighbours, 0, size);
    System.arraycopy(chunk.weights, from, into.weights, 0, size);
    into.size = size;
  }
}
