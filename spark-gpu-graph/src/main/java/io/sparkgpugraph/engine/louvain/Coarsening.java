package io.sparkgpugraph.engine.louvain;

import io.sparkgpugraph.engine.WorkerTeam;
import io.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import io.sparkgpugraph.graph.ByteReader;
import io.sparkgpugraph.graph.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the rows of the next level: a vertex for each community, connected with others by the sum
 * of the weights between their members. Of several executors each sums up the rows that it holds,
 * and tells these sums to the one that will hold the community.
 */
final class Coarsening {
  /** A parcel is closed behind this many bytes. */
  private static final int PARCEL = 16 << 20;

  /** Longest array that every JVM can make. */
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private final WorkerTeam team;
  private final LocalMoving.Tools[] tools;

  Coarsening(WorkerTeam team, LocalMoving.Tools[] tools) {
    this.team = team;
    this.tools = tools;
  }

  /** Adds up one row: connections of a community, those with itself too, into the table. */
  private interface Adding {
    void row(int community, LocalMoving.Tools tool);
  }

  private CoarseRows rows(int first, int end, Adding adding) {
    CoarseRows.Chunk[] chunks = new CoarseRows.Chunk[CoarseRows.chunks(end - first)];
    AtomicInteger taken = new AtomicInteger();
    team.run(
        chunks.length > 1,
        member -> {
          int[] neighbours = new int[1024];
          long[] weights = new long[1024];
          WeightTable table = tools[member].table;
          for (int i; (i = taken.getAndIncrement()) < chunks.length && !team.stopped(); ) {
            int from = first + i * CoarseRows.CHUNK;
            int rows = Math.min(CoarseRows.CHUNK, end - from);
            int[] offsets = new int[rows + 1];
            int size = 0;
            for (int r = 0; r < rows; r++) {
              adding.row(from + r, tools[member]);
              if ((long) size + table.size() > neighbours.length) {
                int room = room((long) size + table.size(), size);
                neighbours = Arrays.copyOf(neighbours, room);
                weights = Arrays.copyOf(weights, room);
              }
              for (int k = 0; k < table.size(); k++) {
                if (table.key(k) != from + r) {
                  neighbours[size] = table.key(k);
                  weights[size++] = table.sumAt(k);
                }
              }
              offsets[r + 1] = size;
            }
            chunks[i] =
                new CoarseRows.Chunk(
                    offsets, Arrays.copyOf(neighbours, size), Arrays.copyOf(weights, size));
          }
        });
    return new CoarseRows(first, end, chunks);
  }

  private static int room(long needed, int had) {
    if (needed > LONGEST) {
      throw new IllegalArgumentException(
          CoarseRows.CHUNK
              + " communities have more than "
              + LONGEST
              + " neighbours: the graph is too large for an executor");
    }
    return (int) Math.min(LONGEST, Math.max(needed, 2L * had));
  }

  /**
   * Rows of all communities, as far as the vertices tell that are held here.
   *
   * @param communities number of the community of each vertex
   * @param count number of communities
   */
  CoarseRows sums(LevelRows rows, int[] communities, int count) {
    int[] begin = new int[count + 1];
    for (int v = rows.first(); v < rows.end(); v++) {
      begin[communities[v] + 1]++;
    }
    Arrays.parallelPrefix(begin, Integer::sum);
    int[] members = new int[rows.end() - rows.first()];
    int[] next = begin.clone();
    for (int v = rows.first(); v < rows.end(); v++) {
      members[next[communities[v]]++] = v;
    }
    return rows(
        0,
        count,
        (community, tool) -> {
          NeighbourRow row = tool.row;
          tool.table.reset(begin[community + 1] - begin[community]);
          for (int m = begin[community]; m < begin[community + 1]; m++) {
            rows.load(members[m], row);
            tool.table.add(row, communities);
          }
        });
  }

  // ---- several executors ----------------------------------------------------------------------

  /**
   * What the holder of some communities is told about them.
   *
   * @param from number of the first of them
   */
  static List<Parcel> parcels(CoarseRows sums, int from, int to, int peer) {
    List<Parcel> parcels = new ArrayList<>();
    NeighbourRow row = new NeighbourRow();
    ByteWriter out = new ByteWriter(0);
    for (int c = from; c < to; c++) {
      sums.load(c, row);
      if (row.size > 0) {
        out.putVarying(c).putVarying(row.size);
        for (int i = 0; i < row.size; i++) {
          out.putVarying(row.neighbours[i]).putVarying(row.weights[i]);
        }
      }
      if (out.size() >= PARCEL) {
        parcels.add(new Parcel(peer, out.toBytes()));
        out = new ByteWriter(PARCEL);
      }
    }
    if (out.size() > 0) {
      parcels.add(new Parcel(peer, out.toBytes()));
    }
    return parcels;
  }

  /** Rows of the communities that are held here from now on, of what all have said. */
  CoarseRows joined(CoarseRows own, List<Parcel> arrived, int from, int to) {
    // Each parcel as rows that can be found by community.
    List<CoarseRows> others = new ArrayList<>();
    for (Parcel parcel : arrived) {
      others.add(read(parcel, from, to));
    }
    return rows(
        from,
        to,
        (community, tool) -> {
          tool.table.reset(0);
          add(own, community, tool);
          others.forEach(other -> add(other, community, tool));
        });
  }

  private static void add(CoarseRows from, int community, LocalMoving.Tools tool) {
    from.load(community, tool.row);
    for (int i = 0; i < tool.row.size; i++) {
      tool.table.add(tool.row.neighbours[i], tool.row.weight(i));
    }
  }

  private static CoarseRows read(Parcel parcel, int from, int to) {
    CoarseRows.Chunk[] chunks = new CoarseRows.Chunk[CoarseRows.chunks(to - from)];
    ByteReader in = new ByteReader(parcel.bytes());
    NeighbourRow row = new NeighbourRow();
    int at = 0;
    int community = in.hasMore() ? (int) in.getVarying() : to;
    while (at < chunks.length) {
      int first = from + at * CoarseRows.CHUNK;
      int count = Math.min(CoarseRows.CHUNK, to - first);
      int[] offsets = new int[count + 1];
      row.reserve(0, false);
      int size = 0;
      for (int r = 0; r < count; r++) {
        if (community == first + r) {
          int more = (int) in.getVarying();
          if ((long) size + more > row.neighbours.length) {
            int room = room((long) size + more, size);
            row.neighbours = Arrays.copyOf(row.neighbours, room);
            row.weights = Arrays.copyOf(row.weights, room);
          }
          for (int i = 0; i < more; i++) {
            row.neighbours[size] = (int) in.getVarying();
            row.weights[size++] = in.getVarying();
          }
          community = in.hasMore() ? (int) in.getVarying() : to;
        }
        offsets[r + 1] = size;
      }
      chunks[at++] =
          new CoarseRows.Chunk(
              offsets, Arrays.copyOf(row.neighbours, size), Arrays.copyOf(row.weights, size));
    }
    return new CoarseRows(from, to, chunks);
  }
}
