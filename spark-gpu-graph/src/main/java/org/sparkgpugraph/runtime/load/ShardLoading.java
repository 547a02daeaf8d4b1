package org.sparkgpugraph.runtime.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.shard.EdgeParcel;
import org.sparkgpugraph.graphs.shard.EdgeRouter;
import org.sparkgpugraph.graphs.shard.GhostHandshake;
import org.sparkgpugraph.graphs.shard.GhostReply;
import org.sparkgpugraph.graphs.shard.GhostRequest;
import org.sparkgpugraph.graphs.shard.ShardBuilder;
import org.sparkgpugraph.graphs.shard.VertexParcel;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.cluster.PinnedLanes;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.EdgeHomes;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeapReservation;
import org.sparkgpugraph.runtime.held.HeldAttributes;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.LoadMarks;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.held.ShardPiece;
import org.sparkgpugraph.runtime.held.Staging;
import org.sparkgpugraph.runtime.held.VertexLayout;
import org.sparkgpugraph.runtime.serial.VertexCapacity;

/**
 * What the tasks of a load job do in the executor that holds a shard. Every step may be done again:
 * a shard that has what is wanted is left as it is, but asks, answers and accepts.
 */
final class ShardLoading {
  private static final Logger LOG = LoggerFactory.getLogger(ShardLoading.class);

  /** What is built of parcels takes at least that part of their bytes, beside them. */
  private static final int BUILT_SHARE = 4;

  /**
   * What a thread that reads parcels holds: what Spark fetches ahead for it, a parcel as it came
   * and what is copied out of that.
   */
  private static final long READING_BYTES = 128L << 20;

  private ShardLoading() {}

  /**
   * Builds a shard, or adds to the one that is held, and registers it.
   *
   * @param parcels {@link EdgeParcel}s, {@link VertexParcel}s and {@link VertexCapacity}s
   * @throws Exception Spark's own, where it cannot read them
   */
  static HeldGraph build(LoadTask task, int shard, PinnedLanes.Reading<Object> parcels)
      throws Exception {
    String key = task.key(shard);
    LoadMarks.begun(task.key());
    HeldGraph held = task.held(shard);
    boolean anew = task.anew().contains(shard);
    if (held != null && held.loaded().cover(task.wanted()) && !anew) {
      ExecutorRegistry.putGraph(key, held);
      return held;
    }
    try {
      HeldGraph now = built(task, shard, held, parcels);
      ExecutorRegistry.putGraph(key, now);
      return now;
    } catch (GraphMemoryException e) {
      throw task.owners().ascending() ? e : ofPlaced(e);
    } finally {
      ExecutorRegistry.reserve(key, 0);
    }
  }

  /**
   * As {@link #build(LoadTask, int, PinnedLanes.Reading)}, of edges in columns on a device: rows
   * are made there, or of parcels of copies, which are those that would have been sent.
   *
   * @param staging has the edges with an end in the shard, those between the same vertices in the
   *     order of the source. They stay there: Spark may try the task again
   * @param parts how many partitions of them there are
   * @param onHost is told why edges go through the host, where they do
   * @throws MisroutedEdgesException when some have no end in the shard
   */
  static HeldGraph build(
      LoadTask task, int shard, Staging staging, int parts, Consumer<String> onHost) {
    String key = task.key(shard);
    LoadMarks.begun(task.key());
    HeldGraph held = task.held(shard);
    if (held != null && held.loaded().cover(task.wanted())) {
      ExecutorRegistry.putGraph(key, held);
      return held;
    }
    if (staging.edgePartitions() != parts) {
      throw new IllegalStateException(
          "%d of %d partitions of the edges of shard %d are here"
              .formatted(staging.edgePartitions(), parts, shard));
    }
    try {
      HeldGraph now = ofTables(task, shard, staging, onHost);
      if (staging.isClosed()) {
        // Another shard has failed, and the shards are made of parcels now, perhaps this one is.
        ExecutorRegistry.engines().release(now.graph());
        throw new IllegalStateException("the load of " + key + " goes another way by now");
      }
      ExecutorRegistry.putGraph(key, now);
      return now;
    } finally {
      ExecutorRegistry.reserve(key, 0);
    }
  }

  private static HeldGraph ofTables(
      LoadTask task, int shard, Staging staging, Consumer<String> onHost) {
    String why = staging.whyOnHost();
    if (why == null) {
      try {
        ExecutorGraph graph = TableLoading.shard(task, shard, staging.edges());
        task.tellPartitions(graph);
        Columns attributes = attributes(task, graph, List.of());
        return new HeldGraph(
            graph, List.of(), attributes, task.wanted().outEdges(), task.heapPeak());
      } catch (TableLoading.RefusedException e) {
        why = e.getMessage();
        LOG.info("edges on the GPU of shard {} go through the host: {}", shard, why);
      }
    }
    // Tables of which some are copied already are none for a device any more, when Spark tries the
    // task again.
    staging.onHost(why);
    onHost.accept(why);
    Arrived arrived = new Arrived(task.key(shard), builder(task, shard), 0, 1);
    try (HeapReservation routed = new HeapReservation(task.key(shard), false)) {
      Iterator<EdgeBlock> copied = staging.edges().iterator();
      new EdgeRouter(task.owners(), task.routesOutEdges(), task.edgeValues(), routed)
          .route(0, ShardJob.map(copied, block -> checked(block, task.owners(), shard)))
          .forEachRemaining(
              parcel -> {
                if (parcel.shard() == shard) {
                  arrived.take(parcel);
                }
              });
    }
    arrived.all();
    return build(task, null, false, arrived);
  }

