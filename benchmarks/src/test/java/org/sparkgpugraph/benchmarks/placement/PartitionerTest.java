package org.sparkgpugraph.benchmarks.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.placement.DirectedGraph;
import org.sparkgpugraph.graphs.placement.Nets;
import org.sparkgpugraph.graphs.placement.Partitioner;
import org.sparkgpugraph.graphs.placement.WeightedGraph;

/**
 * The trial's partitioners: shards are full to the bound at most, and updates are counted right.
 */
@Tag("any-spark")
class PartitionerTest {
  private static final long SEED = 20261126;
  private static final int SIDE = 48;
  private static final double IMBALANCE = 1.1;

  private static DirectedGraph lattice() {
    int[] sources = new int[4 * SIDE * SIDE];
    int[] destinations = new int[sources.length];
    int edges = 0;
    for (int v = 0; v < SIDE * SIDE; v++) {
      if (v % SIDE > 0) {
        sources[edges] = v;
        destinations[edges++] = v - 1;
        sources[edges] = v - 1;
        destinations[edges++] = v;
      }
      if (v >= SIDE) {
        sources[edges] = v;
        destinations[edges++] = v - SIDE;
        sources[edges] = v - SIDE;
        destinations[edges++] = v;
      }
    }
    return DirectedGraph.of(
        SIDE * SIDE, Arrays.copyOf(sources, edges), Arrays.copyOf(destinations, edges));
  }

  private static Map<String, byte[]> placements(DirectedGraph graph, int shards) {
    WeightedGraph weighted = WeightedGraph.of(graph, false);
    Partitioner ways = new Partitioner(shards, IMBALANCE);
    Map<String, byte[]> all = new LinkedHashMap<>();
    all.put("ranges", ways.ranges(weighted));
    all.put("greedy", ways.greedy(weighted, 3));
    all.put("breadth-first", ways.breadthFirst(weighted));
    all.put("levels", ways.levels(weighted));
    all.put(
        "updates",
        ways.spareUpdates(Nets.of(graph, graph.reversed()), weighted, all.get("ranges"), 15));
    return all;
  }

  @Test
  void updatesAreThePairsOfAVertexAndAnotherShardThatReadsIt() {
    Random random = new Random(SEED);
    int vertices = 300;
    int edges = 2000;
    int[] sources = random.ints(edges, 0, vertices).toArray();
    int[] destinations = random.ints(edges, 0, vertices).toArray();
    byte[] shard = new byte[vertices];
    for (int v = 0; v < vertices; v++) {
      shard[v] = (byte) random.nextInt(5);
    }
    Set<Integer> pairs = new HashSet<>();
    for (int e = 0; e < edges; e++) {
      if (shard[sources[e]] != shard[destinations[e]]) {
        pairs.add(sources[e] * 5 + shard[destinations[e]]);
      }
    }
    assertThat(DirectedGraph.of(vertices, sources, destinations).boundary(shard))
        .as("seed %d", SEED)
        .isEqualTo(pairs.size());
  }

  @Test
  void aLatticeIsCutInRowsByRangesAndFoundAgainByNeighbours() {
    int shards = 4;
    DirectedGraph ordered = lattice();
    assertThat(ordered.boundary(placements(ordered, shards).get("ranges")))
        .isLessThanOrEqualTo(2L * (shards - 1) * (SIDE + 1));
    DirectedGraph shuffled = PlacementTrial.shuffled(ordered, SEED);
    Map<String, byte[]> placements = placements(shuffled, shards);
    long ranges = shuffled.boundary(placements.get("ranges"));
    assertThat(ranges).isGreaterThan(SIDE * SIDE);
    assertThat(shuffled.boundary(placements.get("levels"))).isLessThan(ranges / 8);
    assertThat(shuffled.boundary(placements.get("breadth-first"))).isLessThan(ranges / 8);
    assertThat(shuffled.boundary(placements.get("updates"))).isLessThan(ranges * 2 / 3);
  }

  @Test
  void noShardIsFullerThanItMayBe() {
    DirectedGraph web = WebGraph.of(4096, 8, SEED);
    for (DirectedGraph graph : new DirectedGraph[] {web, PlacementTrial.shuffled(web, SEED)}) {
      WeightedGraph weighted = WeightedGraph.of(graph, false);
      long most = Arrays.stream(weighted.load()).max().orElseThrow();
      for (int shards : new int[] {2, 7}) {
        placements(graph, shards)
            .forEach(
                (way, shard) -> {
                  long[] held = new Partitioner(shards, IMBALANCE).held(weighted, shard);
                  assertThat(Arrays.stream(held).max().orElseThrow())
                      .as("%s, %d shards, seed %d", way, shards, SEED)
                      .isLessThanOrEqualTo(
                          (long) (IMBALANCE * weighted.totalLoad() / shards) + most);
                });
      }
    }
  }

  @Test
  void contractionKeepsLoadsAndTheWeightBetweenClusters() {
    WeightedGraph graph = WeightedGraph.of(WebGraph.of(2000, 6, SEED), false);
    Random random = new Random(SEED);
    int[] cluster = random.ints(graph.vertices(), 0, 40).toArray();
    WeightedGraph contracted = graph.contracted(cluster, 40);
    assertThat(contracted.totalLoad()).isEqualTo(graph.totalLoad());
    long between = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
        between += cluster[v] == cluster[graph.neighbours()[e]] ? 0 : 1;
      }
    }
    assertThat(Arrays.stream(contracted.weights()).asLongStream().sum()).isEqualTo(between);
  }
}
