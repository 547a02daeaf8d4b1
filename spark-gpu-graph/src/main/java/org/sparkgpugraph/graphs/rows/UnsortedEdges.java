package org.sparkgpugraph.graphs.rows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * The edges of a whole graph of one partition as they were loaded: their rows are made where and
 * when they are first needed. A device makes rows of its own and leaves here what it has counted;
 * the host sorts once somebody asks it for neighbours, and lets go of the edges then. Both make the
 * same rows. For programs that push it has a third kind, {@link #pushRows}, which takes no sort; if
 * the edges are its own, or no device can want them, it lets go of them then, too, because the
 * others can be made of it. Thread-safe.
 */
public final class UnsortedEdges {
  private final int vertices;
  private final int size;
  private final int threads;
  private final RowsMade made;
  private final BuildMemory memory;

  /** Null: the edges were loaded. */
  private final Elsewhere elsewhere;

  /** Of the columns of the values. */
  private List<ColumnType> kinds;

  private final Rows in;
  private final Rows out;

  private volatile Loaded loaded;
  private volatile SourceRows push;
  private int[] outDegrees;

  /**
   * The edges themselves.
   *
   * @param blocks their ends
   * @param kinds of the columns of their values
   * @param values per block, by position; null: none are loaded
   * @param copiedBytes how many bytes of the values were copied; the others are the blocks' own
   */
  public record Loaded(
      List<DenseBlock> blocks, List<ColumnType> kinds, List<Columns> values, long copiedBytes) {
    /** Edges without values. */
    public static Loaded of(List<DenseBlock> blocks) {
      return new Loaded(blocks, List.of(), null, 0);
    }

    /** The same edges with values. */
    public Loaded with(List<ColumnType> kinds, EdgeValueLoader.InPlace values) {
      return new Loaded(blocks, kinds, values.blocks(), values.copiedBytes());
    }
  }

  /** Rows by destination that were made elsewhere, and are there alone. */
  public interface Elsewhere {
    /**
     * Copies them to the host.
     *
     * @param neighbours what the neighbours are known by there
     * @param values what the columns of the values are, in order
     * @return the neighbours, then the columns
     * @throws IllegalStateException when they are not there any more
     */
    List<Object> copy(Object neighbours, List<Object> values);

    /** Some of the values, in the same columns, for {@link Columns#sample}. */
    Columns sample();
  }

  /**
   * The rows of one side.
   *
   * @param of what they are made from
   * @param bySource whether sources are the rows: out-edges; otherwise destinations
   */
  public record Side(UnsortedEdges of, boolean bySource) implements Csr.Later {
    @Override
    public int rows() {
      return of.vertices;
    }

    @Override
    public int edges() {
      return of.size;
    }

    @Override
    public int[] offsets() {
      return of.offsets(bySource);
    }

    @Override
    public boolean hasOffsets() {
      return of.isCounted();
    }

    @Override
    public int[] neighbours() {
      return of.neighbours(bySource);
    }

    @Override
    public boolean isMade() {
      return of.isMade(bySource);
    }

    @Override
    public long bytes() {
      return of.bytes(bySource);
    }
  }

  /** A partition whose rows may be made later than itself. */
  public interface Holder {
    /** The edges that the rows are made of when they are needed; null: rows are made. */
    UnsortedEdges unsorted();

    /** The rows of it that were made elsewhere, as those of a shard may be. */
    List<RowsElsewhere> elsewhere();

    /** Whether every edge is turned round: then the rows by source are the in-edges. */
    boolean isTurned();
  }

  /** The edges that a partition's rows are made of when they are needed; null: rows are made. */
  public static UnsortedEdges of(GraphPartition partition) {
    return partition instanceof Holder holder ? holder.unsorted() : null;
  }

  /** The edges that make some rows when they are needed; null: the rows are made. */
  public static UnsortedEdges of(Csr csr) {
    return csr.later() instanceof Side side ? side.of() : null;
  }

  /** What is known of one side, and what was handed out. */
  private static final class Rows {
    final Csr csr;
    // What is asked for by those who must not wait until the host has sorted.
    volatile Columns values;
    volatile long bytes;
    volatile long valueBytes;
    int[] offsets;
    volatile int[] neighbours;
    Columns sorted;

    Rows(UnsortedEdges of, boolean bySource) {
      csr = new Csr(new Side(of, bySource));
    }
  }

  /**
   * @param edges at most {@link GraphPartition#MAX_EDGES}; their ends are dense ids, all of them
   *     held
   * @param vertices number of dense ids
   * @param threads threads to sort with
   * @param made not {@link RowsMade#NOW}
   * @param memory where rows that are made reserve heap
   */
  public UnsortedEdges(Loaded edges, int vertices, int threads, RowsMade made, BuildMemory memory) {
    loaded = edges;
    this.vertices = vertices;
    this.threads = threads;
    this.made = made;
    this.memory = memory;
    elsewhere = null;
    size = Math.toIntExact(DenseBlocks.edges(edges.blocks()));
    in = new Rows(this, false);
    out = new Rows(this, true);
    name();
  }

  /**
   * Edges whose rows were made elsewhere, on a device, before the host had any of them.
   *
   * @param size number of edges
   * @param vertices number of dense ids
   * @param kinds of the columns of their values
   * @param offsets of both sides
   * @param threads threads to make further rows with
   */
  public UnsortedEdges(
      int size,
      int vertices,
      List<ColumnType> kinds,
      Offsets offsets,
      Elsewhere elsewhere,
      int threads,
      BuildMemory memory) {
    this.size = size;
    this.vertices = vertices;
    this.kinds = List.copyOf(kinds);
    this.threads = threads;
    this.memory = memory;
    this.elsewhere = elsewhere;
    made = RowsMade.LATER_OF_OWN;
    in = new Rows(this, false);
    out = new Rows(this, true);
    in.offsets = offsets.in();
    out.offsets = offsets.out();
    nameValues(!kinds.isEmpty());
  }

  /**
   * Offsets of the rows by destination and by source.
   *
   * @param in {@code int[vertices + 1]}
   * @param out {@code int[vertices + 1]}
   */
  public record Offsets(int[] in, int[] out) {}

  /** Gives the values of both sides an identity, and forgets rows without them. */
  private void name() {
    push = null;
    kinds = loaded.kinds();
    nameValues(loaded.values() != null);
  }

  private void nameValues(boolean there) {
    if (there) {
      in.values = Columns.later(kinds, size, () -> sorted(false), this::someValues);
      out.values = Columns.later(kinds, size, () -> sorted(true), this::someValues);
    }
    countBytes();
  }

  /** Kinds of the columns of the values; empty: there are none. */
  public synchronized List<ColumnType> kinds() {
    return kinds;
  }

  /** Whether rows by destination are on a device and nowhere else. */
  public synchronized boolean areElsewhere() {
    return elsewhere != null && !isMade(false);
  }

  /**
   * Takes values in place of those loaded before, if the host has not sorted the edges yet. Must
   * not run at the same time as a program.
   *
   * @param values per block, by position
   * @return whether it has taken them
   */
  synchronized boolean load(List<ColumnType> kinds, EdgeValueLoader.InPlace values) {
    if (loaded == null) {
      return false;
    }
    loaded = loaded.with(kinds, values);
    name();
    return true;
  }

  /** Number of vertices. */
  public int vertices() {
    return vertices;
  }

  /** Number of edges. */
  public int size() {
    return size;
  }

  /** Whether the arrays of the blocks belong to nobody else. */
  private boolean owned() {
    return made == RowsMade.LATER_OF_OWN;
  }

  private Rows side(boolean bySource) {
    return bySource ? out : in;
  }

  /** The rows of one side. */
  public Csr rows(boolean bySource) {
    return side(bySource).csr;
  }

  /** Values in the order of the rows of one side; null: the edges have none. */
  public Columns values(boolean bySource) {
    return side(bySource).values;
  }

  /** What everything that devices may hold of these edges is known by. */
  public synchronized List<Object> keys() {
    List<Object> keys = new ArrayList<>();
    for (Rows rows : List.of(in, out)) {
      keys.add(rows.csr.neighboursKey());
      if (rows.offsets != null) {
        keys.add(rows.offsets);
      }
      for (int c = 0; rows.values != null && c < rows.values.width(); c++) {
        keys.add(rows.values.key(c));
      }
    }
    return keys;
  }

  /** What rows are made from; null once the host has made rows that replace it. */
  public synchronized Loaded loaded() {
    return loaded;
  }

  /**
   * Takes what a device has counted.
   *
   * @param inOffsets offsets of the rows by destination
   * @param outOffsets offsets of the rows by source
   */
  public synchronized void counted(int[] inOffsets, int[] outOffsets) {
    in.offsets = in.offsets == null ? inOffsets : in.offsets;
    out.offsets = out.offsets == null ? outOffsets : out.offsets;
    countBytes();
  }

  /** Whether the offsets of both sides are known, so that nobody has to sort for them. */
  private synchronized boolean isCounted() {
    return in.offsets != null && out.offsets != null;
  }

  /** Whether the host has made the rows of a side. Never waits. */
  public boolean isMade(boolean bySource) {
    return side(bySource).neighbours != null;
  }

  // ---- rows for programs that push ------------------------------------------------------------

  /**
   * Rows by source whose neighbours come in any order: those of {@link #rows} when they were there
   * first, otherwise such as take no sort, if the edges are still there. From then on the same.
   */
  public Csr pushRows() {
    SourceRows found = push == null ? makePush() : push;
    return found == null ? out.csr : found.csr();
  }

  /** Values in the order of {@link #pushRows}; null: the edges have none. */
  public Columns pushValues() {
    SourceRows found = push == null ? makePush() : push;
    return found == null ? out.values : found.values();
  }

  /** Whether {@link #pushRows} takes no sort. Never waits. */
  public boolean hasPushRows() {
    return push != null || isMade(true) || loaded != null;
  }

  /** Null where rows by source are there, or must be sorted. */
  private synchronized SourceRows makePush() {
    if (push != null || isMade(true) || loaded == null) {
      return push;
    }
    long start = System.nanoTime();
    Loaded edges = loaded;
    SourceRows rows = withWorkers(w -> SourceRows.of(edges, vertices, w));
    // The same whoever counts them.
    out.offsets = out.offsets == null ? rows.csr().offsets() : out.offsets;
    push = new SourceRows(new Csr(out.offsets, rows.csr().neighbours()), rows.values());
    if (made != RowsMade.LATER) {
      loaded = null;
    }
    countBytes();
    PhaseTimes.ended("rows on the host: by source, unsorted", start);
    return push;
  }

  // ---- what the host makes --------------------------------------------------------------------

  private <T> T withWorkers(Function<Workers, T> work) {
    try (Workers workers = new Workers(threads, memory)) {
      return work.apply(workers);
    }
  }

  private synchronized int[] offsets(boolean bySource) {
    Rows rows = side(bySource);
    if (rows.offsets == null) {
      if (bySource) {
        rows.offsets = offsets(outDegrees());
        countBytes();
      } else {
        sortIn();
      }
    }
    return rows.offsets;
  }

  private static int[] offsets(int[] degrees) {
    int[] offsets = new int[degrees.length + 1];
    for (int v = 0; v < degrees.length; v++) {
      offsets[v + 1] = offsets[v] + degrees[v];
    }
    return offsets;
  }

  /** Kept, and counted with the out-edges. */
  public synchronized int[] outDegrees() {
    if (outDegrees == null) {
      if (out.offsets != null) {
        outDegrees = new int[vertices];
        for (int v = 0; v < vertices; v++) {
          outDegrees[v] = out.offsets[v + 1] - out.offsets[v];
        }
      } else {
        boolean rows = isMade(false);
        EdgeSequence edges = rows ? EdgeSequence.of(sortedIn()) : EdgeSequence.of(loaded.blocks());
        outDegrees = withWorkers(w -> EdgeCounts.of(edges, rows, 0, vertices, w));
      }
      countBytes();
    }
    return outDegrees;
  }

  /** Null: they would have to be counted. */
  public synchronized int[] outDegreesIfKnown() {
    return outDegrees;
  }

  /** Once made, it does not wait for anybody: operators ask row by row, by all threads. */
  private int[] neighbours(boolean bySource) {
    int[] made = side(bySource).neighbours;
    return made == null ? makeNeighbours(bySource) : made;
  }

  private synchronized int[] makeNeighbours(boolean bySource) {
    if (!bySource) {
      sortIn();
    } else if (!isMade(true)) {
      sortOut();
    }
    return side(bySource).neighbours;
  }

  private Columns sorted(boolean bySource) {
    neighbours(bySource);
    return side(bySource).sorted;
  }

  private synchronized Columns someValues() {
    if (loaded == null) {
      if (areElsewhere()) {
        return elsewhere.sample();
      }
      return isMade(false) ? in.sorted : push.values();
    }
    return loaded.values().stream()
        .max(Comparator.comparingInt(Columns::length))
        .orElseGet(() -> Columns.allocate(loaded.kinds(), 0));
  }

  private void sortIn() {
    if (isMade(false)) {
      return;
    }
    long start = System.nanoTime();
    PartitionRows rows = withWorkers(elsewhere != null ? this::copied : this::sortIn);
    keep(in, rows);
    outDegrees = outDegrees == null ? rows.farDegrees() : outDegrees;
    loaded = null;
    countBytes();
    PhaseTimes.ended("rows on the host: by destination", start);
  }

  private PartitionRows copied(Workers workers) {
    workers.acquire((long) Integer.BYTES * size + Columns.bytes(kinds, size));
    List<Object> keys = new ArrayList<>();
    for (int c = 0; in.values != null && c < in.values.width(); c++) {
      keys.add(in.values.key(c));
    }
    List<Object> arrays = elsewhere.copy(in.csr.neighboursKey(), keys);
    Columns values =
        in.values == null
            ? null
            : new Columns(kinds, arrays.subList(1, arrays.size()).toArray(), size);
    return new PartitionRows(new Csr(in.offsets, (int[]) arrays.get(0)), values);
  }

  private PartitionRows sortIn(Workers workers) {
    if (loaded == null) {
      // The order in a row is that of the edges: turned round it is (source, block, position).
      return PartitionRows.transposed(push.csr(), push.values(), vertices, workers);
    }
    List<DenseBlock> blocks = loaded.blocks();
    if (loaded.values() == null) {
      return PartitionRows.of(blocks, 0, vertices, vertices, workers);
    }
    RowBuilder.Made placed = RowBuilder.fastest(blocks, 0, vertices, vertices, true, workers);
    workers.acquire(Columns.bytes(loaded.kinds(), size));
    Columns values = Columns.allocate(loaded.kinds(), size);
    workers.forEachPart(
        blocks.stream().mapToInt(DenseBlock::size).toArray(),
        (b, from, to) ->
            values.copyFrom(loaded.values().get(b), null, from, to, placed.places()[b]));
    return new PartitionRows(placed.csr(), values, placed.farDegrees());
  }

  /** What the host has sorted. Helpers that read it must not ask this object, which is locked. */
  private Csr sortedIn() {
    return new Csr(in.offsets, in.neighbours);
  }

  private void sortOut() {
    sortIn();
    long start = System.nanoTime();
    Csr rows = sortedIn();
    keep(out, withWorkers(w -> PartitionRows.transposed(rows, in.sorted, vertices, w)));
    countBytes();
    PhaseTimes.ended("rows on the host: by source", start);
  }

  private static void keep(Rows rows, PartitionRows made) {
    rows.offsets = rows.offsets == null ? made.csr().offsets() : rows.offsets;
    rows.sorted = made.values();
    // Last: who sees it sees the values, too.
    rows.neighbours = made.csr().neighbours();
  }

  // ---- bytes ----------------------------------------------------------------------------------

  /**
   * Counts what the host has; whenever that changes, under the lock, so that nobody who asks for it
   * has to wait.
   */
  private void countBytes() {
    in.bytes = madeBytes(in) + loadedBytes();
    in.valueBytes = madeValueBytes(in) + loadedValueBytes();
    out.bytes = madeBytes(out) + 4L * length(outDegrees);
    out.valueBytes = madeValueBytes(out);
    if (push != null) {
      // The offsets are those of the other rows by source.
      out.bytes += 4L * size;
      out.valueBytes += push.values() == null ? 0 : push.values().bytes();
    }
  }

  private static long madeBytes(Rows rows) {
    return 4L * (length(rows.offsets) + length(rows.neighbours));
  }

  private static long madeValueBytes(Rows rows) {
    return rows.sorted == null ? 0 : rows.sorted.bytes();
  }

  private long loadedBytes() {
    if (loaded == null) {
      return 0;
    }
    long bytes = 0;
    // Blocks may share a table.
    Set<int[]> maps = Collections.newSetFromMap(new IdentityHashMap<>());
    for (DenseBlock block : loaded.blocks()) {
      bytes += owned() ? 8L * block.size() : 0;
      if (block.map() != null && maps.add(block.map())) {
        bytes += 4L * block.map().length;
      }
    }
    return bytes;
  }

  private long loadedValueBytes() {
    if (loaded == null || loaded.values() == null) {
      return 0;
    }
    return owned()
        ? loaded.values().stream().mapToLong(Columns::bytes).sum()
        : loaded.copiedBytes();
  }

  /**
   * Bytes that the host has of one side; of what both are made from, with the in-edges. Never
   * waits.
   */
  public long bytes(boolean bySource) {
    return side(bySource).bytes;
  }

  /**
   * Bytes that the host has of the values of one side; of those as loaded, with the in-edges. Never
   * waits.
   */
  public long valueBytes(boolean bySource) {
    return side(bySource).valueBytes;
  }

  private static long length(int[] array) {
    return array == null ? 0 : array.length;
  }
}
