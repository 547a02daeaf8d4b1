package org.sparkgpugraph.graphs.shard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sparkgpugraph.graphs.build.CsrExecutorGraph;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.build.GraphAssembly;
import org.sparkgpugraph.graphs.build.ShardPlace;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeStorePool;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.rows.EdgeSides;
import org.sparkgpugraph.graphs.rows.VertexIdsBuilder;
import org.sparkgpugraph.program.ValueType;

/**
 * The reduce side of loading a graph into several shards: builds the executor graph of one shard
 * from parcels, in whatever order they come. Afterwards {@link GhostHandshake} connects the shards.
 *
 * <p>Rows are ordered as in the graph that one executor holds: by (far end, source partition,
 * position), so that a float sum over a row is the same bit for bit whatever the number of shards.
 * Several threads may add parcels at once; what comes behind that is one thread's.
 */
public final class ShardBuilder {
  private final ShardPlace place;
  private final Options options;

  // Guarded by this.
  private final Map<EdgeParcel.Side, Map<Sequence, List<? extends EdgeBlock>>> edges =
      new EnumMap<>(EdgeParcel.Side.class);
  private final Map<Sequence, long[]> sources = new TreeMap<>();
  private final Map<Sequence, VertexBlock> vertices = new TreeMap<>();

  /** Off the heap. */
  private final EdgeStorePool stores;

  /** What is built of them. */
  private volatile BuildMemory memory;

  /**
   * How to build.
   *
   * @param partitions number of partitions of the shard, at least 1; one per memory (a heap, a
   *     GPU). There are no more of them than vertices that the shard holds
   * @param threads worker threads, at least 1
   * @param edgeType type of the edge values that the parcels carry; null: none
   * @param outEdges whether the parcels bring out-edges; the same as the router's
   * @param vertices whether the vertices are those given by {@link VertexParcel}s; otherwise they
   *     are the ends of the edges too
   * @param memory where the build, and what is made of the graph later, reserves heap; the parcels
   *     are not counted there, nor is the graph once it is built. Where it has edges off the heap
   *     parcels wait there, too
   */
  public record Options(
      int partitions,
      int threads,
      ValueType edgeType,
      boolean outEdges,
      boolean vertices,
      BuildMemory memory) {
    /** Without a bound on memory. */
    public Options(
        int partitions, int threads, ValueType edgeType, boolean outEdges, boolean vertices) {
      this(partitions, threads, edgeType, outEdges, vertices, BuildMemory.UNBOUNDED);
    }

    public Options {
      if (partitions < 1) {
        throw new IllegalArgumentException(partitions + " partitions; at least 1 is needed");
      }
      if (threads < 1) {
        throw new IllegalArgumentException(threads + " threads; at least 1 is needed");
      }
    }
  }

  /** Where a parcel stands in the source. */
  private record Sequence(int partition, int number) implements Comparable<Sequence> {
    private static final Comparator<Sequence> ORDER =
        Comparator.comparingInt(Sequence::partition).thenComparingInt(Sequence::number);

