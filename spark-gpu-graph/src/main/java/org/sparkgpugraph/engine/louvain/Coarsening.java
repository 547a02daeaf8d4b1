package org.sparkgpugraph.engine.louvain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.graphs.memory.ByteReader;
import org.sparkgpugraph.graphs.memory.ByteWriter;

/**
 * Makes the rows of the next level: a vertex for each community, connected with others by the sum
 * of the weights between their members. Of several executors each sums up the rows that it holds,
 * and tells these sums to the one that will hold the community.
 */
record Coarsening(WorkerTeam team, LocalMoving.Tools[] tools) {
  /** A parcel is closed behind this many bytes. */
  static final int PARCEL = 16 << 20;

  /** Longest array that every JVM can make. */
  private static final int LONGEST = Integer.MAX_VALUE - 8;

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
   * @param most bytes behind which a parcel is closed
   */
  static List<Parcel> parcels(CoarseRows sums, int from, int to, int peer, int most) {
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
      if (out.size() >= most) {
        parcels.add(new Parcel(peer, out.toBytes()));
        out = new ByteWriter(most);
      }
    }
    if (out.size() > 0) {
      parcels.add(new Parcel(peer, out.toBytes()));
    }
    return parcels;
  }

  /** Rows of the communities that are held here from now on, of what all have said. */
  CoarseRows joined(CoarseRows own, List<Parcel> arrived, int from, int to) {
    List<CoarseRows> others = new ArrayList<>();
    for (Parcel parcel : arrived) {
      others.add(read(parcel));
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
    if (community < from.first() || community >= from.end()) {
      return;
    }
    from.load(community, tool.row);
    for (int i = 0; i < tool.row.size; i++) {
      tool.table.add(tool.row.neighbours[i], tool.row.weight(i));
    }
  }

  /** The rows of a parcel, and empty ones between them. */
  private static CoarseRows read(Parcel parcel) {
    List<CoarseRows.Chunk> chunks = new ArrayList<>();
    ByteReader in = new ByteReader(parcel.bytes());
    int[] neighbours = new int[1024];
    long[] weights = new long[1024];
    int[] offsets = new int[CoarseRows.CHUNK + 1];
    int first = (int) in.getVarying();
    int end = first;
    int next = first;
    while (next >= 0) {
      int size = 0;
      int rows = 0;
      while (next >= 0 && rows < CoarseRows.CHUNK) {
        if (next == end) {
          int more = in.getVaryingSize();
          if ((long) size + more > neighbours.length) {
            int room = room((long) size + more, size);
            neighbours = Arrays.copyOf(neighbours, room);
            weights = Arrays.copyOf(weights, room);
          }
          for (int k = 0; k < more; k++) {
            neighbours[size] = (int) in.getVarying();
            weights[size++] = in.getVarying();
          }
          next = in.hasMore() ? (int) in.getVarying() : -1;
        }
        offsets[++rows] = size;
        end++;
      }
      chunks.add(
          new CoarseRows.Chunk(
              Arrays.copyOf(offsets, rows + 1),
              Arrays.copyOf(neighbours, size),
              Arrays.copyOf(weights, size)));
    }
    return new CoarseRows(first, end, chunks.toArray(new CoarseRows.Chunk[0]));
  }
}
