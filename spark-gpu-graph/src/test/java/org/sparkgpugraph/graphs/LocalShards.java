package org.sparkgpugraph.graphs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.placement.OwnerTable;
import org.sparkgpugraph.graphs.rows.VertexIdsBuilder;
import org.sparkgpugraph.graphs.shard.EdgeParcel;
import org.sparkgpugraph.graphs.shard.EdgeRouter;
import org.sparkgpugraph.graphs.shard.EdgeSample;
import org.sparkgpugraph.graphs.shard.GhostHandshake;
import org.sparkgpugraph.graphs.shard.GhostReply;
import org.sparkgpugraph.graphs.shard.GhostRequest;
import org.sparkgpugraph.graphs.shard.ShardBuilder;
import org.sparkgpugraph.graphs.shard.VertexParcel;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/** Several shards of one graph in one JVM: every message is carried in a random order. */
public final class LocalShards {
  public static final ValueType DOUBLE = new ValueType.Scalar(Kind.DOUBLE);

  public final VertexOwners owners;
  final Random random;
  int windowEdges;
  public int parcelEdges;
  final int messageGhosts;
  public final ShardBuilder.Options options;
  public List<ExecutorGraph> graphs = new ArrayList<>();

  /** Sizes of windows, parcels and messages are drawn small, so that all of them are cut. */
  public LocalShards(VertexOwners owners, ShardBuilder.Options options, Random random) {
    this.owners = owners;
    this.options = options;
    this.random = random;
    windowEdges = 1 + random.nextInt(100);
    parcelEdges = 1 + random.nextInt(30);
    messageGhosts = 1 + random.nextInt(20);
  }

  /**
   * Cuts a graph into connected shards, for tests of engines.
   *
   * @param seed of the order in which parcels and messages come, and of their sizes; with an odd
   *     one shards are no ranges of ids
   */
  public static List<ExecutorGraph> of(
      List<? extends EdgeBlock> edges,
      List<VertexBlock> vertices,
      int shards,
      int partitions,
      ValueType edgeType,
      boolean outEdges,
      long seed) {
    IdRanges ranges = EdgeSample.of(edges.iterator(), seed).split(shards, outEdges);
    LocalShards made =
        new LocalShards(
            seed % 2 == 0 ? ranges : scattered(edges, ranges, new Random(seed)),
            new ShardBuilder.Options(partitions, 1, edgeType, outEdges, vertices != null),
            new Random(seed));
    made.build(partitions(edges), vertices);
    made.connect();
    return made.graphs;
  }

  /**
   * Owners that place about half of the ends of edges by chance, the others by the ranges.
   *
   * @param edges of the graph
   */
  public static VertexOwners scattered(
      List<? extends EdgeBlock> edges, IdRanges ranges, Random random) {
    try (Workers workers = new Workers(1)) {
      VertexIds all = VertexIdsBuilder.of(List.copyOf(edges), null, List.of(), workers).ids();
      long[] some =
          LongStream.range(0, all.size())
              .filter(v -> random.nextBoolean())
              .map(all::original)
              .toArray();
      VertexIds known = VertexIdsBuilder.of(List.of(), null, List.of(some), workers).ids();
      byte[] shard = new byte[some.length];
      for (int v = 0; v < shard.length; v++) {
        shard[v] = (byte) random.nextInt(ranges.shards());
      }
      return OwnerTable.of(known, shard, ranges);
    }
  }

  /** Each block as a source partition of its own. */
  static List<List<EdgeBlock>> partitions(List<? extends EdgeBlock> blocks) {
    List<List<EdgeBlock>> partitions = new ArrayList<>();
    blocks.forEach(block -> partitions.add(List.of(block)));
    return partitions;
  }

  /** As many edges as a usual parcel has: a source partition sends few parcels then. */
  public void sendLargeParcels() {
    windowEdges = 1 << 20;
    parcelEdges = 1 << 20;
  }

  /** Builds all shards; they are not connected yet. */
  public void build(List<List<EdgeBlock>> partitions, List<VertexBlock> vertices) {
    List<ShardBuilder> builders = builders(partitions, vertices, options);
    graphs = new ArrayList<>();
    builders.forEach(b -> graphs.add(b.build()));
  }

  /** Builders that have all parcels. */
  public List<ShardBuilder> builders(
      List<List<EdgeBlock>> partitions, List<VertexBlock> vertices, ShardBuilder.Options how) {
    List<Object> parcels = new ArrayList<>();
    for (int p = 0; p < partitions.size(); p++) {
      router(how).route(p, partitions.get(p).iterator()).forEachRemaining(parcels::add);
    }
    for (int p = 0; vertices != null && p < vertices.size(); p++) {
      router(how).routeVertices(p, vertices.get(p), null).forEachRemaining(parcels::add);
    }
    Collections.shuffle(parcels, random);
    List<ShardBuilder> builders = new ArrayList<>();
    for (int s = 0; s < owners.shards(); s++) {
      builders.add(new ShardBuilder(s, owners, how));
    }
    for (Object parcel : parcels) {
      if (parcel instanceof EdgeParcel e) {
        builders.get(e.shard()).add(e);
      } else {
        builders.get(((VertexParcel) parcel).shard()).add((VertexParcel) parcel);
      }
    }
    return builders;
  }

  public EdgeRouter router(ShardBuilder.Options how) {
    return new EdgeRouter(
        owners,
        how.outEdges(),
        how.edgeType(),
        BuildMemory.Reservation.NONE,
        windowEdges,
        parcelEdges);
  }

  /** The handshake, without attributes. */
  public void connect() {
    connect(null);
  }

  /**
   * The handshake.
   *
   * @param attributes by shard, by dense id; null: none
   */
  public void connect(List<Columns> attributes) {
    List<GhostHandshake> shakes = handshakes();
    List<GhostRequest> requests = new ArrayList<>();
    shakes.forEach(s -> s.requests().forEachRemaining(requests::add));
    Collections.shuffle(requests, random);
    List<GhostReply> replies = new ArrayList<>();
    for (GhostHandshake shake : shakes) {
      Iterator<GhostRequest> mine =
          requests.stream().filter(r -> r.home() == shake.shard()).iterator();
      shake
          .answer(mine, attributes == null ? null : attributes.get(shake.shard()))
          .forEachRemaining(replies::add);
    }
    accept(replies, attributes);
    long vertices = graphs.stream().mapToLong(ExecutorGraph::heldVertices).sum();
    shakes.forEach(s -> s.setVertexCount(vertices));
  }

  /** The shorter round: new attributes for ghosts. */
  public void tell(List<Columns> attributes) {
    List<GhostReply> replies = new ArrayList<>();
    for (GhostHandshake shake : handshakes()) {
      shake.tell(attributes.get(shake.shard())).forEachRemaining(replies::add);
    }
    accept(replies, attributes);
  }

  private void accept(List<GhostReply> replies, List<Columns> attributes) {
    Collections.shuffle(replies, random);
    for (GhostHandshake shake : handshakes()) {
      shake.accept(
          replies.stream().filter(r -> r.reader() == shake.shard()).iterator(),
          attributes == null ? null : attributes.get(shake.shard()));
    }
  }

  public List<GhostHandshake> handshakes() {
    return graphs.stream().map(g -> new GhostHandshake(g, messageGhosts)).toList();
  }
}
