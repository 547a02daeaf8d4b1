package org.sparkgpugraph.graphs.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.graphs.GraphInvariants;
import org.sparkgpugraph.graphs.GraphOracle;
import org.sparkgpugraph.graphs.RandomBlocks;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder.Options;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.NullValueException;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.rows.AscendingRows;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.testing.BoundedMemory;

@Tag("any-spark")
public class ExecutorGraphBuilderTest {
  private static final ValueType DOUBLE = new ValueType.Scalar(Kind.DOUBLE);

  /** Edges a vertex with which each of 4 blocks is worth a look for every source. */
  private static final int EDGES_TO_MERGE = 25;

  @ParameterizedTest
  @EnumSource(RandomBlocks.Ids.class)
  void equalsNaiveConstruction(RandomBlocks.Ids idKind) {
    PhaseTimes.start();
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      RandomBlocks.Form form = RandomBlocks.Form.values()[random.nextInt(3)];
      boolean ascending = seed % 2 == 0;
      int ids = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(ascending ? 30 : 60);
      int count = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(300);
      boolean values = random.nextBoolean();
      RandomBlocks blocks =
          new RandomBlocks(
              random,
              idKind,
              form,
              order(ascending),
              ids,
              ascending ? EDGES_TO_MERGE * ids + count : count,
              random.nextBoolean(),
              values);
      Options options =
          new Options(
              1 + random.nextInt(random.nextBoolean() ? 1 : 5),
              1 + random.nextInt(3),
              values ? DOUBLE : null,
              RowsMade.values()[random.nextInt(3)]);
      try {
        ExecutorGraph graph = ExecutorGraphBuilder.build(blocks.edges, blocks.vertices, options);
        GraphInvariants.check(graph);
        new GraphOracle(blocks.edges, blocks.vertices).assertSame(graph);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed + ", " + form + ", " + options, e);
      }
    }
    assertThat(merged()).as("rows that were made without sorting").isGreaterThan(20);
  }

  private static RandomBlocks.Order order(boolean ascending) {
    return ascending ? RandomBlocks.Order.BY_SOURCE : RandomBlocks.Order.ANY;
  }

  /** Since {@link PhaseTimes#start}: how often {@link AscendingRows} made rows. */
  public static int merged() {
    return PhaseTimes.stop().stream()
        .filter(p -> p.name().equals("rows: scatter"))
        .mapToInt(PhaseTimes.Phase::times)
        .sum();
  }

  /** Large enough that several threads take part and chunks have to meet inside a block. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void threadsDoNotChangeTheResult(boolean ascending) {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(7),
            RandomBlocks.Ids.GAPS,
            RandomBlocks.Form.LOCAL,
            order(ascending),
            2000,
            300_000,
            true,
            true);
    for (int partitions : new int[] {1, 3}) {
      ExecutorGraph one =
          ExecutorGraphBuilder.build(
              blocks.edges, blocks.vertices, new Options(partitions, 1, DOUBLE));
      ExecutorGraph four =
          ExecutorGraphBuilder.build(
              blocks.edges, blocks.vertices, new Options(partitions, 4, DOUBLE));
      for (int p = 0; p < partitions; p++) {
        assertSameArrays(one.partitions().get(p), four.partitions().get(p));
      }
    }
  }

  private static void assertSameArrays(GraphPartition a, GraphPartition b) {
    assertThat(b.inEdges().offsets()).isEqualTo(a.inEdges().offsets());
    assertThat(b.inEdges().neighbours()).isEqualTo(a.inEdges().neighbours());
    assertThat(b.inEdgeValues().doubles(0)).isEqualTo(a.inEdgeValues().doubles(0));
    assertThat(b.outEdges().neighbours()).isEqualTo(a.outEdges().neighbours());
    assertThat(b.outEdgeValues().doubles(0)).isEqualTo(a.outEdgeValues().doubles(0));
  }

  @Test
  void edgeValuesCanBeLoadedLater() {
    PhaseTimes.start();
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      boolean ascending = seed % 2 == 0;
      RandomBlocks blocks =
          new RandomBlocks(
              random,
              RandomBlocks.Ids.values()[random.nextInt(5)],
              RandomBlocks.Form.values()[random.nextInt(3)],
              order(ascending),
              40,
              ascending ? 40 * EDGES_TO_MERGE : 200,
              random.nextBoolean(),
              true);
      RowsMade rows = RowsMade.values()[random.nextInt(3)];
      ExecutorGraph graph =
          ExecutorGraphBuilder.build(
              blocks.edges, blocks.vertices, new Options(1 + random.nextInt(4), 2, null, rows));
      assertThat(graph.edgeType()).isNull();
      graph.partitions().forEach(p -> assertThat(p.outEdgeValues()).isNull());
      if (random.nextBoolean()) {
        graph.partitions().forEach(p -> assertThat(p.inEdges().neighbours()).isNotNull());
      }
      graph.loadEdgeValues(DOUBLE, blocks.edges);
      assertThat(graph.edgeType()).isEqualTo(DOUBLE);
      GraphInvariants.check(graph);
      new GraphOracle(blocks.edges, blocks.vertices).assertSame(graph);
    }
    assertThat(merged()).as("rows that were made without sorting").isGreaterThan(30);
  }

  /** They come with the rows where sources ascend; others count them when they are asked for. */
  @ParameterizedTest
  @EnumSource(RandomBlocks.Order.class)
  void outDegreesOfLaterRowsAreCountedOnce(RandomBlocks.Order order) {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(4),
            RandomBlocks.Ids.DENSE,
            RandomBlocks.Form.INT,
            order,
            100,
            10_000,
            false,
            false);
    ExecutorGraph graph =
        ExecutorGraphBuilder.build(blocks.edges, null, new Options(1, 2, null, RowsMade.LATER));
    GraphPartition partition = graph.partitions().get(0);
    int vertices = partition.stored();
    long before = graph.bytes();
    partition.inEdges().neighbours();
    long rows = 4L * (vertices + 1 + 10_000);
    boolean made = order == RandomBlocks.Order.BY_SOURCE;
    assertThat(graph.bytes() - before).isEqualTo(rows + (made ? 4L * vertices : 0));
    assertThat(partition.degrees(false)).hasSize(vertices);
    assertThat(graph.bytes() - before).isEqualTo(rows + 4L * vertices);
  }

  /** A source that is evaluated once more may deliver the same edges in another order. */
  @Test
  void valuesThatComeLaterMayComeInAnotherOrder() {
    Random random = new Random(5);
    int size = 50_000;
    int[] sources = new int[size];
    int[] destinations = new int[size];
    int[] order = new int[size];
    double[] values = new double[size];
    for (int e = 0; e < size; e++) {
      // No edge is there twice: those would keep the order in which they come.
      sources[e] = e / 50;
      destinations[e] = e % 50;
      values[e] = e;
      order[e] = e;
    }
    for (boolean shuffled : new boolean[] {false, true}) {
      for (int e = size - 1; shuffled && e > 0; e--) {
        int other = random.nextInt(e + 1);
        int swap = order[e];
        order[e] = order[other];
        order[other] = swap;
      }
      EdgeBlock first = new IntEdgeBlock(size, sources, destinations, null);
      EdgeBlock again =
          new IntEdgeBlock(
              size,
              Arrays.stream(order).map(e -> sources[e]).toArray(),
              Arrays.stream(order).map(e -> destinations[e]).toArray(),
              Arrays.stream(order).mapToDouble(e -> values[e]).toArray());
      ExecutorGraph graph =
          ExecutorGraphBuilder.build(List.of(first), null, new Options(1, 2, null, RowsMade.LATER));
      GraphPartition partition = graph.partitions().get(0);
      graph.loadEdgeValues(DOUBLE, List.of(again));
      assertThat(
              UnsortedEdges.of(partition).loaded() != null
                  && UnsortedEdges.of(partition).values(false) != null)
          .as("whether they wait beside the edges")
          .isEqualTo(!shuffled);
      double[] byDestination =
          IntStream.range(0, size).mapToDouble(e -> e % 1000 * 50 + e / 1000).toArray();
      assertThat(partition.inEdgeValues().doubles(0)).isEqualTo(byDestination);
      assertThat(partition.outEdgeValues().doubles(0)).isEqualTo(values);
    }
  }

  /** Blocks of int ids share a table over all ids. */
  @Test
  void tablesOfBlocksAreCountedOnce() {
    List<EdgeBlock> blocks = new ArrayList<>();
    int vertices = 10_000;
    for (int b = 0; b < 100; b++) {
      int block = b;
      // Not every id is there, or they would need no table.
      int[] ends = IntStream.range(0, 500).map(e -> 2 * ((e + block * 500) % vertices)).toArray();
      blocks.add(new IntEdgeBlock(500, ends, ends, null));
    }
    long ends = 8L * 500 * 100;
    for (RowsMade rows : new RowsMade[] {RowsMade.LATER, RowsMade.LATER_OF_OWN}) {
      ExecutorGraph graph = ExecutorGraphBuilder.build(blocks, null, new Options(1, 2, null, rows));
      UnsortedEdges unsorted = UnsortedEdges.of(graph.partitions().get(0));
      long owned = rows == RowsMade.LATER_OF_OWN ? ends : 0;
      assertThat(unsorted.loaded().blocks().get(0).map())
          .isNotNull()
          .isSameAs(unsorted.loaded().blocks().get(99).map());
      assertThat(unsorted.bytes(false))
          .isEqualTo(owned + 4L * unsorted.loaded().blocks().get(0).map().length)
          .isLessThan(3 * ends);
      graph.partitions().get(0).inEdges().neighbours();
      assertThat(unsorted.bytes(false)).isEqualTo(4L * (vertices + 1 + 500 * 100));
    }
  }

  @Test
  void otherBlocksAreRefusedAsValues() {
    IntEdgeBlock block = new IntEdgeBlock(1, new int[] {0}, new int[] {1}, new double[] {1});
    ExecutorGraph graph = ExecutorGraphBuilder.build(List.of(block), null, new Options(1, 1, null));
    assertThatThrownBy(() -> graph.loadEdgeValues(DOUBLE, List.of(block, block)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 edges")
        .hasMessageContaining("1");
  }

  @Test
  void reversedSwapsDirections() {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(3), RandomBlocks.Ids.GAPS, RandomBlocks.Form.INT, 30, 150, false, true);
    ExecutorGraph graph =
        ExecutorGraphBuilder.build(blocks.edges, blocks.vertices, new Options(3, 1, DOUBLE));
    ExecutorGraph reversed = graph.reversed();
    GraphInvariants.check(reversed);
    assertThat(reversed.partitions().get(1).inEdges())
        .isSameAs(graph.partitions().get(1).outEdges());
    assertThat(reversed.reversed()).isSameAs(graph);
  }

  @Test
  void maskedLeavesVerticesAndEdgesOut() {
    for (int seed = 0; seed < 20; seed++) {
      RandomBlocks blocks =
          new RandomBlocks(
              new Random(seed),
              RandomBlocks.Ids.HUGE,
              RandomBlocks.Form.GLOBAL,
              30,
              150,
              false,
              true);
      ExecutorGraph graph =
          ExecutorGraphBuilder.build(blocks.edges, null, new Options(1 + seed % 3, 1, DOUBLE));
      ExecutorGraph masked = graph.masked(id -> (id & 3) != 0, (s, d) -> (s + d & 4) == 0);
      GraphInvariants.check(masked);
      GraphOracle naive = new GraphOracle(blocks.edges, null);
      naive.vertices.removeIf(id -> (id & 3) == 0);
      naive.edges.removeIf(
          e ->
              (e.source() & 3) == 0
                  || (e.destination() & 3) == 0
                  || (e.source() + e.destination() & 4) != 0);
      naive.assertSame(masked);
      ExecutorGraph turned = graph.reversed().masked(null, (s, d) -> s < d);
      assertThat(turned.edgeCount()).isEqualTo(naiveCount(blocks, seed));
      GraphInvariants.check(turned);
    }
  }

  private static long naiveCount(RandomBlocks blocks, int seed) {
    return new GraphOracle(blocks.edges, null)
        .edges.stream().filter(e -> e.destination() < e.source()).count();
  }

  @Test
  void rangesHaveAboutTheSameNumberOfInEdges() {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(5),
            RandomBlocks.Ids.DENSE,
            RandomBlocks.Form.INT,
            10_000,
            40_000,
            false,
            false);
    ExecutorGraph graph = ExecutorGraphBuilder.build(blocks.edges, null, new Options(4, 1, null));
    for (GraphPartition partition : graph.partitions()) {
      assertThat(partition.inEdges().edges()).isBetween(9_000, 11_000);
    }
  }

  @Test
  void unusedDictionaryEntriesAreNoVertices() {
    LocalEdgeBlock block =
        new LocalEdgeBlock(1, new int[] {0}, new int[] {2}, new long[] {7, 8, 9}, null);
    ExecutorGraph graph = ExecutorGraphBuilder.build(List.of(block), null, new Options(1, 1, null));
    assertThat(graph.vertexCount()).isEqualTo(2);
    assertThat(graph.ids().dense(8)).isEqualTo(-1);
    LocalEdgeBlock wide =
        new LocalEdgeBlock(1, new int[] {0}, new int[] {2}, new long[] {-7, 8, 1L << 60}, null);
    assertThat(
            ExecutorGraphBuilder.build(List.of(wide), null, new Options(1, 1, null)).vertexCount())
        .isEqualTo(2);
  }

  @Test
  void emptyGraphs() {
    for (int partitions = 1; partitions < 4; partitions++) {
      ExecutorGraph none =
          ExecutorGraphBuilder.build(List.of(), List.of(), new Options(partitions, 2, null));
      GraphInvariants.check(none);
      assertThat(none.vertexCount()).isZero();
      ExecutorGraph isolated =
          ExecutorGraphBuilder.build(
              List.of(),
              List.of(new VertexBlock(new long[] {-5}, null)),
              new Options(partitions, 2, DOUBLE));
      GraphInvariants.check(isolated);
      assertThat(isolated.vertexCount()).isEqualTo(1);
    }
  }

  @Test
  void nullEdgeValueNamesTheEdge() {
    GlobalEdgeBlock block =
        new GlobalEdgeBlock(2, new long[] {3, 4}, new long[] {5, 6}, new Object[] {1.0, null});
    for (int partitions = 1; partitions < 3; partitions++) {
      Options options = new Options(partitions, 1, DOUBLE);
      assertThatThrownBy(() -> ExecutorGraphBuilder.build(List.of(block), null, options))
          .isInstanceOf(NullValueException.class)
          .hasMessageContaining("edge 4->6");
    }
  }

  /** Many blocks over the same arrays: more edges than fit, in no memory at all. */
  @Test
  void tooManyEdgesInAPartitionNameTheRemedy() {
    int size = 1 << 20;
    int[] zeros = new int[size];
    LocalEdgeBlock block = new LocalEdgeBlock(size, zeros, zeros, new long[] {0}, null);
    List<VertexBlock> vertices = List.of(new VertexBlock(new long[] {0}, null));
    assertThatThrownBy(
            () ->
                ExecutorGraphBuilder.build(
                    Collections.nCopies(2048, block), vertices, new Options(1, 1, null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2147483648 edges")
        .hasMessageContaining("use more than 1 partitions");
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> new Options(0, 1, null)).hasMessageContaining("0 partitions");
    assertThatThrownBy(() -> new Options(1, 0, null)).hasMessageContaining("0 threads");
  }

  /** Of both ways round together. */
  @Test
  void whatIsKeptBesideAGraphCountsWhereItHasRoom() {
    EdgeBlock block = new IntEdgeBlock(3, new int[] {0, 1, 2}, new int[] {1, 2, 0}, null);
    Options options = new Options(1, 1, null, RowsMade.NOW, () -> new BoundedMemory(1 << 20));
    ExecutorGraph graph = ExecutorGraphBuilder.build(List.of(block), List.of(), options);
    long before = graph.bytes();
    assertThat(graph.keep((1 << 20) + 1)).isFalse();
    assertThat(graph.bytes()).isEqualTo(before);
    assertThat(graph.keep(1 << 20)).isTrue();
    assertThat(graph.reversed().keep(1000)).isTrue();
    assertThat(graph.bytes()).isEqualTo(before + (1 << 20) + 1000);
    assertThat(graph.reversed().bytes()).isEqualTo(graph.bytes());
  }
}