  private static EdgeBlock checked(EdgeBlock block, VertexOwners owners, int shard) {
    for (int e = 0; e < block.size(); e++) {
      if (owners.shardOf(block.destination(e)) != shard
          && owners.shardOf(block.source(e)) != shard) {
        throw new MisroutedEdgesException(
            "shard %d has no end of %d -> %d"
                .formatted(shard, block.source(e), block.destination(e)),
            null);
      }
    }
    return block;
  }

  /** The same, with what vertices beside their neighbours have to do with it. */
  private static GraphMemoryException ofPlaced(GraphMemoryException refused) {
    GraphMemoryException placed =
        new GraphMemoryException(
            "%s; with %s = ranges it takes 8 bytes an edge less while it is built, 16 with out-edges"
                .formatted(refused.getMessage(), GpuGraphConf.PLACEMENT.key()));
    placed.addSuppressed(refused);
    return placed;
  }

  private static HeldGraph built(
      LoadTask task, int shard, HeldGraph held, PinnedLanes.Reading<Object> parcels)
      throws Exception {
    int readers = readers(task.how().threads());
    Arrived arrived =
        new Arrived(
            task.key(shard), builder(task, shard), task.source().vertexPartitions(), readers);
    parcels.forEach(readers, arrived::take);
    arrived.all();
    return build(task, held, task.anew().contains(shard), arrived);
  }

  private static ShardBuilder builder(LoadTask task, int shard) {
    return new ShardBuilder(
        shard,
        task.owners(),
        new ShardBuilder.Options(
            task.partitionsHere(),
            task.how().threads(),
            task.edgeValues(),
            task.routesOutEdges(),
            task.source().hasVertices() && !task.source().endsToo(),
            ExecutorRegistry.memory(task.key(shard), EdgeHomes.forced())));
  }

  /** How many threads read: as many as there is room for. */
  private static int readers(int threads) {
    int readers = threads;
    while (readers > 1 && !ExecutorRegistry.fits(readers * READING_BYTES)) {
      readers /= 2;
    }
    return readers;
  }

  /**
   * What has come to a shard, from several threads: on the heap while there is room, and edges off
   * it then, where they may be.
   */
  private static final class Arrived {
    final String key;
    final ShardBuilder builder;
    final List<VertexParcel> vertices = new ArrayList<>();
    final int[] capacities;

    /** What is in the heap beside what has come, until all has. */
    private final long reading;

    // Guarded by this.
    private long edgeBytes;
    private long vertexBytes;
    private boolean away = EdgeHomes.forced() != null;

    Arrived(String key, ShardBuilder builder, int vertexPartitions, int readers) {
      reading = readers * READING_BYTES;
      this.key = key;
      this.builder = builder;
      capacities = new int[Math.max(0, vertexPartitions)];
    }

    void take(Object arrived) {
      if (arrived instanceof EdgeParcel edges) {
        reserve(edges.bytes(), 0);
        builder.add(edges);
      } else if (arrived instanceof VertexParcel some) {
        reserve(0, some.bytes());
        builder.add(some);
        synchronized (this) {
          vertices.add(some);
        }
      } else {
        VertexCapacity capacity = (VertexCapacity) arrived;
        synchronized (this) {
          capacities[capacity.partition()] = capacity.slots();
        }
      }
    }

    private synchronized void reserve(long ofEdges, long ofVertices) {
      edgeBytes += away ? 0 : ofEdges;
      vertexBytes += ofVertices;
      long bytes = edgeBytes + vertexBytes;
      EdgeMemory beyond = away ? null : EdgeHomes.beyondHeap();
      // Where edges may leave they do so as soon as their rows would have no room beside them, and
      // before the JVM has nothing left to read others with: arrays of a megabyte may take two.
      boolean early = beyond != null && beyond.hasRoom(2 * edgeBytes);
      try {
        ExecutorRegistry.reserve(key, bytes + (early ? edgeBytes + reading : bytes / BUILT_SHARE));
      } catch (GraphMemoryException e) {
        if (beyond == null) {
          throw e;
        }
        HeapFirst.away(e, () -> move(beyond));
      }
    }

    /** Moves the edges off the heap; those that come later go there, too. */
    private synchronized ShardBuilder move(EdgeMemory home) {
      away = true;
      builder.move(ExecutorRegistry.memory(key, home));
      edgeBytes = 0;
      ExecutorRegistry.reserve(key, vertexBytes);
      return builder;
    }

