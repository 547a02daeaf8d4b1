package org.sparkgpugraph.engine.louvain;

import java.util.Arrays;
import org.sparkgpugraph.engine.WorkerTeam;

/**
 * Rows of a level one behind the other, so that a device can have them.
 *
 * @param offsets {@code int[vertices + 1]}
 * @param weights null: all are 1
 */
record HostRows(int[] offsets, int[] neighbours, long[] weights) {
  /** Rows that a thread takes at a time. */
  private static final int CHUNK = 1024;

  /** Longest array that every JVM can make. */
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  /**
   * Copies all rows of a level that is held here.
   *
   * @param ones whether all weights are 1
   * @return null when there are more entries than an array can have
   */
  static HostRows of(LevelRows rows, boolean ones, WorkerTeam team, LocalMoving.Tools[] tools) {
    int size = rows.end() - rows.first();
    int[] offsets = new int[size + 1];
    forEach(team, tools, size, rows, (v, row) -> offsets[v + 1] = row.size);
    long entries = 0;
    for (int v = 0; v < size; v++) {
      entries += offsets[v + 1];
      if (entries > LONGEST) {
        return null;
      }
      offsets[v + 1] = (int) entries;
    }
    int[] neighbours = new int[(int) entries];
    long[] weights = ones ? null : new long[(int) entries];
    forEach(
        team,
        tools,
        size,
        rows,
        (v, row) -> {
          System.arraycopy(row.neighbours, 0, neighbours, offsets[v], row.size);
          if (!ones) {
            System.arraycopy(row.weights, 0, weights, offsets[v], row.size);
          }
        });
    return new HostRows(offsets, neighbours, weights);
  }

  private interface Visitor {
    void visit(int vertex, NeighbourRow row);
  }

  private static void forEach(
      WorkerTeam team, LocalMoving.Tools[] tools, int size, LevelRows rows, Visitor visitor) {
    int chunks = (int) ((size + CHUNK - 1L) / CHUNK);
    team.each(
        chunks > 1,
        chunks,
        (member, i) -> {
          NeighbourRow row = tools[member].row;
          for (int v = i * CHUNK; v < Math.min(size, (i + 1L) * CHUNK); v++) {
            rows.load(rows.first() + v, row);
            visitor.visit(v, row);
          }
        });
  }

  /** The same in chunks, as levels on the host are. */
  CoarseRows chunked() {
    int size = offsets.length - 1;
    CoarseRows.Chunk[] chunks = new CoarseRows.Chunk[CoarseRows.chunks(size)];
    for (int i = 0; i < chunks.length; i++) {
      int first = i * CoarseRows.CHUNK;
      int rows = Math.min(CoarseRows.CHUNK, size - first);
      int from = offsets[first];
      int to = offsets[first + rows];
      int[] begin = new int[rows + 1];
      for (int r = 0; r <= rows; r++) {
        begin[r] = offsets[first + r] - from;
      }
      chunks[i] =
          new CoarseRows.Chunk(
              begin,
              Arrays.copyOfRange(neighbours, from, to),
              Arrays.copyOfRange(weights, from, to));
    }
    return new CoarseRows(0, size, chunks);
  }
}
