package org.sparkgpugraph.engine.louvain;

/**
 * Rows of a level whose vertices are communities of the one before: each neighbour once, without
 * what is inside. In chunks, as the threads made them.
 *
 * @param first number of the first vertex
 * @param end number behind that of the last one
 * @param chunks of {@link #CHUNK} rows each, the last of what is left
 */
record CoarseRows(int first, int end, Chunk[] chunks) implements LevelRows {
  /** Rows of a chunk. */
  static final int CHUNK = 256;

  /**
   * Some rows, one behind the other.
   *
   * @param offsets {@code int[rows + 1]}
   */
  record Chunk(int[] offsets, int[] neighbours, long[] weights) {}

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