    /** Nothing comes any more. From now on the build reserves what it makes of it. */
    synchronized void all() {
      ExecutorRegistry.reserve(key, edgeBytes + vertexBytes);
      vertices.sort(
          Comparator.comparingInt(VertexParcel::sourcePartition)
              .thenComparingInt(VertexParcel::sequence));
    }

    synchronized ExecutorGraph graph(LoadTask task) {
      long edges = Math.max(builder.inEdges(), builder.outEdges());
      int least = Loading.leastPartitions(edges);
      if (away) {
        return builder.build(RowsMade.NOW, least);
      }
      RowsMade rows = task.rowsMade(builder.inEdges(), true, true);
      EdgeMemory beyond = EdgeHomes.beyondHeap();
      if (beyond == null) {
        return builder.build(rows, least);
      }
      return HeapFirst.made(
          key,
          () -> {
            if (rows == RowsMade.NOW) {
              Loading.checkRows(task, key, builder.inEdges());
            }
            return builder.build(rows, least);
          },
          () -> move(beyond).build(RowsMade.NOW, least));
    }

    void loadEdgeValues(ExecutorGraph graph) {
      builder.loadEdgeValues(graph);
    }
  }

  private static HeldGraph build(LoadTask task, HeldGraph held, boolean anew, Arrived arrived) {
    List<VertexParcel> vertices = arrived.vertices;
    Needs wanted = task.wanted();
    boolean keep = held != null && !anew && (held.outEdges() || !wanted.outEdges());
    ExecutorGraph graph = keep ? held.graph() : arrived.graph(task);
    task.tellPartitions(graph);
    if (keep && wanted.edgeValues() && graph.edgeType() == null) {
      arrived.loadEdgeValues(graph);
    }
    List<VertexLayout> layouts =
        keep ? held.layouts() : layouts(graph, vertices, arrived.capacities);
    Columns attributes;
    if (held != null && held.attributes() != null) {
      attributes = keep ? held.attributes() : HeldAttributes.carryOver(held, graph);
    } else {
      attributes = attributes(task, graph, vertices);
    }
    return new HeldGraph(
        graph, layouts, attributes, wanted.outEdges() || keep && held.outEdges(), task.heapPeak());
  }

  /** Of a shard that has none; null: none are wanted. */
  private static Columns attributes(
      LoadTask task, ExecutorGraph graph, List<VertexParcel> vertices) {
    if (!task.wanted().attributes()) {
      return null;
    }
    if (!task.attributesOfSource()) {
      return HeldAttributes.allocate(task.source().vertexType(), graph);
    }
    List<VertexBlock> blocks = null;
    if (task.source().hasVertices()) {
      blocks = vertices.stream().map(ShardLoading::withValues).toList();
    }
    return HeldAttributes.read(task.source().vertexType(), graph, blocks);
  }

  private static VertexBlock withValues(VertexParcel parcel) {
    VertexBlock block = parcel.vertices();
    return new VertexBlock(block.size(), block.ids(), null, block.capacity(), parcel.values());
  }

  private static List<VertexLayout> layouts(
      ExecutorGraph graph, List<VertexParcel> vertices, int[] capacities) {
    List<List<VertexBlock>> blocks = new ArrayList<>();
    for (int p = 0; p < capacities.length; p++) {
      blocks.add(new ArrayList<>());
    }
    vertices.forEach(parcel -> blocks.get(parcel.sourcePartition()).add(parcel.vertices()));
    List<VertexLayout> layouts = new ArrayList<>();
    for (int p = 0; p < capacities.length; p++) {
      layouts.add(VertexLayout.of(blocks.get(p), capacities[p], graph.ids()));
    }
    return layouts;
  }

  /** What a shard asks of others. */
  static Iterator<GhostRequest> requests(HeldGraph held) {
    return new GhostHandshake(held.graph()).requests();
  }

  /** Answers all requests to a shard. */
  static Iterator<GhostReply> answer(String key, Iterator<GhostRequest> requests) {
    HeldGraph held = ExecutorRegistry.graph(key);
    return new GhostHandshake(held.graph()).answer(requests, held.attributes());
  }

  /** Tells the readers of a shard's vertices their attributes. */
  static Iterator<GhostReply> tell(String key) {
    HeldGraph held = ExecutorRegistry.graph(key);
    return new GhostHandshake(held.graph()).tell(held.attributes());
  }

  /** Takes all replies to a shard. */
  static ShardPiece accept(String key, Iterator<GhostReply> replies) {
    HeldGraph held = ExecutorRegistry.graph(key);
    new GhostHandshake(held.graph()).accept(replies, held.attributes());
    // Boundary lists count.
    ExecutorRegistry.putGraph(key, held);
    return ShardPiece.of(held);
  }

  /** Tells a shard how many vertices the whole graph has. */
  static void complete(String key, long vertices) {
    new GhostHandshake(ExecutorRegistry.graph(key).graph()).setVertexCount(vertices);
  }
}
