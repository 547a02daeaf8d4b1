package org.sparkgpugraph.engine.intersect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.graphs.memory.ByteReader;
import org.sparkgpugraph.graphs.memory.ByteWriter;
import org.sparkgpugraph.graphs.memory.Varint;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;

/**
 * What a shard says to others while neighbourhoods are intersected. Degrees and counts go by
 * position in the boundary lists, which both sides know. Rows go by original ids, as differences;
 * only those that the reader has a vertex of higher rank beside, and of their entries none that the
 * reader cannot know.
 */
final class ShardRows {
  /** A parcel is closed behind this many bytes. */
  private static final int PARCEL = 16 << 20;

  private final ExecutorGraph graph;
  private final List<RemoteBoundary> exports;
  private final List<RemoteBoundary> imports;

  ShardRows(ExecutorGraph graph) {
    this.graph = graph;
    exports = graph.exports();
    imports = graph.imports();
  }

  /** Dense id of a vertex of a list at its home. */
  private int home(RemoteBoundary list, int position) {
    GraphPartition partition = graph.partitions().get(list.list().home());
    return (int) partition.firstVertex() + list.list().homeVertices()[position];
  }

  /** Dense id of a vertex of a list at its reader. */
  private int ghost(RemoteBoundary list, int position) {
    GraphPartition partition = graph.partitions().get(list.list().reader());
    int ghost = list.list().firstGhost() + position - partition.stored();
    return (int) partition.ghostIds()[ghost];
  }

  // ---- degrees --------------------------------------------------------------------------------

  /** Round 0: the degrees of what others read. */
  List<Parcel> degrees(int[] degrees) {
    Map<Integer, ByteWriter> writers = new TreeMap<>();
    for (RemoteBoundary list : exports) {
      ByteWriter out = writers.computeIfAbsent(list.peer(), p -> new ByteWriter(0));
      for (int i = 0; i < list.list().size(); i++) {
        out.putVarying(degrees[home(list, i)]);
      }
    }
    return parcels(writers);
  }

  /** Round 1: takes them; lists come in the order in which they are exported. */
  void takeDegrees(List<Parcel> arrived, int[] degrees) {
    Map<Integer, ByteReader> readers = readers(arrived);
    for (RemoteBoundary list : imports) {
      for (int i = 0; i < list.list().size(); i++) {
        degrees[ghost(list, i)] = (int) readers.get(list.peer()).getVarying();
      }
    }
  }

  // ---- rows -----------------------------------------------------------------------------------

  /**
   * Round 1: the rows that others need, found in one walk over all rows: two bits per vertex and
   * peer beside an int per vertex.
   */
  List<Parcel> rows(Rows rows, OrientedRows oriented) {
    int[] peers = exports.stream().mapToInt(RemoteBoundary::peer).distinct().sorted().toArray();
    int known = oriented.vertices();
    // Of a vertex that another shard holds: 1 + its place among the peers, or one behind them.
    int[] owner = new int[known];
    for (RemoteBoundary list : imports) {
      int peer = Arrays.binarySearch(peers, list.peer());
      for (int i = 0; i < list.list().size(); i++) {
        owner[ghost(list, i)] = 1 + (peer < 0 ? peers.length : peer);
      }
    }
    long[][] exported = new long[peers.length][];
    AtomicIntegerArray[] needed = new AtomicIntegerArray[peers.length];
    for (int p = 0; p < peers.length; p++) {
      exported[p] = exported(peers[p], known);
      needed[p] = new AtomicIntegerArray(known + 31 >>> 5);
    }
    rows.forEach(
        (v, row) -> {
          int readers = 0;
          for (long[] bitmap : exported) {
            readers += has(bitmap, v) ? 1 : 0;
          }
          int r = oriented.rank(v);
          for (int i = 0; i < row.size() && readers > 0; i++) {
            int u = row.neighbour(i);
            int peer = owner[u] - 1;
            if (peer >= 0
                && peer < peers.length
                && oriented.rank(u) > r
                && has(exported[peer], v)
                && (needed[peer].get(v >>> 5) >>> v & 1) == 0) {
              needed[peer].getAndUpdate(v >>> 5, bits -> bits | 1 << v);
              readers--;
            }
          }
        });
    List<Parcel> parcels = new ArrayList<>();
    for (int p = 0; p < peers.length; p++) {
      pack(peers[p], needed[p], exported[p], owner, oriented, parcels);
    }
    return parcels;
  }

  private static boolean has(long[] bitmap, int v) {
    return (bitmap[v >>> 6] >>> v & 1) != 0;
  }

  /** Bitmap of the dense ids that a peer reads. */
  private long[] exported(int peer, int known) {
    long[] exported = new long[known + 63 >>> 6];
    for (RemoteBoundary list : exports) {
      for (int i = 0; list.peer() == peer && i < list.list().size(); i++) {
        int v = home(list, i);
        exported[v >>> 6] |= 1L << v;
      }
    }
    return exported;
  }

