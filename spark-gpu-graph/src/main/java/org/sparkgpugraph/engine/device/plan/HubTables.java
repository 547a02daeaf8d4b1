package org.sparkgpugraph.engine.device.plan;

import java.util.Arrays;
import org.sparkgpugraph.engine.device.ChunkSide;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The rows that a warp must not own alone: those with more in-edges, or more out-edges, than a
 * limit. Their edges are cut into chunks of a warp's work; a hub's chunks follow each other, first
 * those of its in-edges, then those of its out-edges, both ascending. Only vertices that exist are
 * hubs: the others never run.
 *
 * @param rows {@code int[hubs]}: the rows, ascending
 * @param firstChunk {@code int[hubs + 1]}: hub h has the chunks {@code firstChunk[h] … firstChunk[h
 *     + 1] − 1}, at least one
 * @param chunkHub {@code int[chunks]}: the hub that a chunk belongs to
 * @param chunkBegin {@code int[chunks]}: its first edge, as an index into the neighbours
 * @param chunkEnd {@code int[chunks]}: the edge behind its last one
 * @param chunkSide {@code int[chunks]}: number of its {@link ChunkSide}
 */
record HubTables(
    int[] rows,
    int[] firstChunk,
    int[] chunkHub,
    int[] chunkBegin,
    int[] chunkEnd,
    int[] chunkSide) {
  /**
   * Finds the hubs.
   *
   * @param stored number of rows
   * @param inOffsets offsets of the in-edges; null when they are not gathered
   * @param outOffsets offsets of the out-edges; null when they are not gathered
   * @param present bitmap of the vertices that exist; null: all do
   * @param hubDegree rows with more edges than this on one side are hubs
   * @param chunkEdges most edges of a chunk
   */
  static HubTables of(
      int stored,
      int[] inOffsets,
      int[] outOffsets,
      long[] present,
      int hubDegree,
      int chunkEdges) {
    int[] rows = new int[16];
    int hubs = 0;
    long chunks = 0;
    for (int v = 0; v < stored; v++) {
      int in = degree(inOffsets, v);
      int out = degree(outOffsets, v);
      if ((in > hubDegree || out > hubDegree) && exists(present, v)) {
        if (hubs == rows.length) {
          rows = Arrays.copyOf(rows, 2 * hubs);
        }
        rows[hubs++] = v;
        chunks += chunks(in, chunkEdges) + chunks(out, chunkEdges);
      }
    }
    int count = Math.toIntExact(chunks);
    HubTables tables =
        new HubTables(
            Arrays.copyOf(rows, hubs),
            new int[hubs + 1],
            new int[count],
            new int[count],
            new int[count],
            new int[count]);
    int chunk = 0;
    for (int h = 0; h < hubs; h++) {
      chunk = tables.cut(h, inOffsets, ChunkSide.IN, chunkEdges, chunk);
      chunk = tables.cut(h, outOffsets, ChunkSide.OUT, chunkEdges, chunk);
      tables.firstChunk[h + 1] = chunk;
    }
    return tables;
  }

  private static boolean exists(long[] present, int v) {
    return GraphPartition.exists(present, v);
  }

  private static int degree(int[] offsets, int v) {
    return offsets == null ? 0 : offsets[v + 1] - offsets[v];
  }

  private static long chunks(int degree, int chunkEdges) {
    return (degree + (long) chunkEdges - 1) / chunkEdges;
  }

  /** Cuts one side of a hub and returns the number of the next chunk. */
  private int cut(int hub, int[] offsets, ChunkSide side, int chunkEdges, int first) {
    if (offsets == null) {
      return first;
    }
    int chunk = first;
    int end = offsets[rows[hub] + 1];
    for (long begin = offsets[rows[hub]]; begin < end; begin += chunkEdges) {
      chunkHub[chunk] = hub;
      chunkBegin[chunk] = (int) begin;
      chunkEnd[chunk] = (int) Math.min(end, begin + chunkEdges);
      chunkSide[chunk++] = side.ordinal();
    }
    return chunk;
  }

  /** Number of hubs. */
  int hubs() {
    return rows.length;
  }

  /** Number of chunks. */
  int chunks() {
    return chunkHub.length;
  }
}
