package org.sparkgpugraph.runtime.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.shard.EdgeParcel;
import org.sparkgpugraph.graphs.shard.GhostHandshake;
import org.sparkgpugraph.graphs.shard.GhostReply;
import org.sparkgpugraph.graphs.shard.GhostRequest;
import org.sparkgpugraph.graphs.shard.Parcel;
import org.sparkgpugraph.graphs.shard.ShardBuilder;
import org.sparkgpugraph.graphs.shard.VertexParcel;
import org.sparkgpugraph.runtime.cluster.PinnedLanes;
import org.sparkgpugraph.runtime.held.EdgeHomes;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeldAttributes;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.held.ShardPiece;
import org.sparkgpugraph.runtime.held.VertexLayout;
import org.sparkgpugraph.runtime.serial.VertexCapacity;

/**
 * What the tasks of a load job do in the executor that holds a shard. Every step may be done again:
 * a shard that has what is wanted is left as it is, but asks, answers and accepts.
 */
final class ShardLoading {
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
    HeldGraph held = task.held(shard);
    if (held != null && held.loaded().cover(task.wanted())) {
      ExecutorRegistry.putGraph(key, held);
      return held;
    }
    try {
      HeldGraph now = built(task, shard, held, parcels);
      ExecutorRegistry.putGraph(key, now);
      return now;
    } finally {
      ExecutorRegistry.reserve(key, 0);
    }
  }

  private static HeldGraph built(
      LoadTask task, int shard, HeldGraph held, PinnedLanes.Reading<Object> parcels)
      throws Exception {
    String key = task.key(shard);
    ShardBuilder builder =
        new ShardBuilder(
            shard,
            task.owners(),
            new ShardBuilder.Options(
                task.partitionsHere(),
                task.how().threads(),
                task.wanted().edgeValues() ? task.source().edgeType() : null,
                task.routesOutEdges(),
                task.source().hasVertices() && !task.source().endsToo(),
                ExecutorRegistry.memory(key, EdgeHomes.forced())));
    Arrived arrived = new Arrived(key, builder, task.source().vertexPartitions());
    parcels.forEach(readers(task.how().threads()), arrived::take);
    // From now on the build reserves what it makes of them.
    ExecutorRegistry.reserve(key, arrived.bytes);
    arrived.vertices.sort(
        Comparator.comparingInt(VertexParcel::sourcePartition)
            .thenComparingInt(VertexParcel::sequence));
    return build(task, held, builder, arrived.vertices, arrived.capacities);
  }

  /** How many threads read: as many as there is room for. */
  private static int readers(int threads) {
    int readers = threads;
    while (readers > 1 && !ExecutorRegistry.fits(readers * READING_BYTES)) {
      readers /= 2;
    }
    return readers;
  }

  /** What has come to a shard, from several threads. */
  private static final class Arrived {
    final String key;
    final ShardBuilder builder;
    final List<VertexParcel> vertices = new ArrayList<>();
    final int[] capacities;
    long bytes;

    Arrived(String key, ShardBuilder builder, int vertexPartitions) {
      this.key = key;
      this.builder = builder;
      capacities = new int[Math.max(0, vertexPartitions)];
    }

    void take(Object arrived) {
      if (arrived instanceof EdgeParcel edges) {
        reserve(edges);
        builder.add(edges);
      } else if (arrived instanceof VertexParcel some) {
        reserve(some);
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

    private synchronized void reserve(Parcel parcel) {
      bytes += parcel.bytes();
      ExecutorRegistry.reserve(key, bytes + bytes / BUILT_SHARE);
    }
  }

  private static HeldGraph build(
      LoadTask task,
      HeldGraph held,
      ShardBuilder builder,
      List<VertexParcel> vertices,
      int[] capacities) {
    Needs wanted = task.wanted();
    boolean keep = held != null && (held.outEdges() || !wanted.outEdges());
    ExecutorGraph graph =
        keep ? held.graph() : builder.build(task.rowsMade(builder.inEdges(), true, true));
    task.tellPartitions(graph);
    if (keep && wanted.edgeValues() && graph.edgeType() == null) {
      builder.loadEdgeValues(graph);
    }
    List<VertexLayout> layouts = keep ? held.layouts() : layouts(graph, vertices, capacities);
    Columns attributes = null;
    if (held != null && held.attributes() != null) {
      attributes = keep ? held.attributes() : HeldAttributes.carryOver(held, graph);
    } else if (wanted.attributes() && !task.attributesOfSource()) {
      attributes = HeldAttributes.allocate(task.source().vertexType(), graph);
    } else if (wanted.attributes()) {
      List<VertexBlock> blocks = null;
      if (task.source().hasVertices()) {
        blocks = vertices.stream().map(ShardLoading::withValues).toList();
      }
      attributes = HeldAttributes.read(task.source().vertexType(), graph, blocks);
    }
    return new HeldGraph(graph, layouts, attributes, wanted.outEdges() || keep && held.outEdges());
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