    @Override
    public int compareTo(Sequence other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * @param shard number of the shard, 0…{@code owners.shards()} − 1
   * @param owners where vertices belong; the same as the router's
   */
  public ShardBuilder(int shard, VertexOwners owners, Options options) {
    if (shard < 0 || shard >= owners.shards()) {
      throw new IllegalArgumentException("there is no shard " + shard + " of " + owners.shards());
    }
    this.place = new ShardPlace(shard, owners, options.outEdges());
    this.options = options;
    memory = options.memory();
    stores = new EdgeStorePool(options.edgeType());
    for (EdgeParcel.Side side : EdgeParcel.Side.values()) {
      edges.put(side, new TreeMap<>());
    }
  }

  /**
   * Takes a parcel of edges.
   *
   * @throws IllegalArgumentException when it is for another shard or came before
   * @throws OffHeapMemoryException when there is no room for it where edges are off the heap
   */
  public void add(EdgeParcel parcel) {
    // To copy it out of the parcel is what takes the time.
    EdgeBlock block = parcel.block();
    if (block == null) {
      add(parcel, sources, parcel.sources());
    } else {
      BuildMemory now = memory;
      add(
          parcel,
          edges.get(parcel.side()),
          now.edges() == null ? List.of(block) : stores.add(block, now.edges()));
    }
  }

  /**
   * Moves the edges off the heap, those that come from now on, too, and what will be built of them.
   * Other threads may add meanwhile.
   *
   * @param other has edges off the heap
   * @throws OffHeapMemoryException when there is no room for them; some may be moved by then
   */
  public synchronized void move(BuildMemory other) {
    memory = other;
    for (Map<Sequence, List<? extends EdgeBlock>> side : edges.values()) {
      side.replaceAll((sequence, blocks) -> moved(blocks, other.edges()));
    }
  }

  private List<? extends EdgeBlock> moved(List<? extends EdgeBlock> blocks, EdgeMemory home) {
    return blocks.size() != 1 || blocks.get(0) instanceof StoredEdgeBlock
        ? blocks
        : stores.add(blocks.get(0), home);
  }

  /**
   * Takes a parcel of vertices. Attributes are not read.
   *
   * @throws IllegalArgumentException when it is for another shard or came before
   */
  public void add(VertexParcel parcel) {
    add(parcel, vertices, parcel.vertices());
  }

  private synchronized <T> void add(Parcel parcel, Map<Sequence, T> to, T content) {
    if (parcel.shard() != place.shard()) {
      throw new IllegalArgumentException(parcel + " came to shard " + place.shard());
    }
    Sequence sequence = new Sequence(parcel.sourcePartition(), parcel.sequence());
    if (to.putIfAbsent(sequence, content) != null) {
      throw new IllegalArgumentException(parcel + " came twice");
    }
  }

  /**
   * Builds the executor graph of the shard. With more than one shard it must be connected to the
   * others by {@link GhostHandshake} before a program runs on it.
   *
   * @throws IllegalArgumentException when a partition would have 2³¹ edges or more, or the shard
   *     and its ghosts 2³¹ vertices or more
   */
  public ExecutorGraph build() {
    return build(RowsMade.NOW, 1);
  }

  /**
   * As {@link #build()}.
   *
   * @param rows when the rows are made of the only shard
   * @param least partitions, where the options say fewer
   */
  public ExecutorGraph build(RowsMade rows, int least) {
    if (memory.edges() != null) {
      // Those that came while others were moved.
      move(memory);
      stores.seal();
    }
    try (Workers workers = new Workers(options.threads(), memory)) {
      EdgeSides blocks = edges();
      List<VertexBlock> given = List.copyOf(vertices.values());
      List<long[]> further = new ArrayList<>(sources.values());
      if (!options.vertices()) {
        further.addAll(VertexIdsBuilder.ids(given));
      }
      VertexIdsBuilder.Result found =
          VertexIdsBuilder.of(blocks.all(), options.vertices() ? given : null, further, workers);
      ExecutorGraphBuilder.Options how =
          new ExecutorGraphBuilder.Options(
              Math.max(least, options.partitions()),
              options.threads(),
              options.edgeType(),
              rows,
              memory);
      return new GraphAssembly(blocks, found, place, how, workers).build();
    }
  }

  /**
   * Instead of {@link #build}: puts the edge values of the parcels into a graph that was built from
   * the same source without values. Replaces values loaded before. Must not run at the same time as
   * a program on the graph.
   *
   * @param graph the graph of the same shard
   * @throws IllegalArgumentException when the graph is of another shard, or the parcels hold other
   *     edges than it
   */
  public void loadEdgeValues(ExecutorGraph graph) {
    if (options.edgeType() == null) {
      throw new IllegalArgumentException("the options name no type of edge values");
    }
    CsrExecutorGraph target = GhostHandshake.graph(graph);
    if (!place.equals(target.place())) {
      throw new IllegalArgumentException(
          "the parcels are for " + place + ", the graph is " + target.place());
    }
    stores.seal();
    target.readEdgeValues(options.edgeType(), edges());
  }

  /** Number of in-edges that came so far. */
  public long inEdges() {
    return count(EdgeParcel.Side.IN) + count(EdgeParcel.Side.BOTH);
  }

  /** Number of out-edges that came so far. */
  public long outEdges() {
    return count(EdgeParcel.Side.OUT) + count(EdgeParcel.Side.BOTH);
  }

  private synchronized long count(EdgeParcel.Side side) {
    return blocks(side).stream().mapToLong(EdgeBlock::size).sum();
  }

  private List<EdgeBlock> blocks(EdgeParcel.Side side) {
    List<EdgeBlock> blocks = new ArrayList<>();
    edges.get(side).values().forEach(blocks::addAll);
    return blocks;
  }

  /** The edges by why they are here; each side in the order of the source. */
  private EdgeSides edges() {
    List<EdgeBlock> all = blocks(EdgeParcel.Side.IN);
    int outStart = all.size();
    all.addAll(blocks(EdgeParcel.Side.BOTH));
    int inEnd = all.size();
    all.addAll(blocks(EdgeParcel.Side.OUT));
    boolean stored = place.spread() && place.outEdges();
    return new EdgeSides(List.copyOf(all), inEnd, stored ? outStart : all.size());
  }
}
