package org.sparkgpugraph.graphs.placement;

import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.rows.DenseBlocks;
import org.sparkgpugraph.graphs.rows.EdgeCounts;
import org.sparkgpugraph.graphs.rows.EdgeSequence;
import org.sparkgpugraph.graphs.rows.VertexIdsBuilder;

/**
 * A placement of vertices beside their neighbours, and what it spares: clusters on several levels
 * ({@link Partitioner#levels}), then moves that spare boundary updates; where clusters spare
 * little, as those of power laws do, the same moves from the ranges of ids are tried, too.
 *
 * <p>One thread, some million edges a second; beside the edges 44 bytes an edge of the heap (52
 * where shards hold out-edges), and 48 bytes a vertex with 4 more for each shard, and the ids.
 *
 * @param table who holds which vertices; null: other owners are as good
 * @param before boundary updates of a superstep that changes every vertex, by the other owners
 * @param after the same by what was found, however little that spares
 */
public record NeighbourPlacement(OwnerTable table, long before, long after)
    implements Serializable {
  /** Most shards that it places vertices on. */
  public static final int MOST_SHARDS = Partitioner.MOST_SHARDS;

  /** Most edges: both ends of each are in one array, which the JVM makes a little shorter. */
  public static final int MOST_EDGES = (1 << 30) - 8;

  /** With what others spare less than this a table and rows in another order are not worth it. */
  private static final double LEAST_GAIN = 1.1;

  /** Clusters that spare less than this are a power law's. */
  private static final double CLUSTERED = 2;

  private static final int PASSES = 4;

  private static final int EDGE_BYTES = 44;
  private static final int BOTH_WAYS_BYTES = 8;
  private static final int VERTEX_BYTES = 48;
  private static final int CUT_VERTEX_BYTES = 16;
  private static final int HUB_BYTES = 12;

  /**
   * Places the ends of edges.
   *
   * @param blocks all edges of the graph; the same in the same order give the same placement
   * @param request for whom they are placed
   * @param workers reserve what it takes
   * @throws IllegalArgumentException when there are more shards or edges than it can place
   * @throws RuntimeException what the workers' memory throws when there is not room enough
   */
  public static NeighbourPlacement of(
      List<EdgeBlock> blocks, PlacementRequest request, Workers workers) {
    VertexOwners others = request.others();
    boolean outEdges = request.outEdges();
    long edges = blocks.stream().mapToLong(EdgeBlock::size).sum();
    if (edges > MOST_EDGES || others.shards() > MOST_SHARDS) {
      throw new IllegalArgumentException(
          "vertices are placed by their neighbours in graphs of at most %s edges, on at most %s shards; here are %s on %s"
              .formatted(MOST_EDGES, MOST_SHARDS, edges, others.shards()));
    }
    if (edges == 0) {
      return new NeighbourPlacement(null, 0, 0);
    }
    long start = System.nanoTime();
    VertexIds ids = VertexIdsBuilder.of(blocks, null, List.of(), workers).ids();
    int size = Math.toIntExact(ids.size());
    boolean hubs = request.hubs() > 0;
    long mostHubs = hubs ? Math.min(size, edges / request.hubs()) : 0;
    workers.acquire(
        (EDGE_BYTES + (outEdges ? BOTH_WAYS_BYTES : 0)) * edges
            + (VERTEX_BYTES + (hubs ? CUT_VERTEX_BYTES : 0)) * (long) size
            + (long) Integer.BYTES * others.shards() * (size + 2 * mostHubs)
            + HUB_BYTES * mostHubs);
    DirectedGraph graph =
        graph(EdgeSequence.of(DenseBlocks.of(blocks, ids, workers)), size, workers);
    start = PhaseTimes.ended("placement: edges", start);
    byte[] ranges = new byte[size];
    for (int v = 0; v < size; v++) {
      ranges[v] = (byte) others.shardOf(ids.original(v));
    }
    WeightedGraph weighted = WeightedGraph.of(graph, outEdges);
    weighted = hubs ? weighted.with(Nets.loads(graph, request.hubs())) : weighted;
    Partitioner partitioner = new Partitioner(others.shards(), request.imbalance());
    byte[] clusters = partitioner.levels(weighted);
    start = PhaseTimes.ended("placement: clusters", start);
    // Only now: clusters take most of the memory.
    DirectedGraph read = outEdges && !hubs ? graph.bothWays() : graph;
    Nets nets = hubs ? Nets.cut(graph, request.hubs()) : Nets.of(read, read.reversed());
    long before = nets.exchanged(ranges, false);
    byte[] shard = moved(nets, weighted, clusters, ranges, partitioner);
    long after = nets.exchanged(shard, false);
    PhaseTimes.ended("placement: moves", start);
    // Nor may those that say nothing after they were told once have more ghosts for it.
    boolean worth =
        after * LEAST_GAIN < before && nets.exchanged(shard, true) <= nets.exchanged(ranges, true);
    return new NeighbourPlacement(worth ? OwnerTable.of(ids, shard, others) : null, before, after);
  }

  /**
   * Moves from clusters, and from ranges where those of clusters do not spare much.
   *
   * @param nets what shards tell each other
   * @param weighted the same edges, and what vertices take
   * @param clusters the shard of each vertex, by {@link Partitioner#levels}
   * @param ranges the same where vertices are otherwise
   * @return the same after all
   */
  public static byte[] moved(
      Nets nets, WeightedGraph weighted, byte[] clusters, byte[] ranges, Partitioner partitioner) {
    byte[] shard = partitioner.spareUpdates(nets, weighted, clusters, PASSES);
    long after = nets.exchanged(shard, false);
    // Moves that know of hubs may get further from ranges even where clusters gain much.
    if (nets.hubs() > 0 || after * CLUSTERED > nets.exchanged(ranges, false)) {
      byte[] others = partitioner.spareUpdates(nets, weighted, ranges, PASSES);
      return nets.exchanged(others, false) < after ? others : shard;
    }
    return shard;
  }

  /** Rows of out-edges. */
  private static DirectedGraph graph(EdgeSequence edges, int vertices, Workers workers) {
    int[] degrees = EdgeCounts.of(edges, false, 0, vertices, workers);
    int[] offsets = new int[vertices + 1];
    for (int v = 0; v < vertices; v++) {
      offsets[v + 1] = offsets[v] + degrees[v];
    }
    int[] sources = new int[EdgeSequence.CHUNK];
    int[] destinations = new int[EdgeSequence.CHUNK];
    int[] at = offsets.clone();
    int[] targets = new int[(int) edges.size()];
    for (long e = 0; e < edges.size(); e += EdgeSequence.CHUNK) {
      int count = (int) Math.min(EdgeSequence.CHUNK, edges.size() - e);
      edges.neighbours(e, count, sources);
      edges.rows(e, count, destinations, 0);
      for (int i = 0; i < count; i++) {
        targets[at[sources[i]]++] = destinations[i];
      }
    }
    return new DirectedGraph(vertices, offsets, targets);
  }
}
