package org.sparkgpugraph.graphs.build;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Lazy;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.RowSort;
import org.sparkgpugraph.graphs.rows.RowsElsewhere;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.run.EdgeBytes;

/** A partition in compressed sparse rows. See {@link CsrExecutorGraph}. */
public final class CsrGraphPartition implements GraphPartition, UnsortedEdges.Holder {
  private final int index;
  private final int firstVertex;
  private final int stored;
  private final long[] ghostIds;
  private final Csr inEdges;

  private CsrExecutorGraph graph;
  private volatile long[] present;
  private volatile Columns inEdgeValues;
  private int[] leavingGhosts;
  private final Lazy<Csr> outEdges = new Lazy<>(() -> graph.makeOutEdges(this, null).csr());
  private final Lazy<Columns> outEdgeValues = new Lazy<>(this::makeOutEdgeValues);
  private final Lazy<Csr> inTranspose = new Lazy<>(() -> makeTranspose(true));
  private final Lazy<Csr> outTranspose = new Lazy<>(() -> makeTranspose(false));
  private final Lazy<long[]> originalIds =
      new Lazy<>(() -> graph.withWorkers(this::makeOriginalIds));

  /**
   * Rows with local indexes.
   *
   * @param values in the order of the rows; null: not loaded
   */
  record Edges(Csr csr, Columns values) {}

  /**
   * @param firstVertex dense id of local index 0
   * @param ghostIds dense ids, ascending
   * @param present see {@link GraphPartition#present()}
   * @param outEdges null where they are derived from the graph's in-edges
   */
  CsrGraphPartition(
      int index,
      int firstVertex,
      int stored,
      long[] ghostIds,
      long[] present,
      Edges inEdges,
      Edges outEdges) {
    this.index = index;
    this.firstVertex = firstVertex;
    this.stored = stored;
    this.ghostIds = ghostIds;
    this.present = present;
    this.inEdges = inEdges.csr();
    this.inEdgeValues = inEdges.values();
    if (outEdges != null) {
      this.outEdges.set(outEdges.csr());
      this.outEdgeValues.set(outEdges.values());
    }
  }

