package org.sparkgpugraph.graphs.build;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.rows.EdgeSides;
import org.sparkgpugraph.graphs.rows.EdgeValueLoader;
import org.sparkgpugraph.graphs.rows.PartitionRows;
import org.sparkgpugraph.graphs.rows.RowSort;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * A graph, or the part of it that one executor holds, in compressed sparse rows. Made by {@link
 * ExecutorGraphBuilder}, or by a shard's builder.
 *
 * <p>Everything that a partition derives on first use comes from its edges, so the blocks that the
 * graph was built from may be dropped. What one of several shards learns from the others is set
 * later, all of it at once ({@link RemoteGhosts}).
 */
public final class CsrExecutorGraph implements ExecutorGraph {
  private final VertexIds ids;
  private final ShardPlace place;
  private final Held held;
  private final long edgeCount;
  private final List<CsrGraphPartition> partitions;
  private final List<BoundaryList> boundaries;
  private final int threads;
  private final BuildMemory memory;
  private final long heldVertices;
  private final AtomicLong kept = new AtomicLong();

  private volatile long[] present;
  private volatile long vertexCount;
  private volatile int[] outDegrees;
  private volatile List<RemoteBoundary> exports;
  private volatile RemoteGhosts remote;
  private ValueType edgeType;
  private ExecutorGraph reversed;

  /**
   * The vertices that are held.
   *
   * @param first dense id of the first
   * @param end dense id behind the last
   * @param degrees {@code int[end − first]}: how many of the edges held here leave each; null: the
   *     only partition's edges are not sorted yet, and nobody has counted them
   */
  record Held(int first, int end, int[] degrees) {}

  /**
   * @param place which part of a graph it is; null: all of it
   * @param present bitmap over dense ids of those that are vertices; null: all
   * @param threads used to derive parts later
   * @param memory where these reserve heap, until they are made: then they count with the graph
   */
  CsrExecutorGraph(
      VertexIds ids,
      ShardPlace place,
      Held held,
      long[] present,
      List<CsrGraphPartition> partitions,
      List<BoundaryList> boundaries,
      int threads,
      BuildMemory memory,
      ValueType edgeType) {
    this.ids = ids;
    this.place = place;
    this.held = held;
    this.present = present;
    this.edgeCount = partitions.stream().mapToLong(p -> p.inEdges().edges()).sum();
    this.partitions = List.copyOf(partitions);
    this.boundaries = List.copyOf(boundaries);
    this.threads = threads;
    this.memory = memory;
    this.edgeType = edgeType;
    heldVertices = count(present, held);
    partitions.forEach(p -> p.attach(this));
    if (isSpread()) {
      vertexCount = -1;
      outDegrees = storesOutEdges() ? storedOutDegrees() : null;
    } else {
      vertexCount = heldVertices;
      outDegrees = held.degrees;
      exports = List.of();
      remote = RemoteGhosts.none();
    }
  }

  private static long count(long[] present, Held held) {
    if (present == null) {
      return held.end - held.first;
    }
    long count = 0;
    for (int v = held.first; v < held.end; v++) {
      count += present[v >>> 6] >>> v & 1;
    }
    return count;
  }

  private int[] storedOutDegrees() {
    int[] degrees = new int[held.end - held.first];
    for (CsrGraphPartition partition : partitions) {
      int[] offsets = partition.outEdges().offsets();
      int first = (int) partition.firstVertex() - held.first;
      for (int v = 0; v < partition.stored(); v++) {
        degrees[first + v] = offsets[v + 1] - offsets[v];
      }
    }
    return degrees;
  }

  @Override
  public VertexIds ids() {
    return ids;
  }

  @Override
  public long vertexCount() {
    if (vertexCount < 0) {
      throw notConnected("the number of vertices of the whole graph");
    }
    return vertexCount;
  }

  @Override
  public long heldVertices() {
    return heldVertices;
  }

  @Override
  public long edgeCount() {
    return edgeCount;
  }

  @Override
  public List<CsrGraphPartition> partitions() {
    return partitions;
  }

  @Override
  public long firstHeld() {
    return held.first;
  }

  @Override
  public long endHeld() {
    return held.end;
  }

