package org.sparkgpugraph.engine.cpu.components;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.ComponentCases;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SpreadingCase;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.cpu.frame.RowBlocks;
import org.sparkgpugraph.graphs.model.GraphPartition;

/** Union-find on the CPU against a sequential one. */
@Tag("any-spark")
class CpuComponentsTest {
  private final CpuEngine engine = new CpuEngine();

  @Test
  void rootsAreTheSmallestOfTheirComponents() {
    for (int n : new int[] {2, 70, 1500}) {
      for (ComponentCases.Case one : ComponentCases.all(n, n)) {
        for (int threads : new int[] {1, 4}) {
          assertThat(engine.components(one.graph(), threads).roots())
              .as("%s of %d, %d threads", one.name(), n, threads)
              .isEqualTo(one.roots());
        }
        assertThat(engine.components(one.graph().withDegrees(), 3).roots())
            .as("%s of %d, degrees at hand", one.name(), n)
            .isEqualTo(one.roots());
        assertThat(engine.components(one.graph().withTransposes(), 2).roots())
            .as("%s of %d, edges by sources at hand", one.name(), n)
            .isEqualTo(one.roots());
      }
    }
  }

  /** Many blocks of rows and ranges of vertices, so that threads meet. */
  @Test
  void threadsThatRaceGiveTheSame() {
    for (ComponentCases.Case one : ComponentCases.of(8, 70_000, 1)) {
      for (SimpleGraph graph : List.of(one.graph(), one.graph().withDegrees())) {
        assertThat(engine.components(graph, 8).roots()).as(one.name()).isEqualTo(one.roots());
      }
    }
  }

  /** Members of what grows are of the hub's component; it is used where it is large. */
  @Test
  void treesGrowFromHubs() {
    int grown = 0;
    for (ComponentCases.Case one : ComponentCases.of(3, 3000, 1)) {
      GraphPartition partition = one.graph().partitions().get(0);
      RowBlocks blocks = new RowBlocks();
      blocks.add(0, partition.stored(), partition.inEdges().offsets(), null);
      blocks.order();
      GrownTree tree = GrownTree.of(partition, blocks);
      if (tree != null) {
        tree.begin();
        tree.grow(partition.inEdges(), 0, partition.stored());
        int component = one.roots()[tree.root()];
        int size = 0;
        for (int v = 0; v < partition.stored(); v++) {
          if ((tree.members()[v >>> 6] >>> v & 1) != 0) {
            size++;
            assertThat(one.roots()[v]).as("%s, vertex %s", one.name(), v).isEqualTo(component);
          }
        }
        assertThat(tree.isLarge()).as(one.name()).isEqualTo(8 * size >= partition.stored());
        grown += tree.isLarge() ? 1 : 0;
      }
    }
    assertThat(grown).isPositive();
  }

  /** A hub whose component has few of the vertices; another has most. */
  @Test
  void whatHasGrownLittleIsNotUsed() {
    int n = 3000;
    List<int[]> edges = new ArrayList<>();
    for (int v = n - 20; v < n; v++) {
      edges.add(new int[] {v, n / 2});
    }
    for (int v = 1; v < n - 20; v++) {
      if (v != n / 2) {
        edges.add(new int[] {v, v - 1 == n / 2 ? v - 2 : v - 1});
      }
    }
    SimpleGraph graph = SpreadingCase.graph(n, edges);
    GraphPartition partition = graph.partitions().get(0);
    RowBlocks blocks = new RowBlocks();
    blocks.add(0, n, partition.inEdges().offsets(), null);
    GrownTree tree = GrownTree.of(partition, blocks);
    tree.begin();
    tree.grow(partition.inEdges(), 0, n);
    assertThat(tree.isLarge()).isFalse();
    int[] roots = new int[n];
    Arrays.fill(roots, n - 20, n, n / 2);
    roots[n / 2] = n / 2;
    assertThat(engine.components(graph, 3).roots()).isEqualTo(roots);
    assertThat(engine.components(graph.withDegrees(), 3).roots()).isEqualTo(roots);
    assertThat(engine.components(graph.withTransposes(), 3).roots()).isEqualTo(roots);
  }

  /**
   * Sources that no edge goes to, far more than are kept at a time, in the rows of what has grown:
   * of smaller ids than all that has, and others that are no part of it.
   */
  @Test
  void manySourcesAreLinkedWithWhatHasGrown() {
    int n = 6000;
    int members = n / 2;
    int others = members - 10;
    List<int[]> edges = new ArrayList<>();
    for (int v = members; v < n - 1; v++) {
      edges.add(new int[] {v, n - 1});
      edges.add(new int[] {n - 1, v});
    }
    for (int v = 0; v < others; v++) {
      edges.add(new int[] {v, members + v / 2});
      edges.add(new int[] {v, n - 1 - v % 3});
    }
    for (int v = others; v < members - 1; v++) {
      edges.add(new int[] {v, v + 1});
    }
    SimpleGraph graph = SpreadingCase.graph(n, edges);
    int[] roots = new int[n];
    Arrays.fill(roots, others, members, others);
    for (int threads : new int[] {1, 3}) {
      assertThat(engine.components(graph, threads).roots()).isEqualTo(roots);
    }
    assertThat(engine.components(graph.withDegrees(), 3).roots()).isEqualTo(roots);
    assertThat(engine.components(graph.withTransposes(), 3).roots()).isEqualTo(roots);
  }

  /**
   * Some edges of one vertex end in what has grown, others outside of it: in rows of their own, in
   * one row several times, at the vertex itself.
   */
  @Test
  void edgesThatEndOutsideAreCounted() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int n = 100 + random.nextInt(200);
      List<int[]> edges = new ArrayList<>();
      for (int v = n / 2; v < n; v++) {
        edges.add(new int[] {v, n - 1});
        edges.add(new int[] {n - 1, v});
      }
      for (int i = random.nextInt(n / 2); i > 0; i--) {
        int source = random.nextInt(n / 4);
        int destination = random.nextInt(random.nextInt(8) == 0 ? n : n / 2);
        for (int copies = 1 + random.nextInt(3) / 2; copies > 0; copies--) {
          edges.add(new int[] {source, destination});
        }
      }
      SimpleGraph graph = SpreadingCase.graph(n, edges);
      int[] roots = engine.components(graph, 1).roots();
      assertThat(engine.components(graph.withDegrees(), 1 + seed % 3).roots())
          .as("seed %s", seed)
          .isEqualTo(roots);
    }
  }

  /** Without a vertex that many are next to, or with vertices that do not exist, none grows. */
  @Test
  void noTreeGrowsWithoutAHub() {
    for (ComponentCases.Case one : ComponentCases.of(3, 3000, 1)) {
      GraphPartition partition = one.graph().partitions().get(0);
      RowBlocks blocks = new RowBlocks();
      blocks.add(0, partition.stored(), partition.inEdges().offsets(), null);
      int[] offsets = partition.inEdges().offsets();
      int longest = 0;
      for (int v = 0; v < partition.stored(); v++) {
        longest = Math.max(longest, offsets[v + 1] - offsets[v]);
      }
      boolean hub = 256L * longest >= partition.stored() && partition.present() == null;
      boolean grows = GrownTree.of(partition, blocks) != null;
      assertThat(grows && !hub).as(one.name()).isFalse();
      if (one.name().equals("star")) {
        assertThat(grows).isTrue();
      }
    }
  }

  @Test
  void anInterruptEndsIt() {
    SimpleGraph graph = RandomSimpleGraphs.of(new Random(1), 50_000, 8, false, false, 1);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> engine.components(graph, 2)).isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
