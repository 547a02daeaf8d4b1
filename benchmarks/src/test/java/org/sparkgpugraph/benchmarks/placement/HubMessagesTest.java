package org.sparkgpugraph.benchmarks.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.placement.DirectedGraph;
import org.sparkgpugraph.graphs.placement.Nets;

/** The trial of hubs counts what it says, and the least there is is the least. */
@Tag("any-spark")
class HubMessagesTest {
  private static final long SEED = 20261127;

  /** Ends of very different degrees. */
  private static DirectedGraph powerLaw(Random random, int vertices, int edges) {
    return DirectedGraph.of(
        vertices,
        random.doubles(edges).mapToInt(x -> (int) (vertices * x * x)).toArray(),
        random.doubles(edges).mapToInt(x -> (int) (vertices * x * x * x)).toArray());
  }

  private static byte[] shards(Random random, int vertices, int shards) {
    byte[] shard = new byte[vertices];
    for (int v = 0; v < vertices; v++) {
      shard[v] = (byte) random.nextInt(shards);
    }
    return shard;
  }

  @Test
  void valuesAndPartialMessagesAreCountedByPairsOfShards() {
    Random random = new Random(SEED);
    DirectedGraph graph = powerLaw(random, 300, 3000);
    int[] degrees = graph.inDegrees();
    byte[] shard = shards(random, 300, 5);
    for (int degree : new int[] {5, 20, Integer.MAX_VALUE}) {
      Set<List<Integer>> values = new HashSet<>();
      Set<List<Integer>> partials = new HashSet<>();
      for (int v = 0; v < 300; v++) {
        for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
          int to = graph.targets()[e];
          if (degrees[v] > 0 && shard[v] != shard[to]) {
            if (degrees[to] > degree) {
              partials.add(List.of(to, (int) shard[v]));
            } else {
              values.add(List.of(v, (int) shard[to]));
            }
          }
        }
      }
      Nets nets = Nets.cut(graph, degree);
      HubMessages sent = HubMessages.of(nets, shard, 5);
      assertThat(nets.exchanged(shard, false)).isEqualTo(sent.all());
      assertThat(sent.values()).as("seed %d", SEED).isEqualTo(values.size());
      assertThat(sent.partials()).as("seed %d", SEED).isEqualTo(partials.size());
      int[] received = new int[5];
      values.forEach(pair -> received[pair.get(1)]++);
      partials.forEach(pair -> received[shard[pair.get(0)]]++);
      assertThat(received).contains((int) sent.most());
      assertThat(sent.mostInTree()).isBetween((sent.all() + 4) / 5, sent.all());
      assertThat(LeastCover.of(graph.ofHearing(), shard, 5))
          .as("seed %d", SEED)
          .isPositive()
          .isLessThan(sent.all());
    }
    assertThat(HubMessages.of(Nets.cut(graph, Integer.MAX_VALUE), shard, 5).all())
        .isEqualTo(graph.ofHearing().boundary(shard));
  }

  @Test
  void theLeastIsASmallestVertexCover() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      int vertices = 2 + random.nextInt(10);
      DirectedGraph graph = powerLaw(random, vertices, 1 + random.nextInt(25));
      byte[] shard = shards(random, vertices, 2);
      assertThat(LeastCover.of(graph, shard, 2))
          .as("seed %d", seed)
          .isEqualTo(smallestCover(graph, shard, 0) + smallestCover(graph, shard, 1));
    }
  }

  /** By trying all sets of vertices: of the edges from a shard to the other one. */
  private static int smallestCover(DirectedGraph graph, byte[] shard, int from) {
    int least = graph.vertices();
    for (int set = 0; set < 1 << graph.vertices(); set++) {
      boolean covers = true;
      for (int v = 0; v < graph.vertices() && covers; v++) {
        for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
          int to = graph.targets()[e];
          boolean between = shard[v] == from && shard[to] != from;
          covers &= !between || (set >> v & 1) != 0 || (set >> to & 1) != 0;
        }
      }
      least = covers ? Math.min(least, Integer.bitCount(set)) : least;
    }
    return least;
  }
}