  /** Ties the partition to its graph; called once, by the graph's constructor. */
  void attach(CsrExecutorGraph owner) {
    graph = owner;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public long firstVertex() {
    return firstVertex;
  }

  @Override
  public int stored() {
    return stored;
  }

  @Override
  public int ghosts() {
    return ghostIds.length;
  }

  @Override
  public long[] ghostIds() {
    return ghostIds;
  }

  /** Dense id of a local index. */
  public int dense(int local) {
    return local < stored ? firstVertex + local : (int) ghostIds[local - stored];
  }

  /** Local index of a dense id that is held or a ghost. */
  int local(int dense) {
    int held = dense - firstVertex;
    if (held >= 0 && held < stored) {
      return held;
    }
    int ghost = Arrays.binarySearch(ghostIds, dense);
    if (ghost < 0) {
      throw new IllegalArgumentException(
          "vertex " + dense + " is neither held nor a ghost of partition " + index);
    }
    return stored + ghost;
  }

  @Override
  public long originalId(int local) {
    return graph.ids().original(dense(local));
  }

  @Override
  public long[] originalIds() {
    return originalIds.get();
  }

  private long[] makeOriginalIds(Workers workers) {
    long[] ghosts = ghostIds;
    workers.acquire(8L * (2L * stored + ghosts.length));
    long[] held = new long[stored];
    graph.ids().originals(firstVertex, stored, held);
    long[] all = Arrays.copyOf(held, stored + ghosts.length);
    for (int g = 0; g < ghosts.length; g++) {
      all[stored + g] = graph.ids().original(ghosts[g]);
    }
    return all;
  }

  @Override
  public void originalIds(int first, int count, long[] into) {
    if (first + count <= stored) {
      graph.ids().originals((long) firstVertex + first, count, into);
    } else {
      GraphPartition.super.originalIds(first, count, into);
    }
  }

  @Override
  public long[] present() {
    return present;
  }

  /** Sets which vertices exist, once their shards have sent it. */
  void setPresent(long[] bitmap) {
    present = bitmap;
  }

  /**
   * Whoever made the rows has counted how many in-edges leave each ghost; called before anybody
   * else has the partition.
   *
   * @param counts {@code int[ghosts]}; null: nobody asks
   */
  void setLeavingGhosts(int[] counts) {
    leavingGhosts = counts;
  }

  /** {@code int[ghosts]}: how many in-edges leave each ghost; null: nobody has counted them. */
  public int[] leavingGhosts() {
    return leavingGhosts;
  }

  /** Whether no edge has an end elsewhere, so that each side is the transpose of the other. */
  private boolean isWhole() {
    return graph.partitions().size() == 1 && !graph.isSpread();
  }

  @Override
  public Csr edges(boolean in) {
    return in ? inEdges : outEdges.get();
  }

  @Override
  public Columns edgeValues(boolean in) {
    return in || inEdgeValues == null ? inEdgeValues : outEdgeValues.get();
  }

  private Columns makeOutEdgeValues() {
    CsrExecutorGraph.OutEdges made = graph.makeOutEdges(this, inEdgeValues.kinds());
    if (outEdges.ifMade() == null) {
      outEdges.set(made.csr());
    }
    return made.values();
  }

  /**
   * Sets the values of the edges.
   *
   * @param out those of the out-edges; null: derived again on demand
   */
  synchronized void setEdgeValues(Columns in, Columns out) {
    inEdgeValues = in;
    outEdgeValues.set(out);
  }

  @Override
  public Csr transpose(boolean in) {
    return isWhole() ? edges(!in) : (in ? inTranspose : outTranspose).get();
  }

  private Csr makeTranspose(boolean in) {
    Csr edges = edges(in);
    return graph.withWorkers(w -> RowSort.transpose(edges, stored + ghosts(), w));
  }

  @Override
  public boolean hasTranspose(boolean in) {
    Csr made =
        isWhole() ? (in ? outEdges.ifMade() : inEdges) : (in ? inTranspose : outTranspose).ifMade();
    return made != null && made.isMade();
  }

  @Override
  public UnsortedEdges unsorted() {
    return UnsortedEdges.of(inEdges);
  }

  @Override
  public List<RowsElsewhere> elsewhere() {
    return Stream.of(inEdges, outEdges.ifMade())
        .filter(Objects::nonNull)
        .map(RowsElsewhere::of)
        .filter(Objects::nonNull)
        .toList();
  }

  @Override
  public boolean isTurned() {
    return false;
  }

  @Override
  public int degree(int local, boolean in) {
    if (in && local < stored) {
      return inEdges.offsets()[local + 1] - inEdges.offsets()[local];
    }
    return in ? graph.inDegree(dense(local)) : graph.outDegree(dense(local));
  }

  @Override
  public int[] degrees(boolean in) {
    return !in && isWhole() ? graph.outDegrees() : GraphPartition.super.degrees(in);
  }

  @Override
  public int[] degreesIfKnown(boolean in) {
    return !in && isWhole() ? graph.outDegreesIfKnown() : null;
  }

  @Override
  public long bytes() {
    return rowBytes()
        + 8L * ghostIds.length
        + (leavingGhosts == null ? 0 : 4L * leavingGhosts.length)
        + (present == null ? 0 : 8L * present.length)
        + (originalIds.ifMade() == null ? 0 : 8L * originalIds.ifMade().length);
  }

  /** On the heap. */
  private long rowBytes() {
    return inEdges.bytes()
        + valueBytes(inEdgeValues, false)
        + bytes(inTranspose.ifMade())
        + bytes(outEdges.ifMade())
        + valueBytes(outEdgeValues.ifMade(), true)
        + bytes(outTranspose.ifMade());
  }

  private static long bytes(Csr csr) {
    return csr == null ? 0 : csr.bytes();
  }

  @Override
  public EdgeBytes edgeBytes() {
    long away = 0;
    long mapped = 0;
    for (Csr csr :
        Arrays.asList(inEdges, inTranspose.ifMade(), outEdges.ifMade(), outTranspose.ifMade())) {
      OffHeapArray array = csr == null ? null : csr.offHeap();
      away += array == null ? 0 : array.bytes();
      mapped += array != null && array.isMapped() ? array.bytes() : 0;
    }
    for (Columns values : Arrays.asList(inEdgeValues, outEdgeValues.ifMade())) {
      away += values == null ? 0 : values.awayBytes(false);
      mapped += values == null ? 0 : values.awayBytes(true);
    }
    return new EdgeBytes(rowBytes(), away - mapped, mapped);
  }

  private long valueBytes(Columns columns, boolean bySource) {
    if (columns == null) {
      return 0;
    }
    UnsortedEdges unsorted = unsorted();
    if (unsorted != null && columns == unsorted.values(bySource)) {
      return unsorted.valueBytes(bySource);
    }
    return elsewhere().stream()
        .filter(rows -> columns == rows.values())
        .mapToLong(RowsElsewhere::valueBytes)
        .findFirst()
        .orElseGet(columns::bytes);
  }
}
