package org.sparkgpugraph.graphs.overlap;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.VertexRange;
import org.sparkgpugraph.graphs.rows.RowSort;
import org.sparkgpugraph.run.EdgeBytes;

/**
 * The rows of a range of vertices of a whole graph, whichever of its partitions have them; the same
 * range may be held by several. A row's neighbours are in the order of the graph's own. Ghosts are
 * the vertices outside of the range that the rows of the asked sides touch; a side that was not
 * asked for is not there.
 */
final class OverlappingPartition implements GraphPartition {
  private final int index;
  private final VertexRange range;
  private final HeldRows rows;
  private final Side in;
  private final Side out;
  private final int threads;
  private final long[] ghostIds;
  private long[] originalIds;
  private long[] present;

  /**
   * @param range the rows
   * @param in whether in-edges are wanted
   * @param out whether out-edges are wanted
   * @param threads to build with
   */
  OverlappingPartition(
      int index, VertexRange range, HeldRows rows, boolean in, boolean out, int threads) {
    this.index = index;
    this.range = range;
    this.rows = rows;
    this.in = new Side(true, in);
    this.out = new Side(false, out);
    this.threads = threads;
    ghostIds = findGhosts();
  }

  private long[] findGhosts() {
    long[] words = new long[(int) ((rows.end() + 63) >>> 6)];
    try (Workers workers = new Workers(threads)) {
      rows.pieces(
          range,
          (home, row, at, count) -> {
            boolean[] touched = new boolean[home.stored() + home.ghosts()];
            for (Side side : List.of(in, out)) {
              if (side.wanted) {
                touch(home.edges(side.in), row, count, touched, workers);
              }
            }
            for (int local = 0; local < touched.length; local++) {
              long dense = dense(home, local);
              if (touched[local] && !range.contains(dense)) {
                words[(int) (dense >>> 6)] |= 1L << dense;
              }
            }
          });
    }
    return new RankedBitmap(words).members();
  }

  /** Threads set the same bytes to the same value. */
  private static void touch(Csr csr, int row, int count, boolean[] touched, Workers workers) {
    int first = csr.offsets()[row];
    workers.forEachChunk(
        csr.offsets()[row + count] - first,
        (from, to) -> {
          for (int e = first + from; e < first + to; e++) {
            touched[csr.neighbours()[e]] = true;
          }
        });
  }

  private static long dense(GraphPartition partition, int local) {
    return local < partition.stored()
        ? partition.firstVertex() + local
        : partition.ghostIds()[local - partition.stored()];
  }

  VertexRange range() {
    return range;
  }

  /** Dense id of a local index. */
  long dense(int local) {
    return dense(this, local);
  }