  private void pack(
      int peer,
      AtomicIntegerArray needed,
      long[] exported,
      int[] owner,
      OrientedRows oriented,
      List<Parcel> parcels) {
    ByteWriter out = new ByteWriter(0);
    long before = 0;
    long[] row = new long[64];
    for (int v = (int) graph.firstHeld(); v < graph.endHeld(); v++) {
      if ((needed.get(v >>> 5) >>> v & 1) == 0) {
        continue;
      }
      int r = oriented.rank(v);
      row = row.length < oriented.length(r) ? new long[2 * oriented.length(r)] : row;
      int size = 0;
      for (int e = oriented.begin()[r]; e < oriented.end()[r]; e++) {
        int entry = oriented.entries()[e];
        int w = oriented.dense(entry >>> 1);
        // What is held here and not read there is no neighbour of anything there.
        if (owner[w] != 0 || has(exported, w)) {
          row[size++] = (long) w << 1 | entry & 1;
        }
      }
      if (size > 0) {
        before = pack(out, v, before, row, size);
      }
      if (out.size() >= PARCEL) {
        parcels.add(new Parcel(peer, out.toBytes()));
        out = new ByteWriter(PARCEL);
        before = 0;
      }
    }
    if (out.size() > 0) {
      parcels.add(new Parcel(peer, out.toBytes()));
    }
  }

  /**
   * Writes a row: the vertex, the number of entries, their ids as differences, then their flags.
   *
   * @param before original id of the row before; 0 in the first of a parcel
   * @param row dense ids and flags
   * @return original id of this row
   */
  private long pack(ByteWriter out, int v, long before, long[] row, int size) {
    Arrays.sort(row, 0, size);
    long id = graph.ids().original(v);
    out.putVarying(id - before).putVarying(size);
    long last = id;
    for (int i = 0; i < size; i++) {
      long w = graph.ids().original(row[i] >>> 1);
      out.putVarying(maySink(i) ? Varint.zigzag(w - last) : w - last);
      last = w;
    }
    for (int i = 0; i < size; i += Byte.SIZE) {
      int flags = 0;
      for (int k = i; k < Math.min(size, i + Byte.SIZE); k++) {
        flags |= (int) (row[k] & 1) << k - i;
      }
      out.put((byte) flags);
    }
    return id;
  }

  /**
   * Whether an entry may have a smaller id than what is before it: the first than the vertex
   * itself, and others where ids do not ascend with dense ones, in all shards or in none.
   */
  private boolean maySink(int entry) {
    return entry == 0 || !graph.ids().ascending();
  }

  /** Round 2: takes rows; entries that are not known here are left out. */
  void takeRows(List<Parcel> arrived, OrientedRows oriented) {
    int[] row = new int[64];
    for (Parcel parcel : arrived) {
      ByteReader in = new ByteReader(parcel.bytes());
      long id = 0;
      while (in.hasMore()) {
        id += in.getVarying();
        int size = in.getVaryingSize();
        row = row.length < size ? new int[2 * size] : row;
        int[] dense = new int[size];
        long last = id;
        for (int i = 0; i < size; i++) {
          long difference = in.getVarying();
          last += maySink(i) ? Varint.unzigzag(difference) : difference;
          dense[i] = (int) graph.ids().dense(last);
        }
        int kept = 0;
        int flags = 0;
        for (int i = 0; i < size; i++) {
          flags = i % Byte.SIZE == 0 ? in.getByte() : flags >> 1;
          if (dense[i] >= 0) {
            row[kept++] = oriented.rank(dense[i]) << 1 | flags & 1;
          }
        }
        oriented.add((int) graph.ids().dense(id), row, kept);
      }
    }
  }

  // ---- counts ---------------------------------------------------------------------------------

  /** Round 2: what was counted for others' vertices; it is theirs then. */
  List<Parcel> counts(long[] triangles, long[] links) {
    Map<Integer, ByteWriter> writers = new TreeMap<>();
    for (RemoteBoundary list : imports) {
      ByteWriter out = writers.computeIfAbsent(list.peer(), p -> new ByteWriter(0));
      int before = -1;
      for (int i = 0; i < list.list().size(); i++) {
        int v = ghost(list, i);
        if (triangles[v] != 0) {
          out.putVarying(i - before).putVarying(triangles[v]).putVarying(links[v] - triangles[v]);
          before = i;
          // Another partition here may read the same vertex.
          triangles[v] = 0;
          links[v] = 0;
        }
      }
      out.putVarying(0);
    }
    return parcels(writers);
  }

  /** Round 3: adds them up. */
  void takeCounts(List<Parcel> arrived, long[] triangles, long[] links) {
    Map<Integer, ByteReader> readers = readers(arrived);
    for (RemoteBoundary list : exports) {
      ByteReader in = readers.get(list.peer());
      int position = -1;
      for (long step = in.getVarying(); step != 0; step = in.getVarying()) {
        position += (int) step;
        int v = home(list, position);
        long more = in.getVarying();
        triangles[v] += more;
        links[v] += more + in.getVarying();
      }
    }
  }

  // ---- parcels --------------------------------------------------------------------------------

  private static List<Parcel> parcels(Map<Integer, ByteWriter> writers) {
    List<Parcel> parcels = new ArrayList<>();
    writers.forEach(
        (peer, out) -> {
          if (out.size() > 0) {
            parcels.add(new Parcel(peer, out.toBytes()));
          }
        });
    return parcels;
  }

  /** One parcel of each peer. */
  private static Map<Integer, ByteReader> readers(List<Parcel> arrived) {
    Map<Integer, ByteReader> readers = new TreeMap<>();
    arrived.forEach(parcel -> readers.put(parcel.peer(), new ByteReader(parcel.bytes())));
    return readers;
  }
}
