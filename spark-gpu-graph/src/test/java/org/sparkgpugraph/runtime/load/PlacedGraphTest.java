package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskKilledException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.ConnectedComponents;
import org.sparkgpugraph.algorithm.Louvain;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.algorithm.ShortestPaths;
import org.sparkgpugraph.algorithm.TriangleCount;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.placement.OwnerTable;
import org.sparkgpugraph.graphs.placement.PlacementRequest;
import org.sparkgpugraph.graphs.shard.EdgeParcel;
import org.sparkgpugraph.graphs.shard.EdgeRouter;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.serial.TaskResult;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.Warnings;

/** Graphs whose vertices sit beside their neighbours give what those in ranges of ids give. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class PlacedGraphTest {
  private static final String KEY = "spark.gpugraph.placement";
  private static final String IMBALANCE = "spark.gpugraph.placement.imbalance";
  private static final String HUBS = "spark.gpugraph.exchange.hubs";
  private static final String FRACTION = "spark.gpugraph.memoryFraction";
  private static final String MOST_RESULTS = "spark.driver.maxResultSize";
  private static final String EDGES = "spark.gpugraph.memory.edges";
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
  private static final int SHARDS = 3;
  private static final long SEED = 20261126;

  private final JavaSparkContext sc;

  PlacedGraphTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  @AfterEach
  void reset() throws InterruptedException {
    sc.setLocalProperty(KEY, null);
    sc.setLocalProperty(IMBALANCE, null);
    sc.setLocalProperty(HUBS, null);
    for (String setting : new String[] {FRACTION, MOST_RESULTS, EDGES}) {
      SparkEnv.get().conf().remove(setting);
    }
    // Tasks of a job that has failed end a little later.
    for (int i = 0; i < 100 && ExecutorRegistry.buildBytes() > 0; i++) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(ExecutorRegistry.buildBytes()).isZero();
  }

  private ResidentGraph<?, ?> load(TestGraph<?, ?> test, String placement) {
    List<EdgeBlock> blocks = new ArrayList<>();
    for (int b = 0; b < SHARDS; b++) {
      int from = test.edgeCount() * b / SHARDS;
      int to = test.edgeCount() * (b + 1) / SHARDS;
      blocks.add(
          new GlobalEdgeBlock(
              to - from,
              Arrays.copyOfRange(test.sources(), from, to),
              Arrays.copyOfRange(test.destinations(), from, to),
              null));
    }
    // One partition more than there are blocks.
    JavaRDD<EdgeBlock> edges = sc.parallelize(blocks, SHARDS + 1);
    JavaRDD<VertexBlock> vertices =
        sc.parallelize(List.of(new VertexBlock(test.ids(), (Object) null)), 1);
    sc.setLocalProperty(KEY, placement);
    return ResidentGraph.load(edges, vertices, Object.class, CPU.withExecutors(SHARDS));
  }

  private static boolean placed(ResidentGraph<?, ?> graph) {
    return !Internals.state(graph).handle().owners().ascending();
  }

  /** All that must be the same: whole numbers, and sums within their last bits. */
  private static Map<String, Map<Long, ?>> observations(
      ResidentGraph<?, ?> graph, long[] ids, boolean views) {
    Map<String, Map<Long, ?>> seen = new HashMap<>();
    seen.put("components", collected(ConnectedComponents.run(graph, Integer.MAX_VALUE, CPU)));
    seen.put("triangles", collected(TriangleCount.run(graph, CPU)));
    seen.put("ranks", collected(PageRank.run(graph, 3, 0.15, CPU)));
    seen.put(
        "contained",
        Map.of(0L, graph.containsVertex(ids[ids.length / 2]), 1L, graph.containsVertex(1L << 45)));
    if (!views) {
      seen.put("paths", paths(graph, LongStream.of(ids).limit(2).toArray()));
      return seen;
    }
    try (ResidentGraph<?, ?> masked =
        graph.masked(id -> (id & 3) != 1, (from, to) -> (from + to) % 5 != 0)) {
      seen.put(
          "components of the masked graph",
          collected(ConnectedComponents.run(masked, Integer.MAX_VALUE, CPU)));
    }
    try (ResidentGraph<?, ?> reversed = graph.reversed()) {
      seen.put("ranks of the reversed graph", collected(PageRank.run(reversed, 2, 0.15, CPU)));
    }
    return seen;
  }

  private static <T> Map<Long, T> collected(VertexResult<T> result) {
    try (result) {
      return new HashMap<>(result.collectAsMap());
    }
  }

  private static void assertSame(String what, Map<Long, ?> actual, Map<Long, ?> expected) {
    assertThat(actual.keySet()).as(what).isEqualTo(expected.keySet());
    expected.forEach(
        (id, value) -> {
          if (value instanceof Double exact) {
            // Each shard adds up the ranks of its own vertices.
            assertThat((Double) actual.get(id) / exact).as(what).isBetween(1 - 1e-14, 1 + 1e-14);
          } else {
            assertThat((Object) actual.get(id)).as(what + " of " + id).isEqualTo(value);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"SKEWED", "DISCONNECTED"})
  void resultsAreThoseOfRanges(RandomGraphs.Shape shape) {
    long seed = SEED;
    // Of some graphs there is nothing to spare.
    TestGraph<?, ?> test = RandomGraphs.of(shape, seed);
    ResidentGraph<?, ?> loaded = load(test, "neighbours");
    while (!placed(loaded)) {
      loaded.close();
      seed++;
      assertThat(seed).as("seeds of graphs that stay in ranges").isLessThan(SEED + 20);
      test = RandomGraphs.of(shape, seed);
      loaded = load(test, "neighbours");
    }
    try (ResidentGraph<?, ?> neighbours = loaded;
        ResidentGraph<?, ?> ranges = load(test, "ranges")) {
      assertThat(placed(ranges)).isFalse();
      // One graph has views, which are runs of their own, and the other landmarks.
      boolean views = shape == RandomGraphs.Shape.SKEWED;
      assertThat(neighbours.vertexCount()).isEqualTo(ranges.vertexCount());
      assertThat(neighbours.edgeCount()).isEqualTo(ranges.edgeCount());
      Map<String, Map<Long, ?>> expected = observations(ranges, test.ids(), views);
      Map<String, Map<Long, ?>> actual = observations(neighbours, test.ids(), views);
      for (String what : expected.keySet()) {
        assertSame(what + ", " + shape + ", seed " + seed, actual.get(what), expected.get(what));
      }
    }
  }

  /** A lattice of vertices whose ids, negative and huge ones too, say nothing. */
  private static TestGraph<Double, Double> lattice(int side) {
    Random random = new Random(SEED);
    long[] ids = random.longs().distinct().limit((long) side * side).toArray();
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < ids.length; v++) {
      for (int to : new int[] {v % side == side - 1 ? -1 : v + 1, v + side}) {
        if (to >= 0 && to < ids.length) {
          edges.add(new int[] {v, to});
          edges.add(new int[] {to, v});
        }
      }
    }
    return new TestGraph<>(
        "lattice",
        ids,
        List.of(),
        edges.stream().mapToLong(e -> ids[e[0]]).toArray(),
        edges.stream().mapToLong(e -> ids[e[1]]).toArray(),
        List.of());
  }

  @Test
  void onALatticeAFifthOfTheBytesTravelsAtMost() {
    TestGraph<Double, Double> lattice = lattice(36);
    try (ResidentGraph<?, ?> ranges = load(lattice, "ranges");
        ResidentGraph<?, ?> neighbours = load(lattice, "neighbours")) {
      assertThat(placed(neighbours)).isTrue();
      VertexResult<Double> after = PageRank.run(neighbours, 3, 0.15, CPU);
      VertexResult<Double> before = PageRank.run(ranges, 3, 0.15, CPU);
      assertThat(sum(after, SuperstepStats::boundaryUpdates))
          .isPositive()
          .isLessThan(sum(before, SuperstepStats::boundaryUpdates) / 5);
      assertThat(sum(after, SuperstepStats::boundaryBytes))
          .isPositive()
          .isLessThan(sum(before, SuperstepStats::boundaryBytes) / 5);
      assertSame("ranks", collected(after), collected(before));
    }
  }

  private static long sum(VertexResult<?> result, ToLongFunction<SuperstepStats> count) {
    return result.report().summary().supersteps().stream().mapToLong(count).sum();
  }

  private static TestGraph<Double, Double> powerLaw() {
    Random random = new Random(SEED);
    int edges = 20_000;
    long[] sources = random.doubles(edges).mapToLong(x -> (long) (2000 * x * x * x)).toArray();
    long[] destinations = random.doubles(edges).mapToLong(x -> (long) (2000 * x * x * x)).toArray();
    return new TestGraph<>(
        "a power law",
        LongStream.range(0, 2000).toArray(),
        List.of(),
        sources,
        destinations,
        List.of());
  }

  private int[] shards(TestGraph<?, ?> graph, int hubs) {
    sc.setLocalProperty(HUBS, String.valueOf(hubs));
    try (ResidentGraph<?, ?> loaded = load(graph, "neighbours")) {
      VertexOwners owners = Internals.state(loaded).handle().owners();
      return LongStream.of(graph.ids()).mapToInt(owners::shardOf).toArray();
    }
  }

  /**
   * Those of partial messages count where there are such vertices, and otherwise change nothing.
   */
  @Test
  void hubsAreASettingOfThePlacement() {
    TestGraph<Double, Double> graph = powerLaw();
    int[] none = shards(graph, 0);
    assertThat(shards(graph, 1 << 20)).isEqualTo(none);
    int[] some = shards(graph, 25);
    assertThat(some).isNotEqualTo(none);
    assertThat(shards(graph, 25)).as("once more").isEqualTo(some);
  }

  @Test
  void howUnevenAPlacementMayBeIsASetting() {
    TestGraph<Double, Double> graph = powerLaw();
    assertThat(fullest(graph, "1.05")).as("seed %d", SEED).isLessThan(1.08);
    assertThat(fullest(graph, "1.5")).as("seed %d", SEED).isBetween(1.15, 1.53);
  }

  /** How many times its share of the in-edges the fullest shard holds. */
  private double fullest(TestGraph<?, ?> graph, String imbalance) {
    sc.setLocalProperty(IMBALANCE, imbalance);
    try (ResidentGraph<?, ?> loaded = load(graph, "neighbours")) {
      assertThat(placed(loaded)).isTrue();
      int[] held = new int[SHARDS];
      for (long destination : graph.destinations()) {
        held[Internals.state(loaded).handle().owners().shardOf(destination)]++;
      }
      return (double) Arrays.stream(held).max().orElseThrow() * SHARDS / graph.edgeCount();
    }
  }

  private static Map<Long, String> paths(ResidentGraph<?, ?> graph, long[] landmarks) {
    Map<Long, String> paths = new HashMap<>();
    collected(ShortestPaths.run(graph, landmarks, CPU))
        .forEach((id, distances) -> paths.put(id, Arrays.toString(distances)));
    return paths;
  }

  @Test
  void aCommunityBearsTheSmallestIdOfItsMembers() {
    try (ResidentGraph<?, ?> graph = load(lattice(20), "neighbours");
        VertexResult<Long> communities = Louvain.run(graph, Louvain.Conf.DEFAULT, CPU)) {
      assertThat(placed(graph)).isTrue();
      Map<Long, Long> smallest = new HashMap<>();
      communities.collectAsMap().forEach((id, name) -> smallest.merge(name, id, Math::min));
      assertThat(smallest).hasSizeBetween(2, 100);
      smallest.forEach((name, least) -> assertThat(name).as("seed %d", SEED).isEqualTo(least));
      assertThat(Louvain.modularity(communities.report())).isGreaterThan(0.7);
    }
  }

  @Test
  void aTableThatTheDriverHasNoRoomForIsLeftInItsTask() {
    // 8 bytes for each of 40,000 ids, and half of this is what a table may take. Spark itself would
    // end a job with such a result.
    SparkEnv.get().conf().set(MOST_RESULTS, "600k");
    try (Warnings warnings = new Warnings(PlacementJob.class);
        ResidentGraph<?, ?> graph = load(lattice(200), "neighbours")) {
      assertThat(placed(graph)).isFalse();
      assertThat(warnings.lines())
          .singleElement()
          .asString()
          .contains(
              "stay in ranges of their ids", KEY, "a table of 330000 bytes", "at most 307200");
    }
  }

  @Test
  void aShardWithoutRoomNamesThePlacement() {
    TestGraph<Double, Double> lattice = lattice(14);
    // Small blocks, so that what sends them has room.
    List<EdgeBlock> blocks = new ArrayList<>();
    for (int e = 0; e < lattice.edgeCount(); e += 28) {
      blocks.add(
          new GlobalEdgeBlock(
              28,
              Arrays.copyOfRange(lattice.sources(), e, e + 28),
              Arrays.copyOfRange(lattice.destinations(), e, e + 28),
              Collections.nCopies(28, 1.0).toArray()));
    }
    sc.setLocalProperty(KEY, "neighbours");
    try (ResidentGraph<?, Double> graph =
        GpuPregel.load(
            sc.parallelize(blocks, blocks.size()), Double.class, CPU.withExecutors(SHARDS))) {
      assertThat(placed(graph)).isTrue();
      // Weights are loaded when they are first asked for; each shard has some 240 edges.
      SparkEnv.get()
          .conf()
          .set(
              FRACTION,
              String.valueOf(
                  (double) (ExecutorRegistry.bytes() + 3000) / Runtime.getRuntime().maxMemory()));
      assertThatThrownBy(() -> Louvain.run(graph, Louvain.Conf.DEFAULT, CPU))
          .isInstanceOf(GraphMemoryException.class)
          .hasMessageContaining("does not fit executor")
          .hasMessageContaining("with " + KEY + " = ranges it takes 8 bytes an edge less");
    }
  }

  @Test
  void edgesOffTheHeapAreRefused() {
    SparkEnv.get().conf().set(EDGES, "mapped");
    assertThatThrownBy(() -> load(lattice(20), "neighbours"))
        .hasMessageContaining("need their edges on the heap: set " + KEY + " = ranges");
  }

  /** What a task brings back that reads these. */
  private static PlacementJob.Found found(long most, Iterator<EdgeParcel> parcels) {
    IdRanges ranges = new IdRanges(new long[] {0});
    return TaskResult.unpack(
        PlacementJob.packed(
            "a graph", new PlacementRequest(ranges, false, 1.15, 0), 1, most, parcels),
        PlacementJob.Found.class);
  }

  private static Iterator<EdgeParcel> parcels(TestGraph<?, ?> test) {
    EdgeBlock all =
        new GlobalEdgeBlock(test.edgeCount(), test.sources(), test.destinations(), null);
    return new EdgeRouter(new IdRanges(), false, null).route(0, List.of(all).iterator());
  }

  @Test
  void whatGoesWrongInTheTaskIsWhyVerticesStay() {
    TestGraph<Double, Double> lattice = lattice(20);
    OwnerTable table = found(Long.MAX_VALUE, parcels(lattice)).placement().table();
    assertThat(found(table.bytes(), parcels(lattice)).placement()).isNotNull();
    assertThat(found(table.bytes() - 1, parcels(lattice)).refused())
        .isEqualTo(
            "a table of %s bytes; the driver takes at most %s (half of spark.driver.maxResultSize, a quarter of its free heap, 1 GiB)"
                .formatted(table.bytes(), table.bytes() - 1));
    // What the edges take, both as they come and as they are copied: room for no more.
    long free = ExecutorRegistry.bytes() + 40L * lattice.edgeCount();
    SparkEnv.get()
        .conf()
        .set(FRACTION, String.valueOf((double) free / Runtime.getRuntime().maxMemory()));
    assertThat(found(Long.MAX_VALUE, parcels(lattice)).refused())
        .contains("a graph does not fit", " bytes are free for graphs");
    SparkEnv.get().conf().remove(FRACTION);
    assertThat(found(Long.MAX_VALUE, throwing(new OutOfMemoryError("Java heap space"))).refused())
        .contains("a graph does not fit", "Java heap space");
    try (Warnings warnings = new Warnings(PlacementJob.class)) {
      RuntimeException wrong = new IllegalStateException("something wrong");
      assertThat(found(Long.MAX_VALUE, throwing(wrong)).refused()).isEqualTo(wrong.toString());
      assertThat(warnings.lines()).containsExactly("vertices of a graph cannot be placed");
    }
    assertThatThrownBy(() -> found(Long.MAX_VALUE, throwing(new TaskKilledException("by hand"))))
        .isInstanceOf(TaskKilledException.class);
    assertThat(ExecutorRegistry.buildBytes()).isZero();
  }

  private static Iterator<EdgeParcel> throwing(Throwable thrown) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public EdgeParcel next() {
        if (thrown instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) thrown;
      }
    };
  }
}
