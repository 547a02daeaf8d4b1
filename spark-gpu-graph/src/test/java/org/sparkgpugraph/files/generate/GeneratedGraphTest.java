package org.sparkgpugraph.files.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.files.LocalSpark;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.runtime.load.KnownEdges;

/** R-MAT and lattices. */
@Tag("any-spark")
class GeneratedGraphTest {
  private static List<String> sequential(GeneratedGraph graph, boolean weighted) {
    List<String> edges = new ArrayList<>();
    Iterator<EdgeBlock> blocks = graph.blocks(0, graph.items(), 1, weighted, false);
    blocks.forEachRemaining(block -> edges.addAll(LocalSpark.edges(block)));
    return edges;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16})
  void edgesDoNotDependOnPartitions(int partitions) {
    for (GeneratedGraph graph : List.of(new RmatGraph(9, 7, 5), new LatticeGraph(13, 29, 5))) {
      assertThat(LocalSpark.edges(graph.edges(LocalSpark.context(), partitions, true, false)))
          .isEqualTo(sequential(graph, true))
          .hasSize((int) graph.edges());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16})
  void slicesInOrderAreTheGraph(int slices) {
    for (GeneratedGraph graph : List.of(new RmatGraph(9, 7, 5), new LatticeGraph(13, 29, 5))) {
      List<String> edges = new ArrayList<>();
      for (int slice = 0; slice < slices; slice++) {
        graph
            .slice(slice, slices, true, false)
            .forEachRemaining(block -> edges.addAll(LocalSpark.edges(block)));
      }
      assertThat(edges).isEqualTo(sequential(graph, true));
    }
  }

  /** They are edges of the graph, about the share that they say, and the same for any slices. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100})
  void someEdgesStandForAll(int partitions) {
    for (GeneratedGraph graph :
        List.of(new RmatGraph(17, 16, 5), new LatticeGraph(1100, 1100, 5))) {
      KnownEdges.Probes probes =
          KnownEdges.probes(graph.edges(LocalSpark.context(), partitions, true, false));
      long step = graph.items() / (1 << 18) | 1;
      assertThat(probes.share()).isEqualTo(1.0 / step).isLessThan(0.3);
      List<String> every = edges(graph, 0, graph.items(), step);
      assertThat(LocalSpark.edges(probes.blocks())).isEqualTo(every);
      // These are the edges of the items that they should be.
      int items = 200;
      List<String> first = new ArrayList<>();
      for (int i = 0; i < items; i++) {
        first.addAll(edges(graph, i * step, i * step + 1, 1));
      }
      assertThat(every.subList(0, first.size())).isEqualTo(first);
      assertThat(every.size() / probes.share())
          .isCloseTo(graph.edges(), within(graph.edges() / 100.0));
    }
  }

  private static List<String> edges(GeneratedGraph graph, long from, long to, long step) {
    List<String> edges = new ArrayList<>();
    graph
        .blocks(from, to, step, true, false)
        .forEachRemaining(block -> edges.addAll(LocalSpark.edges(block)));
    return edges;
  }

  @Test
  void ofFewEdgesAllStandForAll() {
    JavaRDD<EdgeBlock> edges = new RmatGraph(12, 4, 5).edges(LocalSpark.context(), 3, false, false);
    assertThat(KnownEdges.probes(edges)).isEqualTo(new KnownEdges.Probes(edges, 1));
  }

  @Test
  void edgesDependOnSeedAndNotOnWeights() {
    List<String> edges = sequential(new RmatGraph(8, 4, 1), false);
    assertThat(sequential(new RmatGraph(8, 4, 2), false)).isNotEqualTo(edges);
    assertThat(
            sequential(new RmatGraph(8, 4, 1), true).stream()
                .map(edge -> edge.substring(0, edge.indexOf(':'))))
        .isEqualTo(edges);
  }

  /** So that a graph named in a report stays that graph. */
  @Test
  void edgesArePinned() {
    assertThat(sequential(new RmatGraph(20, 1, 1), true).subList(0, 4))
        .containsExactly(
            "416993>196326:82.0", "928399>40619:111.0", "563990>307243:36.0", "354713>144869:51.0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 12})
  void scramblingIsABijection(int scale) {
    RmatGraph graph = new RmatGraph(scale, 1, 3);
    long[] ids = new long[1 << scale];
    Arrays.setAll(ids, graph::scrambled);
    Arrays.sort(ids);
    for (int id = 0; id < ids.length; id++) {
      assertThat(ids[id]).isEqualTo(id);
    }
  }

  /**
   * Each level picks the lower half with probability c + d = 0.24, so a fraction 0.76^scale of the
   * edges leaves the vertex with the largest expected degree; and 0.57^scale of them are its
   * self-loops.
   */
  @Test
  void rmatHasTheProbabilitiesOfItsParameters() {
    int scale = 8;
    RmatGraph graph = new RmatGraph(scale, 512, 11);
    Map<String, Integer> out = new HashMap<>();
    Map<String, Integer> in = new HashMap<>();
    int loops = 0;
    String hub = Long.toString(graph.scrambled(0));
    for (String edge : sequential(graph, false)) {
      String[] ends = edge.split(">");
      out.merge(ends[0], 1, Integer::sum);
      in.merge(ends[1], 1, Integer::sum);
      if (ends[0].equals(hub) && ends[1].equals(hub)) {
        loops++;
      }
    }
    double edges = graph.edges();
    // Standard deviations are about 0.0009 and 0.0003.
    assertThat(out.get(hub) / edges).isBetween(0.1113 - 0.005, 0.1113 + 0.005);
    assertThat(in.get(hub) / edges).isBetween(0.1113 - 0.005, 0.1113 + 0.005);
    assertThat(loops / edges).isBetween(0.01114 - 0.0015, 0.01114 + 0.0015);
    assertThat(out.keySet()).hasSizeBetween(200, 256);
  }

  @Test
  void weightsAreUniformIntegersUpTo255() {
    int[] counts = new int[256];
    GeneratedGraph graph = new RmatGraph(12, 16, 1);
    for (String edge : sequential(graph, true)) {
      double weight = Double.parseDouble(edge.substring(edge.indexOf(':') + 1));
      assertThat(weight).isEqualTo((int) weight).isBetween(1.0, 255.0);
      counts[(int) weight]++;
    }
    // 257 expected, standard deviation 16.
    for (int weight = 1; weight < 256; weight++) {
      assertThat(counts[weight]).as("weight %d", weight).isBetween(177, 337);
    }
  }

  @Test
  void latticeIsSymmetricWithItsWeights() {
    List<String> edges = sequential(new LatticeGraph(5, 7, 2), true);
    assertThat(edges).hasSize(2 * (4 * 7 + 5 * 6)).doesNotHaveDuplicates();
    for (String edge : edges) {
      String[] parts = edge.split("[>:]");
      assertThat(edges).contains(parts[1] + ">" + parts[0] + ":" + parts[2]);
    }
  }

  @Test
  void latticeOfOneVertexHasNoEdges() {
    assertThat(sequential(new LatticeGraph(1, 1, 2), true)).isEmpty();
    assertThat(
            LocalSpark.edges(new LatticeGraph(1, 1, 2).edges(LocalSpark.context(), 4, true, false)))
        .isEmpty();
    assertThat(sequential(new LatticeGraph(1, 3, 2), false))
        .containsExactly("0>1", "1>0", "1>2", "2>1");
  }

  @Test
  void undirectedKeepsTheWeight() {
    List<String> edges =
        LocalSpark.edges(new RmatGraph(4, 2, 1).edges(LocalSpark.context(), 2, true, true));
    assertThat(edges).hasSize(64);
    for (int i = 0; i < edges.size(); i += 2) {
      String[] there = edges.get(i).split("[>:]");
      assertThat(edges.get(i + 1)).isEqualTo(there[1] + ">" + there[0] + ":" + there[2]);
    }
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertThatThrownBy(() -> new RmatGraph(37, 16, 1))
        .hasMessage("the R-MAT scale must be 0 to 36 (2^scale vertices), not 37");
    assertThatThrownBy(() -> new RmatGraph(-1, 16, 1)).isInstanceOf(BadInputException.class);
    assertThatThrownBy(() -> new RmatGraph(1, 0, 1))
        .hasMessage("the edge factor must be 1 to 512 (edges per vertex), not 0");
    assertThatThrownBy(() -> new LatticeGraph(0, 1, 1)).isInstanceOf(BadInputException.class);
  }
}
