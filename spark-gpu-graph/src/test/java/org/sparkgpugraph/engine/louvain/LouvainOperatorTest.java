package org.sparkgpugraph.engine.louvain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.louvain.LouvainOperator.Limits;
import org.sparkgpugraph.engine.louvain.LouvainTrial.Found;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.testing.LouvainOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.ShardGraphs;
import org.sparkgpugraph.testing.TestGraph;

/** The operator on graphs in one piece and in shards, against the plain formula. */
@Tag("any-spark")
class LouvainOperatorTest {
  private static final double ROUNDING = 1e-9;

  private static TestGraph<Double, Double> lattice(int side) {
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < side * side; v++) {
      if (v % side < side - 1) {
        edges.add(new int[] {v, v + 1});
      }
      if (v < side * (side - 1)) {
        edges.add(new int[] {v, v + side});
      }
    }
    return TestGraph.ofEdges("lattice", side * side, edges);
  }

  @Test
  void theSameHoweverItIsHeldAndAsGoodAsTold() {
    int distinct = 0;
    for (int trial = 0; trial < 84; trial++) {
      RandomGraphs.Shape shape = RandomGraphs.Shape.values()[trial % 14];
      Random random = new Random(trial);
      TestGraph<?, ?> edges = RandomGraphs.of(shape, trial);
      boolean[] present = trial % 3 == 2 ? new boolean[edges.vertexCount()] : null;
      for (int v = 0; present != null && v < present.length; v++) {
        present[v] = random.nextInt(5) > 0;
      }
      long seed = random.nextLong();
      SimpleGraph graph = LouvainTrial.graph(edges, new Random(seed), present, 1);
      LouvainOperator operator =
          new LouvainOperator(
              trial % 2 == 0,
              trial % 5 == 0 ? 0.6 : 1,
              10,
              trial % 4 * 1e-6,
              trial / 14 % 2 == 0,
              new Limits(trial / 28 == 0 ? 1 << 12 : 0, 0, 0));
      Found found = LouvainTrial.run(List.of(graph), operator, 1);
      String name = edges.name() + ", " + operator;
      double modularity = LouvainTrial.modularity(graph, operator, found.community());
      assertThat(found.told()[LouvainOperator.MODULARITY])
          .as(name)
          .isEqualTo(modularity, within(ROUNDING));
      Map<Long, Long> alone = new TreeMap<>();
      found.community().forEach((v, community) -> alone.put(v, v));
      assertThat(modularity)
          .as(name)
          .isGreaterThanOrEqualTo(LouvainTrial.modularity(graph, operator, alone) - ROUNDING);
      Map<Long, Long> smallest = new TreeMap<>();
      found.community().forEach((v, community) -> smallest.merge(community, v, Math::min));
      smallest.forEach((community, v) -> assertThat(v).as(name).isEqualTo(community));
      distinct += smallest.size();
      int partitions = Math.max(1, Math.min(3, graph.ids.length));
      SimpleGraph cut = LouvainTrial.graph(edges, new Random(seed), present, partitions);
      check(name + " on threads", LouvainTrial.run(List.of(cut), operator, 2), found);
      if (partitions > 1) {
        for (int[] most : new int[][] {{0, 0}, {8, 1 << 20}, {1 << 17, 30}, {1 << 17, 1 << 25}}) {
          LouvainOperator spread =
              new LouvainOperator(
                  operator.weighted(),
                  operator.gamma(),
                  10,
                  operator.minGain(),
                  operator.refine(),
                  new Limits(operator.limits().inOrder(), most[0], most[1]));
          List<ExecutorGraph> shards =
              ShardGraphs.split(cut, IntStream.range(1, partitions).toArray());
          check(
              name + " on shards, " + Arrays.toString(most),
              LouvainTrial.run(shards, spread, 1),
              found);
        }
      }
    }
    assertThat(distinct).isGreaterThan(500);
  }

  private static void check(String name, Found actual, Found expected) {
    assertThat(actual.community()).as(name).isEqualTo(expected.community());
    assertThat(actual.told()).as(name).isEqualTo(expected.told());
  }

  /** So large that the threads share each kind of work, on one executor and on several. */
  @Test
  void theSameOnAnyNumberOfThreads() {
    theSameOnAnyNumberOfThreads(false, 0);
    theSameOnAnyNumberOfThreads(true, 0);
    theSameOnAnyNumberOfThreads(true, 1 << 12);
  }

  private static void theSameOnAnyNumberOfThreads(boolean refine, int inOrder) {
    TestGraph<?, ?> planted = RandomGraphs.planted(400, 50, 4, 1);
    SimpleGraph graph = LouvainTrial.graph(planted, new Random(1), null, 1);
    LouvainOperator operator =
        new LouvainOperator(true, 1, 10, 0, refine, new Limits(inOrder, 0, 0));
    Found found = LouvainTrial.run(List.of(graph), operator, 1);
    assertThat(found.told()[LouvainOperator.LEVELS]).isGreaterThan(1);
    assertThat(found.told()[LouvainOperator.COMMUNITIES]).isBetween(100.0, 500.0);
    assertThat(found.told()[LouvainOperator.MODULARITY])
        .isEqualTo(LouvainTrial.modularity(graph, operator, found.community()), within(ROUNDING));
    check("on threads", LouvainTrial.run(List.of(graph), operator, 4), found);
    SimpleGraph cut = LouvainTrial.graph(planted, new Random(1), null, 2);
    check("on shards", LouvainTrial.run(ShardGraphs.split(cut, 1), operator, 4), found);
  }

  @Test
  void nearlyAsGoodAsOneVertexAfterTheOther() {
    for (TestGraph<?, ?> each : List.of(lattice(60), RandomGraphs.planted(60, 40, 4, 2))) {
      double expected =
          LouvainOracle.modularity(
              each.sources(),
              each.destinations(),
              DoubleStream.generate(() -> 1).limit(each.edgeCount()).toArray(),
              1,
              LouvainOracle.communities(each.vertexCount(), each.sources(), each.destinations()));
      assertThat(expected).isGreaterThan(0.5);
      for (boolean refine : new boolean[] {false, true}) {
        for (int inOrder : new int[] {0, 1 << 12}) {
          LouvainOperator operator =
              new LouvainOperator(false, 1, 100, 1e-6, refine, new Limits(inOrder, 0, 0));
          SimpleGraph graph = LouvainTrial.graph(each, new Random(1), null, 1);
          assertThat(
                  LouvainTrial.run(List.of(graph), operator, 2).told()[LouvainOperator.MODULARITY])
              .as(each.name() + ", " + operator)
              .isGreaterThanOrEqualTo(expected - 0.02);
        }
      }
    }
  }

  /** A level of few vertices with many connections stays where it is. */
  @Test
  void oneShardAloneIsGivenFewEdges() {
    TestGraph<?, ?> planted = RandomGraphs.planted(10, 20, 8, 1);
    List<ExecutorGraph> shards =
        ShardGraphs.split(LouvainTrial.graph(planted, new Random(1), null, 2), 1);
    long edges = planted.edgeCount();
    LouvainOperator few =
        new LouvainOperator(false, 1, 10, 0, false, new Limits(0, 1 << 17, 2 * edges));
    assertThat(LouvainTrial.run(shards, few, 1).edgesOfOthers()).isZero();
    LouvainOperator many =
        new LouvainOperator(false, 1, 10, 0, false, new Limits(0, 1 << 17, 2 * edges - 1));
    Found first = LouvainTrial.run(shards, many, 1);
    assertThat(first.edgesOfOthers()).isPositive();
    LouvainOperator never = new LouvainOperator(false, 1, 10, 0, false, new Limits(0, 1 << 17, 0));
    Found all = LouvainTrial.run(shards, never, 1);
    assertThat(all.edgesOfOthers()).isGreaterThan(first.edgesOfOthers());
    check("later levels too", all, first);
    OperatorInput reserved = new OperatorInput(shards.get(0), null, new CpuEngine(), 1, 0, 2);
    assertThat(few.heapBytes(reserved) - never.heapBytes(reserved)).isPositive();
  }

  /** Rows that travel in several parcels, with empty ones between them and chunks of both sides. */
  @Test
  void rowsTravelInManyParcels() {
    Random random = new Random(8);
    int count = 1000;
    long[][] between = new long[count][count];
    CoarseRows.Chunk[] chunks = new CoarseRows.Chunk[CoarseRows.chunks(count)];
    for (int i = 0; i < chunks.length; i++) {
      int rows = Math.min(CoarseRows.CHUNK, count - i * CoarseRows.CHUNK);
      int[] offsets = new int[rows + 1];
      int[] neighbours = new int[3 * rows];
      long[] weights = new long[3 * rows];
      for (int r = 0; r < rows; r++) {
        int size = random.nextInt(3) == 0 ? 3 : 0;
        int at = offsets[r];
        offsets[r + 1] = at + size;
        for (int e = at; e < at + size; e++) {
          neighbours[e] = (i * CoarseRows.CHUNK + r + 1 + e - at) % count;
          weights[e] = 1 + random.nextLong() >>> 4;
          between[i * CoarseRows.CHUNK + r][neighbours[e]] = weights[e];
        }
      }
      chunks[i] = new CoarseRows.Chunk(offsets, neighbours, weights);
    }
    CoarseRows rows = new CoarseRows(0, count, chunks);
    List<Parcel> parcels = Coarsening.parcels(rows, 300, 900, 1, 500);
    assertThat(parcels).hasSizeGreaterThan(5);
    try (WorkerTeam team = new WorkerTeam("test", 2)) {
      Coarsening coarsening = new Coarsening(team, LocalMoving.Tools.of(2));
      CoarseRows joined = coarsening.joined(rows, parcels, 300, 900);
      NeighbourRow row = new NeighbourRow();
      for (int c = 300; c < 900; c++) {
        joined.load(c, row);
        long[] sums = new long[count];
        for (int i = 0; i < row.size; i++) {
          sums[row.neighbours[i]] += row.weight(i);
        }
        // Once of its own and once told.
        assertThat(sums).isEqualTo(Arrays.stream(between[c]).map(weight -> 2 * weight).toArray());
      }
    }
  }

  /** Keys that meet in the table, more of them than it was made for. */
  @Test
  void tablesGrowAndAreReused() {
    WeightTable table = new WeightTable();
    Random random = new Random(5);
    for (int row = 0; row < 20; row++) {
      table.reset(row % 2 == 0 ? 0 : 100);
      Map<Integer, Long> sums = new TreeMap<>();
      for (int i = 0; i < 1 << row % 14; i++) {
        int key = random.nextInt(1 << random.nextInt(30));
        table.add(key, i);
        sums.merge(key, (long) i, Long::sum);
      }
      Map<Integer, Long> actual = new TreeMap<>();
      for (int i = 0; i < table.size(); i++) {
        actual.put(table.key(i), table.sumAt(i));
      }
      assertThat(actual).isEqualTo(sums);
      assertThat(table.sum(1 << 30)).isZero();
    }
  }

  @Test
  void weightsThatCannotBeAddedAreRefused() {
    for (double weight : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      SimpleGraph graph =
          new SimpleGraph(
              new long[] {10, 20},
              null,
              new int[] {0},
              new int[] {1},
              new Columns(List.of(Kind.DOUBLE), new Object[] {new double[] {weight}}, 1));
      assertThatThrownBy(
              () ->
                  LouvainTrial.run(
                      List.of(graph), new LouvainOperator(true, 1, 10, 0, false, Limits.USUAL), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the weight of edge 10 → 20 is " + weight);
      assertThat(
              LouvainTrial.run(
                      List.of(graph), new LouvainOperator(false, 1, 10, 0, false, Limits.USUAL), 1)
                  .community())
          .isEqualTo(Map.of(10L, 10L, 20L, 10L));
    }
  }
}
