package org.sparkgpugraph.engine.device.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.device.ProgramUnsupportedException;
import org.sparkgpugraph.engine.device.kernels.ModeLayout;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The rows whose most frequent message a warp must not find alone ({@code sgg/mode.cuh}): those of
 * many places, as what the edges of a row may send is called there, in-edges first. Their places
 * are cut into chunks, which a block each counts; the counts of a row of several chunks are added
 * up in a table of its own. Rows are worked on in batches, whose tables stand in the same memory
 * one after the other.
 *
 * @param rows {@code int[hubs]}: the rows, ascending
 * @param firstChunk {@code int[hubs + 1]}: hub h has the chunks {@code firstChunk[h] … firstChunk[h
 *     + 1] − 1}, at least one
 * @param chunkHub {@code int[chunks]}: the hub that a chunk belongs to
 * @param chunkBegin {@code int[chunks]}: its first place in the row
 * @param chunkEnd {@code int[chunks]}: the place behind its last one
 * @param first {@code int[hubs]}: where a hub's table begins in its batch, or the next one's would;
 *     before the end of the table before where a batch begins
 * @param capacity {@code int[hubs]}: labels that its table can hold, behind which one slot more
 *     stands; 0: it has one chunk and no table
 * @param slots slots of the largest batch
 */
public record ModeTables(
    int[] rows,
    int[] firstChunk,
    int[] chunkHub,
    int[] chunkBegin,
    int[] chunkEnd,
    int[] first,
    int[] capacity,
    int slots) {
  /**
   * Chunks whose places may be in tables at the same time: 113 MB, some times what fills a GPU. A
   * row that is longer has a batch of its own.
   */
  static final int BATCH_CHUNKS = 4096;

  private static final int MOST_PLACES = 1 << 30;

  /** Places of rows that a warp works on: rows of more are hubs. */
  public static int hubPlaces(DeviceSettings settings) {
    return Math.min(settings.hubDegree(), ModeLayout.WARP_ROOM);
  }

  /**
   * Finds the hubs.
   *
   * @param stored number of rows
   * @param inOffsets offsets of the in-edges; null when they are not gathered
   * @param outOffsets offsets of the out-edges; null when they are not gathered
   * @param present bitmap of the vertices that exist; null: all do
   * @param sends messages that an edge sends at most
   * @throws ProgramUnsupportedException when a row has more than 2^30 places
   */
  public static ModeTables of(
      int stored,
      int[] inOffsets,
      int[] outOffsets,
      long[] present,
      int sends,
      DeviceSettings settings) {
    int limit = hubPlaces(settings);
    int chunk = Math.min(settings.chunkEdges(0), ModeLayout.BLOCK_ROOM);
    int[] rows = new int[16];
    int[] places = new int[16];
    int hubs = 0;
    long chunks = 0;
    for (int v = 0; v < stored; v++) {
      long of = sends * (degree(inOffsets, v) + degree(outOffsets, v));
      if (of > limit && GraphPartition.exists(present, v)) {
        if (hubs == rows.length) {
          rows = Arrays.copyOf(rows, 2 * hubs);
          places = Arrays.copyOf(places, 2 * hubs);
        }
        if (of > MOST_PLACES) {
          throw new ProgramUnsupportedException(
              "vertex number "
                  + v
                  + " may get "
                  + of
                  + " messages, and the most frequent of at most "
                  + MOST_PLACES
                  + " is found on a GPU: set spark.gpugraph.engine = cpu");
        }
        places[hubs] = (int) of;
        rows[hubs++] = v;
        chunks += (of + chunk - 1) / chunk;
      }
    }
    return of(Arrays.copyOf(rows, hubs), places, Math.toIntExact(chunks), chunk);
  }

  private static ModeTables of(int[] rows, int[] places, int chunks, int chunk) {
    int hubs = rows.length;
    ModeTables tables =
        new ModeTables(
            rows,
            new int[hubs + 1],
            new int[chunks],
            new int[chunks],
            new int[chunks],
            new int[hubs],
            new int[hubs],
            0);
    long room = BATCH_CHUNKS * table(chunk);
    long next = 0;
    long most = 0;
    int c = 0;
    for (int h = 0; h < hubs; h++) {
      int count = 0;
      for (int from = 0; from < places[h]; from += chunk, c++, count++) {
        tables.chunkHub[c] = h;
        tables.chunkBegin[c] = from;
        tables.chunkEnd[c] = from + Math.min(chunk, places[h] - from);
      }
      tables.firstChunk[h + 1] = c;
      if (count > 1) {
        long slots = table(places[h]);
        if (next + slots > room) {
          next = 0;
        }
        tables.capacity[h] = Math.toIntExact(slots - 1);
        tables.first[h] = (int) next;
        next += slots;
        most = Math.max(most, next);
      } else {
        tables.first[h] = (int) next;
      }
    }
    return new ModeTables(
        tables.rows,
        tables.firstChunk,
        tables.chunkHub,
        tables.chunkBegin,
        tables.chunkEnd,
        tables.first,
        tables.capacity,
        Math.toIntExact(most));
  }

  /** Slots of a table: half as many again as labels, and one. */
  private static long table(long places) {
    return places + places / 2 + 1;
  }

  private static long degree(int[] offsets, int v) {
    return offsets == null ? 0 : offsets[v + 1] - offsets[v];
  }

  /** Number of hubs. */
  public int hubs() {
    return rows.length;
  }

  /** Number of chunks. */
  int chunks() {
    return chunkHub.length;
  }

  /** The batches, in the order of the hubs. */
  public List<DevicePlan.Batch> batches() {
    List<DevicePlan.Batch> batches = new ArrayList<>();
    for (int from = 0; from < rows.length; ) {
      int to = from;
      long end = 0;
      while (to < rows.length && first[to] >= end) {
        end = capacity[to] == 0 ? end : first[to] + capacity[to] + 1L;
        to++;
      }
      batches.add(new DevicePlan.Batch(firstChunk[from], firstChunk[to], end));
      from = to;
    }
    return batches;
  }
}