  @Override
  public int partitionOf(long dense) {
    if (dense < held.first || dense >= held.end) {
      return -1;
    }
    int low = 0;
    int high = partitions.size() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      CsrGraphPartition partition = partitions.get(middle);
      if (dense < partition.firstVertex() + partition.stored()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  // ---- other shards ---------------------------------------------------------------------------

  /** Which part of a graph it is; null: all of it, and it was never meant to be a part. */
  public ShardPlace place() {
    return place;
  }

  /** Whether other executor graphs hold the rest of the graph. */
  public boolean isSpread() {
    return place != null && place.spread();
  }

  /** Whether out-edges were loaded, because other shards hold some of them as in-edges. */
  public boolean storesOutEdges() {
    return isSpread() && place.outEdges();
  }

  @Override
  public boolean hasOutEdges() {
    return !isSpread() || place.outEdges();
  }

  private IllegalStateException notConnected(String what) {
    return new IllegalStateException(
        ("shard %s of %s does not know %s yet: connect the shards (GhostHandshake)"
                + " after they are loaded or masked")
            .formatted(place.shard(), place.owners().shards(), what));
  }

  private <T> T known(T value, String what) {
    if (value == null) {
      throw notConnected(what);
    }
    return value;
  }

  @Override
  public List<RemoteBoundary> exports() {
    return known(exports, "which of its vertices others read");
  }

  @Override
  public List<RemoteBoundary> imports() {
    return remote().imports();
  }

  private RemoteGhosts remote() {
    return known(remote, "its ghosts");
  }

  /** Whether it knows all that a program needs. */
  public boolean isConnected() {
    return exports != null && remote != null && outDegrees() != null && vertexCount >= 0;
  }

  /**
   * Sets what others asked for.
   *
   * @param elsewhere {@code int[held]}: how many edges held by other shards leave each held vertex;
   *     not read when out-edges were loaded
   */
  public synchronized void setExports(List<RemoteBoundary> lists, int[] elsewhere) {
    if (isSpread() && !storesOutEdges()) {
      int[] sums = new int[elsewhere.length];
      for (int v = 0; v < sums.length; v++) {
        long sum = (long) held.degrees[v] + elsewhere[v];
        if (sum > Integer.MAX_VALUE) {
          throw tooManyOutEdges(v, sum);
        }
        sums[v] = (int) sum;
      }
      outDegrees = sums;
    }
    exports = List.copyOf(lists);
  }

  /** For a vertex that more edges leave than a degree can say. */
  public IllegalArgumentException tooManyOutEdges(int heldVertex, long edges) {
    return new IllegalArgumentException(
        "%s edges leave vertex %s, at most %s are possible: leave some of them out"
            .formatted(edges, ids.original(held.first + heldVertex), Integer.MAX_VALUE));
  }

  /**
   * Sets what others answered.
   *
   * @param bitmap see the constructor, now with what other shards sent about ghosts
   */
  public synchronized void setRemote(RemoteGhosts ghosts, long[] bitmap) {
    present = bitmap;
    for (CsrGraphPartition p : partitions) {
      p.setPresent(
          GraphAssembly.localPresent(bitmap, (int) p.firstVertex(), p.stored(), p.ghostIds()));
    }
    remote = ghosts;
  }

  public synchronized void setVertexCount(long vertices) {
    vertexCount = vertices;
  }

  /** See the constructor. */
  public long[] present() {
    return present;
  }

  /** In-degree of a dense id. */
  int inDegree(int dense) {
    int partition = partitionOf(dense);
    if (partition >= 0) {
      CsrGraphPartition home = partitions.get(partition);
      return home.inDegree((int) (dense - home.firstVertex()));
    }
    return remote().inDegrees()[remoteIndex(dense)];
  }

  /** Out-degree of a dense id. */
  int outDegree(int dense) {
    if (dense < held.first || dense >= held.end) {
      return remote().outDegrees()[remoteIndex(dense)];
    }
    return known(outDegrees(), "how many edges leave its vertices")[dense - held.first];
  }

  /** Likewise, null where they have to be counted. */
  int[] outDegreesIfKnown() {
    return outDegrees == null && held.degrees == null
        ? partitions.get(0).unsorted().outDegreesIfKnown()
        : outDegrees;
  }

  /** Out-degrees of all dense ids of a graph that is not spread, counted if need be. */
  int[] outDegrees() {
    int[] degrees = outDegrees;
    if (degrees == null && held.degrees == null) {
      degrees = partitions.get(0).unsorted().outDegrees();
      outDegrees = degrees;
    }
    return degrees;
  }

  /** Number of a dense id among those that are not held. */
  public int remoteIndex(int dense) {
    return dense < held.first ? dense : dense - (held.end - held.first);
  }

  // ---- edges ----------------------------------------------------------------------------------

  @Override
  public List<BoundaryList> boundaries() {
    return boundaries;
  }

  @Override
  public synchronized ValueType edgeType() {
    return edgeType;
  }

  @Override
  public void loadEdgeValues(ValueType type, List<? extends EdgeBlock> blocks) {
    if (isSpread()) {
      throw new IllegalStateException(
          "the values of a shard's edges come in parcels: use ShardBuilder.loadEdgeValues");
    }
    readEdgeValues(type, EdgeSides.inEdges(blocks));
  }

  /** Loads edge values from the blocks of the edges that are held here. */
  public synchronized void readEdgeValues(ValueType type, EdgeSides blocks) {
    UnsortedEdges unsorted = partitions.get(0).unsorted();
    if (withWorkers(w -> EdgeValueLoader.loadUnsorted(unsorted, type, blocks.in(), ids, w))) {
      partitions.get(0).setEdgeValues(unsorted.values(false), unsorted.values(true));
      edgeType = type;
      return;
    }
    List<EdgeValuesLater.Loaded> values =
        withWorkers(w -> EdgeValuesLater.load(this, type, blocks, w));
    for (int p = 0; p < values.size(); p++) {
      partitions.get(p).setEdgeValues(values.get(p).in(), values.get(p).out());
    }
    edgeType = type;
  }

  /** The same object every time: devices keep what they derive from it as long as it lives. */
  @Override
  public synchronized ExecutorGraph reversed() {
    requireOutEdges("turning it round");
    if (reversed == null) {
      reversed = new ReversedExecutorGraph(this);
    }
    return reversed;
  }

  @Override
  public synchronized List<ExecutorGraph> views() {
    return reversed == null ? List.of(this) : List.of(this, reversed);
  }

  @Override
  public ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges) {
    return new GraphMask(this, vertices, edges, threads, memory).apply();
  }

  private void requireOutEdges(String what) {
    if (!hasOutEdges()) {
      throw new IllegalStateException(
          ("%s needs the out-edges of shard %s, which was loaded without them, and other"
                  + " shards hold some of them: load the graph with out-edges")
              .formatted(what, place.shard()));
    }
  }

  /** Runs something that uses threads. */
  public <T> T withWorkers(Function<Workers, T> work) {
    try (Workers workers = new Workers(threads, memory)) {
      return work.apply(workers);
    }
  }

  /**
   * Out-edges of a partition, and their values when asked for.
   *
   * @param values null when not asked for
   */
  record OutEdges(Csr csr, Columns values) {}

  /**
   * Derives a partition's out-edges from the in-edges of all partitions.
   *
   * @param kinds kinds of the values to bring along; null: none
   */
  OutEdges makeOutEdges(CsrGraphPartition partition, List<ColumnType> kinds) {
    requireOutEdges("sending to sources, or by out-edges,");
    if (partitions.size() > 1) {
      return withWorkers(
          w ->
              kinds == null || w.edges() != null
                  ? sortOutEdges(partition, kinds, w)
                  : collectOutEdges(partition, kinds, w));
    }
    PartitionRows turned =
        withWorkers(
            w ->
                PartitionRows.transposed(
                    partition.inEdges(),
                    kinds == null ? null : partition.inEdgeValues(),
                    partition.stored(),
                    w));
    return new OutEdges(turned.csr(), turned.values());
  }

  private OutEdges sortOutEdges(
      CsrGraphPartition partition, List<ColumnType> kinds, Workers workers) {
    int first = (int) partition.firstVertex();
    int stored = partition.stored();
    int known = Math.toIntExact(ids.size());
    TurnedEdges edges = new TurnedEdges(partitions);
    LongFunction<RuntimeException> refusal = count -> tooManyOutEdges(partition);
    PartitionRows made =
        kinds == null
            ? new PartitionRows(RowSort.some(edges, first, stored, known, refusal, workers), null)
            : PartitionRows.turned(
                edges,
                partitions.stream().map(CsrGraphPartition::inEdgeValues).toList(),
                first,
                stored,
                known,
                refusal,
                workers);
    long[] ghosts = new long[(known + 63) >>> 6];
    for (long ghost : partition.ghostIds()) {
      ghosts[(int) (ghost >>> 6)] |= 1L << ghost;
    }
    GraphAssembly.toLocal(made.csr(), first, stored, new RankedBitmap(ghosts), workers);
    return new OutEdges(made.csr(), made.values());
  }

  private static IllegalArgumentException tooManyOutEdges(CsrGraphPartition partition) {
    return new IllegalArgumentException(
        "partition %s has more than %s out-edges: use more partitions"
            .formatted(partition.index(), GraphPartition.MAX_EDGES));
  }

  /**
   * The same with values on the heap, by one thread. Destinations ascend because partitions, and
   * rows in them, are visited in the order of their dense ids.
   */
  private OutEdges collectOutEdges(
      CsrGraphPartition partition, List<ColumnType> kinds, Workers workers) {
    int first = (int) partition.firstVertex();
    int stored = partition.stored();
    int[] offsets = new int[stored + 1];
    long edges = 0;
    for (int r = 0; r < stored; r++) {
      edges += outDegrees()[first + r];
      if (edges > GraphPartition.MAX_EDGES) {
        throw tooManyOutEdges(partition);
      }
      offsets[r + 1] = (int) edges;
    }
    workers.acquire(8L * offsets.length + 4 * edges + Columns.bytes(kinds, edges));
    int[] next = offsets.clone();
    int[] neighbours = new int[(int) edges];
    Columns values = Columns.allocate(kinds, (int) edges);
    for (CsrGraphPartition other : partitions) {
      int[] rows = other.inEdges().offsets();
      int[] sources = new int[0];
      for (int row = 0; row < other.stored(); row++) {
        int begin = rows[row];
        int count = rows[row + 1] - begin;
        sources = sources.length < count ? new int[count] : sources;
        other.inEdges().neighbours(begin, count, sources, 0);
        int destination = -1;
        for (int e = begin; e < begin + count; e++) {
          int source = other.dense(sources[e - begin]) - first;
          if (source < 0 || source >= stored) {
            continue;
          }
          if (destination < 0) {
            destination = partition.local(other.dense(row));
          }
          int place = next[source]++;
          neighbours[place] = destination;
          values.copyFrom(other.inEdgeValues(), e, place, 1);
        }
      }
    }
    return new OutEdges(new Csr(offsets, neighbours), values);
  }

  @Override
  public long bytes() {
    long[] bitmap = present;
    RemoteGhosts ghosts = remote;
    List<RemoteBoundary> lists = exports;
    // Those of edges that were not sorted at first are counted with their out-edges.
    int[] degrees = held.degrees == null ? null : outDegrees;
    return ids.bytes()
        + (place == null ? 0 : place.owners().bytes())
        + (bitmap == null ? 0 : 8L * bitmap.length)
        + (held.degrees == null ? 0 : 4L * held.degrees.length)
        + (degrees == null || degrees == held.degrees ? 0 : 4L * degrees.length)
        + partitions.stream().mapToLong(CsrGraphPartition::bytes).sum()
        + boundaries.stream().mapToLong(b -> 4L * b.size()).sum()
        + (lists == null ? 0 : RemoteGhosts.bytes(lists))
        + (ghosts == null ? 0 : ghosts.bytes())
        + kept.get();
  }

  @Override
  public boolean keep(long bytes) {
    try (BuildMemory.Reservation room = memory.begin()) {
      boolean fits = room.hasRoom(bytes);
      kept.addAndGet(fits ? bytes : 0);
      return fits;
    }
  }
}
