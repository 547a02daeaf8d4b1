package org.sparkgpugraph.graphs.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.graphs.RandomBlocks;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.shard.EdgeSample;

/** What a placement says that it spares is spared, and shards stay about equal. */
@Tag("any-spark")
class NeighbourPlacementTest {
  private static final long SEED = 20261126;
  private static final int SIDE = 60;
  private static final double IMBALANCE = 1.15;

  /** A lattice whose ids say nothing, edges in both directions. */
  private static List<EdgeBlock> lattice() {
    Random random = new Random(SEED);
    int[] id = new int[SIDE * SIDE];
    for (int v = 0; v < id.length; v++) {
      int other = random.nextInt(v + 1);
      id[v] = id[other];
      id[other] = v;
    }
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < id.length; v++) {
      for (int step : new int[] {1, SIDE}) {
        int to = v + step;
        if (to < id.length && (step > 1 || to % SIDE > 0)) {
          edges.add(new int[] {id[v], id[to]});
          edges.add(new int[] {id[to], id[v]});
        }
      }
    }
    return block(edges);
  }

  private static NeighbourPlacement place(
      List<EdgeBlock> blocks, VertexOwners ranges, boolean outEdges) {
    try (Workers workers = new Workers(1)) {
      return NeighbourPlacement.of(
          blocks, new PlacementRequest(ranges, outEdges, IMBALANCE, 0), workers);
    }
  }

  private static IdRanges ranges(List<EdgeBlock> blocks, int shards) {
    return EdgeSample.of(blocks.iterator(), SEED).split(shards, false);
  }

  /** Pairs of a vertex that hears something and another shard that reads it. */
  private static long updates(List<EdgeBlock> blocks, VertexOwners owners, boolean outEdges) {
    Set<Long> hearing = new HashSet<>();
    for (EdgeBlock block : blocks) {
      for (int e = 0; e < block.size(); e++) {
        hearing.add(block.destination(e));
      }
    }
    Set<List<Long>> pairs = new HashSet<>();
    for (EdgeBlock block : blocks) {
      for (int e = 0; e < block.size(); e++) {
        long from = block.source(e);
        long to = block.destination(e);
        if (owners.shardOf(from) != owners.shardOf(to)) {
          if (outEdges || hearing.contains(from)) {
            pairs.add(List.of(from, (long) owners.shardOf(to)));
          }
          if (outEdges) {
            pairs.add(List.of(to, (long) owners.shardOf(from)));
          }
        }
      }
    }
    return pairs.size();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void aShuffledLatticeIsFoundAgain(int shards) {
    List<EdgeBlock> blocks = lattice();
    IdRanges ranges = ranges(blocks, shards);
    for (boolean outEdges : new boolean[] {false, true}) {
      NeighbourPlacement placed = place(blocks, ranges, outEdges);
      assertThat(placed.before()).isEqualTo(updates(blocks, ranges, outEdges));
      assertThat(placed.after()).isEqualTo(updates(blocks, placed.table(), outEdges));
      assertThat(placed.after()).as("seed %d", SEED).isLessThan(placed.before() / 5);
      int[] held = new int[shards];
      for (int v = 0; v < SIDE * SIDE; v++) {
        held[placed.table().shardOf(v)]++;
      }
      assertThat(Arrays.stream(held).max().orElseThrow())
          .isLessThan((int) (1.2 * SIDE * SIDE / shards));
      assertThat(place(blocks, ranges, outEdges).table().words())
          .as("the same again")
          .isEqualTo(placed.table().words());
    }
  }

  /** Pairs of a vertex, whatever it hears, and another shard that reads it. */
  private static int ghosts(List<EdgeBlock> blocks, VertexOwners owners) {
    Set<List<Long>> pairs = new HashSet<>();
    for (EdgeBlock block : blocks) {
      for (int e = 0; e < block.size(); e++) {
        long shard = owners.shardOf(block.destination(e));
        if (owners.shardOf(block.source(e)) != shard) {
          pairs.add(List.of(block.source(e), shard));
        }
      }
    }
    return pairs.size();
  }

  private static List<EdgeBlock> block(List<int[]> edges) {
    int[] sources = edges.stream().mapToInt(e -> e[0]).toArray();
    int[] destinations = edges.stream().mapToInt(e -> e[1]).toArray();
    return List.of(new IntEdgeBlock(sources.length, sources, destinations, null));
  }

  /** Edges between ends of very different degrees, in both directions alike. */
  private static List<EdgeBlock> powerLaw() {
    Random random = new Random(SEED);
    List<int[]> edges = new ArrayList<>();
    for (int e = 0; e < 40_000; e++) {
      edges.add(
          new int[] {
            (int) (4000 * Math.pow(random.nextDouble(), 3)),
            (int) (4000 * Math.pow(random.nextDouble(), 3))
          });
    }
    return block(edges);
  }

  @Test
  void aShardHoldsNoMoreThanItMay() {
    List<EdgeBlock> blocks = powerLaw();
    IdRanges ranges = ranges(blocks, 4);
    long before = Long.MAX_VALUE;
    for (double imbalance : new double[] {1.03, 1.5}) {
      NeighbourPlacement placed;
      try (Workers workers = new Workers(2)) {
        placed =
            NeighbourPlacement.of(
                blocks, new PlacementRequest(ranges, false, imbalance, 0), workers);
      }
      int[] held = new int[4];
      Set<Long> ids = new HashSet<>();
      for (int e = 0; e < blocks.get(0).size(); e++) {
        held[placed.table().shardOf(blocks.get(0).destination(e))]++;
        ids.add(blocks.get(0).source(e));
        ids.add(blocks.get(0).destination(e));
      }
      ids.forEach(id -> held[placed.table().shardOf(id)]++);
      double share = (blocks.get(0).size() + ids.size()) / 4.0;
      double fullest = Arrays.stream(held).max().orElseThrow() / share;
      // A power law takes the room that there is.
      assertThat(fullest).as("seed %d", SEED).isBetween(imbalance > 1.1 ? 1.1 : 1, imbalance);
      assertThat(placed.after()).as("seed %d", SEED).isLessThan(before);
      before = placed.after();
    }
  }

  /** Users, whom no edge points at, stay beside the items that they point at. */
  @Test
  void sourcesThatHearNothingAreNotScattered() {
    Random random = new Random(SEED);
    int items = 400;
    List<int[]> edges = new ArrayList<>();
    // 11 ids for each item: its own and ten users, who have some of the next items, too.
    for (int i = 0; i < 11 * items; i++) {
      for (int k = 0; i % 11 > 0 && k < 10; k++) {
        int item = Math.min(items - 1, i / 11 + random.nextInt(4));
        edges.add(new int[] {i, 11 * item});
      }
    }
    for (int i = 0; i < items / 4; i++) {
      edges.add(new int[] {11 * random.nextInt(items), 11 * random.nextInt(items)});
    }
    List<EdgeBlock> blocks = block(edges);
    IdRanges ranges = ranges(blocks, 2);
    NeighbourPlacement placed = place(blocks, ranges, false);
    VertexOwners owners = placed.table() == null ? ranges : placed.table();
    assertThat(ghosts(blocks, owners))
        .as("seed %d", SEED)
        .isLessThanOrEqualTo(ghosts(blocks, ranges));
  }

  /** The same where there is much to spare: a lattice of items whose ids say nothing. */
  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void sourcesThatHearNothingFollowTheirReaders(int shards) {
    List<EdgeBlock> lattice = lattice();
    List<int[]> edges = new ArrayList<>();
    for (int e = 0; e < lattice.get(0).size(); e++) {
      int from = (int) lattice.get(0).source(e);
      int to = (int) lattice.get(0).destination(e);
      edges.add(new int[] {from, to});
      // Each item has three users, whose ids say nothing either, who have its neighbours.
      for (int user = 1; user <= 3; user++) {
        edges.add(new int[] {user * SIDE * SIDE + from, to});
      }
    }
    List<EdgeBlock> blocks = block(edges);
    NeighbourPlacement placed = place(blocks, ranges(blocks, shards), false);
    assertThat(placed.after()).as("seed %d", SEED).isLessThan(placed.before() / 5);
    // Each user has at most as many ghosts as its item.
    assertThat(ghosts(blocks, placed.table()))
        .as("seed %d", SEED)
        .isLessThanOrEqualTo((int) (4 * placed.after()));
  }

  @Test
  void anyGraphIsPlacedAsItIsTold() {
    int placedOnes = 0;
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      RandomBlocks drawn =
          new RandomBlocks(
              random,
              RandomBlocks.Ids.values()[seed % 5],
              RandomBlocks.Form.values()[random.nextInt(3)],
              RandomBlocks.Order.ANY,
              random.nextInt(60),
              random.nextInt(200),
              false,
              false);
      List<EdgeBlock> blocks = List.copyOf(drawn.edges);
      IdRanges ranges = ranges(blocks, 1 + random.nextInt(9));
      boolean outEdges = random.nextBoolean();
      NeighbourPlacement placed = place(blocks, ranges, outEdges);
      assertThat(placed.before()).as("seed %d", seed).isEqualTo(updates(blocks, ranges, outEdges));
      if (placed.table() != null) {
        placedOnes++;
        assertThat(placed.after())
            .as("seed %d", seed)
            .isEqualTo(updates(blocks, placed.table(), outEdges))
            .isLessThan(placed.before());
      }
    }
    assertThat(placedOnes).isGreaterThan(50);
  }

  /**
   * Values and partial messages: pairs of a vertex and another shard with a target that is no hub,
   * and of a hub and another shard with a source that hears something.
   */
  private static long exchanged(List<EdgeBlock> blocks, VertexOwners owners, int degree) {
    Map<Long, Integer> inDegrees = new HashMap<>();
    for (EdgeBlock block : blocks) {
      for (int e = 0; e < block.size(); e++) {
        inDegrees.merge(block.destination(e), 1, Integer::sum);
      }
    }
    Set<List<Long>> pairs = new HashSet<>();
    for (EdgeBlock block : blocks) {
      for (int e = 0; e < block.size(); e++) {
        long from = block.source(e);
        long to = block.destination(e);
        long fromShard = owners.shardOf(from);
        long toShard = owners.shardOf(to);
        if (fromShard != toShard && inDegrees.containsKey(from)) {
          boolean toHub = inDegrees.get(to) > degree;
          pairs.add(toHub ? List.of(to, fromShard, 1L) : List.of(from, toShard, 0L));
        }
      }
    }
    return pairs.size();
  }

  private static NeighbourPlacement place(
      List<EdgeBlock> blocks, VertexOwners ranges, double imbalance, int hubs) {
    try (Workers workers = new Workers(1)) {
      return NeighbourPlacement.of(
          blocks, new PlacementRequest(ranges, false, imbalance, hubs), workers);
    }
  }

  /** Never more than by ranges, by what is counted. */
  @Test
  void valuesAndPartialMessagesAreSparedTogether() {
    int placedOnes = 0;
    int withHubs = 0;
    for (int seed = 0; seed < 120; seed++) {
      Random random = new Random(seed);
      int vertices = 1 + random.nextInt(120);
      List<int[]> edges = new ArrayList<>();
      for (int e = random.nextInt(600); e >= 0; e--) {
        // Self-loops, parallel edges and vertices without in-edges among them.
        edges.add(
            new int[] {
              (int) (vertices * Math.pow(random.nextDouble(), 2)),
              (int) (vertices * Math.pow(random.nextDouble(), 1 + seed % 3))
            });
      }
      List<EdgeBlock> blocks = block(edges);
      IdRanges ranges = ranges(blocks, 1 + random.nextInt(9));
      int hubs = 1 + random.nextInt(20);
      NeighbourPlacement placed = place(blocks, ranges, IMBALANCE, hubs);
      String what = "seed %s, hubs above %s".formatted(seed, hubs);
      assertThat(placed.before()).as(what).isEqualTo(exchanged(blocks, ranges, hubs));
      withHubs += exchanged(blocks, ranges, hubs) < exchanged(blocks, ranges, 1 << 30) ? 1 : 0;
      if (placed.table() != null) {
        placedOnes++;
        assertThat(placed.after())
            .as(what)
            .isEqualTo(exchanged(blocks, placed.table(), hubs))
            .isLessThan(placed.before());
        assertThat(place(blocks, ranges, IMBALANCE, hubs).table().words())
            .as(what)
            .isEqualTo(placed.table().words());
      }
    }
    assertThat(placedOnes).isGreaterThan(40);
    assertThat(withHubs).isGreaterThan(40);
  }

  /** A recursive matrix (R-MAT) with 16 edges a vertex. */
  private static List<EdgeBlock> rmat(int scale) {
    Random random = new Random(SEED);
    List<int[]> edges = new ArrayList<>();
    for (int e = 0; e < 16 << scale; e++) {
      int from = 0;
      int to = 0;
      for (int bit = 0; bit < scale; bit++) {
        double part = random.nextDouble();
        from = 2 * from + (part < 0.76 ? 0 : 1);
        to = 2 * to + (part < 0.57 || part >= 0.76 && part < 0.95 ? 0 : 1);
      }
      edges.add(new int[] {from, to});
    }
    return block(edges);
  }

  /** Shards walk edges to hubs where their sources are. */
  @Test
  void aPowerLawGainsByItsHubsWithinWhatAShardMayHold() {
    List<EdgeBlock> blocks = rmat(12);
    EdgeBlock all = blocks.get(0);
    Map<Long, Integer> inDegrees = new HashMap<>();
    for (int e = 0; e < all.size(); e++) {
      inDegrees.merge(all.destination(e), 1, Integer::sum);
    }
    int hubs = 64;
    for (int shards : new int[] {2, 4, 8}) {
      IdRanges ranges = ranges(blocks, shards);
      NeighbourPlacement without = place(blocks, ranges, IMBALANCE, 0);
      NeighbourPlacement with = place(blocks, ranges, IMBALANCE, hubs);
      VertexOwners others = without.table() == null ? ranges : without.table();
      assertThat(with.table()).as("seed %d, %d shards", SEED, shards).isNotNull();
      assertThat(with.after())
          .as("seed %d, %d shards", SEED, shards)
          .isLessThan(without.after())
          .isLessThan(exchanged(blocks, others, hubs) * 9 / 10);
      long[] load = new long[shards];
      Set<Long> ids = new HashSet<>();
      for (int e = 0; e < all.size(); e++) {
        boolean toHub = inDegrees.get(all.destination(e)) > hubs;
        load[with.table().shardOf(toHub ? all.source(e) : all.destination(e))]++;
        ids.add(all.source(e));
        ids.add(all.destination(e));
      }
      ids.forEach(id -> load[with.table().shardOf(id)]++);
      assertThat(Arrays.stream(load).max().orElseThrow())
          .as("seed %d, %d shards", SEED, shards)
          .isLessThanOrEqualTo((long) (IMBALANCE * (all.size() + ids.size()) / shards));
    }
  }

  /** Where no vertex has so many in-edges. */
  @Test
  void whereThereAreNoHubsThePlacementIsWhatItIsWithoutThem() {
    List<EdgeBlock> blocks = lattice();
    IdRanges ranges = ranges(blocks, 3);
    assertThat(place(blocks, ranges, IMBALANCE, 5).table().words())
        .isEqualTo(place(blocks, ranges, IMBALANCE, 0).table().words());
  }

  @Test
  void whatCannotBePlacedIsRefused() {
    List<EdgeBlock> blocks = lattice();
    assertThatThrownBy(() -> place(blocks, new IdRanges(new long[64]), false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 64 shards");
    // Twice as many ends are more than an array has elements.
    List<EdgeBlock> many =
        Collections.nCopies(
            1 << 10, new IntEdgeBlock(1 << 20, new int[1 << 20], new int[1 << 20], null));
    assertThatThrownBy(() -> place(many, new IdRanges(new long[] {0}), false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 1073741816 edges");
    BuildMemory none =
        () ->
            new BuildMemory.Reservation() {
              @Override
              public void acquire(long bytes) {
                if (bytes > 1 << 18) {
                  throw new IllegalStateException(bytes + " bytes are too many");
                }
              }

              @Override
              public boolean hasRoom(long bytes) {
                return bytes <= 1 << 18;
              }

              @Override
              public void release(long bytes) {}

              @Override
              public void close() {}
            };
    PlacementRequest request = new PlacementRequest(ranges(blocks, 2), false, IMBALANCE, 0);
    try (Workers workers = new Workers(1, none)) {
      assertThatThrownBy(() -> NeighbourPlacement.of(blocks, request, workers))
          .hasMessageContaining("bytes are too many");
    }
  }
}