  /** Local index of a vertex that is held or a ghost; −1 for others. */
  int local(long dense) {
    if (range.contains(dense)) {
      return (int) (dense - range.from());
    }
    int ghost = Arrays.binarySearch(ghostIds, dense);
    return ghost < 0 ? -1 : stored() + ghost;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public long firstVertex() {
    return range.from();
  }

  @Override
  public int stored() {
    return range.size();
  }

  @Override
  public int ghosts() {
    return ghostIds.length;
  }

  @Override
  public long[] ghostIds() {
    return ghostIds;
  }

  @Override
  public long originalId(int local) {
    GraphPartition home = rows.home(dense(local));
    return home.originalId(row(home, local));
  }

  private int row(GraphPartition home, int local) {
    return (int) (dense(local) - home.firstVertex());
  }

  @Override
  public synchronized long[] originalIds() {
    if (originalIds == null) {
      originalIds = GraphPartition.super.originalIds();
    }
    return originalIds;
  }

  @Override
  public synchronized long[] present() {
    boolean all = true;
    for (int p = 0; p < rows.partitions(); p++) {
      all &= rows.partition(p).present() == null;
    }
    if (all) {
      return null;
    }
    if (present == null) {
      int locals = stored() + ghosts();
      long[] words = new long[(int) ((locals + 63L) >>> 6)];
      for (int local = 0; local < locals; local++) {
        GraphPartition home = rows.home(dense(local));
        int row = row(home, local);
        if (home.present() == null || (home.present()[row >>> 6] >>> row & 1) != 0) {
          words[local >>> 6] |= 1L << local;
        }
      }
      present = words;
    }
    return present;
  }

  // ---- edges ----------------------------------------------------------------------------------

  private Side side(boolean in) {
    Side side = in ? this.in : out;
    if (!side.wanted) {
      throw new IllegalStateException(
          "partition " + index + " was made without " + (in ? "in-edges" : "out-edges"));
    }
    return side;
  }

  @Override
  public synchronized Csr edges(boolean in) {
    return side(in).edges();
  }

  @Override
  public synchronized Columns edgeValues(boolean in) {
    return side(in).values();
  }

  @Override
  public synchronized Csr transpose(boolean in) {
    return side(in).transpose();
  }

  /** Local indexes here of all local indexes of another partition. */
  private int[] locals(GraphPartition home, Workers workers) {
    int[] locals = new int[home.stored() + home.ghosts()];
    workers.forEachChunk(
        locals.length,
        (from, to) -> {
          for (int local = from; local < to; local++) {
            locals[local] = local(dense(home, local));
          }
        });
    return locals;
  }

  /** The edges of one side, and their values as long as the graph has the same. */
  private final class Side {
    private final boolean in;
    private final boolean wanted;
    private Csr edges;
    private Csr transpose;
    private List<WeakReference<Columns>> made = List.of();
    private Columns values;

    Side(boolean in, boolean wanted) {
      this.in = in;
      this.wanted = wanted;
    }

    Csr edges() {
      if (edges == null) {
        edges = gather();
      }
      return edges;
    }

    Csr transpose() {
      if (transpose == null) {
        try (Workers workers = new Workers(threads)) {
          transpose = RowSort.transpose(edges(), stored() + ghosts(), workers);
        }
      }
      return transpose;
    }

    private Csr gather() {
      int[] offsets = new int[stored() + 1];
      rows.pieces(
          range,
          (home, row, at, count) -> {
            int[] from = home.edges(in).offsets();
            for (int i = 0; i < count; i++) {
              offsets[at + i + 1] = offsets[at + i] + from[row + i + 1] - from[row + i];
            }
          });
      int[] neighbours = new int[offsets[stored()]];
      try (Workers workers = new Workers(threads)) {
        rows.pieces(
            range,
            (home, row, at, count) -> {
              int[] locals = locals(home, workers);
              Csr csr = home.edges(in);
              int first = csr.offsets()[row];
              int to = offsets[at];
              workers.forEachChunk(
                  csr.offsets()[row + count] - first,
                  (from, end) -> {
                    for (int e = from; e < end; e++) {
                      neighbours[to + e] = locals[csr.neighbours()[first + e]];
                    }
                  });
            });
      }
      return new Csr(offsets, neighbours);
    }

    Columns values() {
      List<Columns> parts = new ArrayList<>();
      for (int p = 0; p < rows.partitions(); p++) {
        parts.add(rows.partition(p).edgeValues(in));
      }
      if (parts.contains(null)) {
        return null;
      }
      boolean same = made.size() == parts.size();
      for (int p = 0; same && p < parts.size(); p++) {
        same = made.get(p).get() == parts.get(p);
      }
      if (!same) {
        values = gatherValues(parts);
        made = parts.stream().map(columns -> new WeakReference<>(columns)).toList();
      }
      return values;
    }

    private Columns gatherValues(List<Columns> parts) {
      Csr rowsHere = edges();
      Columns all = Columns.allocate(parts.get(0).kinds(), rowsHere.edges());
      rows.pieces(
          range,
          (home, row, at, count) -> {
            int first = home.edges(in).offsets()[row];
            int length = home.edges(in).offsets()[row + count] - first;
            all.copyFrom(parts.get(home.index()), first, rowsHere.offsets()[at], length);
          });
      return all;
    }
  }

  // ---- degrees --------------------------------------------------------------------------------

  @Override
  public int degree(int local, boolean in) {
    GraphPartition home = rows.home(dense(local));
    return home.degree(row(home, local), in);
  }

  @Override
  public synchronized long bytes() {
    return 8L * ghostIds.length + rowBytes();
  }

  private long rowBytes() {
    long bytes = 0;
    for (Csr csr : Arrays.asList(in.edges, out.edges, in.transpose, out.transpose)) {
      bytes += csr == null ? 0 : csr.bytes();
    }
    return bytes;
  }

  /** What it has beside the graph, which is on the heap. */
  @Override
  public synchronized EdgeBytes edgeBytes() {
    return new EdgeBytes(rowBytes(), 0, 0);
  }
}
