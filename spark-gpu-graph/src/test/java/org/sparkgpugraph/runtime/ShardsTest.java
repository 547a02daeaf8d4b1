package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.device.DeviceFinder;
import org.sparkgpugraph.runtime.device.EmulatedFinder;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.load.EngineCheck;
import org.sparkgpugraph.runtime.load.GraphLoader;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.Warnings;
import scala.Tuple2;

/** A graph that is spread over several executor graphs does what a graph in one piece does. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class ShardsTest {
  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);

  private final JavaSparkContext context;
  private int heldBefore;
  private long bytesBefore;

  ShardsTest(JavaSparkContext context) {
    this.context = context;
  }

  /** Other tests in this JVM may have left graphs that cleaners free when they are collected. */
  @BeforeAll
  static void freeWhatOthersLeft() throws InterruptedException {
    settled();
  }

  /** Bytes held, when two collections one after the other have freed none. */
  private static long settled() throws InterruptedException {
    long before = -1;
    long now = -2;
    while (now != before) {
      before = now;
      System.gc();
      // Cleaners run in a thread of their own.
      Thread.sleep(100);
      now = ExecutorRegistry.bytes();
    }
    return now;
  }

  /** Bytes held once no more than so many graphs, results and blocks are, and nothing changes. */
  private static long settled(int held) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    long bytes = settled();
    while (ExecutorRegistry.size() > held) {
      assertThat(System.nanoTime()).as("results are still held").isLessThan(deadline);
      bytes = settled();
    }
    return bytes;
  }

  @BeforeEach
  void count() {
    heldBefore = ExecutorRegistry.size();
    bytesBefore = ExecutorRegistry.bytes();
  }

  @AfterEach
  void nothingIsLeft() {
    context.setLocalProperty(GpuGraphConf.EXCHANGE_HUBS.key(), null);
    // What other tests have left may go meanwhile.
    assertThat(ExecutorRegistry.size())
        .as("graphs, results, blocks held")
        .isLessThanOrEqualTo(heldBefore);
    assertThat(ExecutorRegistry.bytes())
        .as("storage memory taken")
        .isLessThanOrEqualTo(bytesBefore);
  }

  static LongStream seeds() {
    return LongStream.range(500, 500 + Integer.getInteger("shardRuns", 14));
  }

  private TestGraph<Integer, Double> graph(long seed) {
    return RandomGraphs.any(seed)
        .withAttributes(
            new Random(seed), random -> random.nextInt(100), random -> (double) random.nextInt(9));
  }

  /** Sums what comes along the in-edges: reads attributes and edge values. */
  private static PregelBuilder<Integer, Double, Integer, Integer, Integer> sums(
      ResidentGraph<Integer, Double> graph) {
    return GpuPregel.on(graph)
        .everyVertex(0)
        .vertexProgram((id, value, message) -> value + message)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr() + (int) (double) edge.attr()))
        .mergeMessage(Integer::sum)
        .maxIterations(3)
        .options(CPU);
  }

  /** The same along the out-edges. */
  private static PregelBuilder<Integer, Double, Integer, Integer, Integer> backwards(
      ResidentGraph<Integer, Double> graph) {
    return GpuPregel.on(graph)
        .initialMessage(1)
        .activeDirection(EdgeDirection.In())
        .vertexProgram((id, value, message) -> value + message)
        .sendMessage(
            edge -> {
              if (edge.dstAttr() % 3 != 0) {
                edge.sendToSrc(edge.dstAttr() % 7);
              }
            })
        .mergeMessage(Integer::sum)
        .maxIterations(3)
        .options(CPU);
  }

  private static PregelBuilder<Integer, Double, Integer, Integer, Integer> degrees(
      ResidentGraph<Integer, Double> graph) {
    PregelBuilder<Integer, Double, Integer, Integer, Integer> start =
        GpuPregel.on(graph).state((id, attribute, in, out) -> 1000 * in + out).initialMessage(0);
    return start
        .vertexProgram((id, value, message) -> value + message)
        // The degrees of ghosts too.
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Integer::sum)
        .maxIterations(1)
        .options(CPU);
  }

  private static Map<Long, Integer> values(
      PregelBuilder<Integer, Double, Integer, Integer, Integer> program) {
    try (VertexResult<Integer> result = program.runVertices()) {
      return new TreeMap<>(result.collectAsMap());
    }
  }

  /** Does everything that can be done with a graph, and tells what came of it. */
  private Map<String, Object> observations(TestGraph<Integer, Double> test, RunOptions options) {
    Graph<Integer, Double> graph = test.toGraphx(context, 3, Integer.class, Double.class);
    Map<String, Object> seen = new HashMap<>();
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class, options)) {
      int shards = options.executors() == 0 ? 1 : options.executors();
      assertThat(Internals.state(resident).handle().executors()).isEqualTo(shards);
      seen.put("vertices", resident.vertexCount());
      seen.put("edges", resident.edgeCount());
      List<Boolean> contains = new ArrayList<>();
      LongStream.of(test.ids())
          .limit(3)
          .forEach(
              id -> {
                contains.add(resident.containsVertex(id));
                contains.add(resident.containsVertex(id + 1));
              });
      seen.put("contains", contains);
      seen.put("degrees", values(degrees(resident)));
      // The first to read attributes and edge values.
      seen.put("sums", values(sums(resident)));
      // The first to send to sources.
      seen.put("backwards", values(backwards(resident)));
      seen.put("reversed", values(sums(resident.reversed())));
      seen.put("reversed backwards", values(backwards(resident.reversed())));
      replaced(resident, test, seen);
      assertThatThrownBy(resident::vertexCount).hasMessageContaining("closed");
    }
    graph.unpersist(false);
    return seen;
  }

  private void replaced(
      ResidentGraph<Integer, Double> resident,
      TestGraph<Integer, Double> test,
      Map<String, Object> seen) {
    List<Tuple2<Long, Integer>> some = new ArrayList<>();
    for (int i = 0; i < test.vertexCount(); i += 2) {
      some.add(new Tuple2<>(test.ids()[i], i));
    }
    JavaPairRDD<Long, Integer> pairs = context.parallelizePairs(some, 2);
    try (VertexResult<Integer> result = sums(resident).runVertices();
        ResidentGraph<Integer, Double> adopted = resident.withVertices(result, Integer.class);
        ResidentGraph<Integer, Double> given = resident.withVertices(pairs, Integer.class, -7)) {
      seen.put("adopted", values(sums(adopted)));
      seen.put("given", values(sums(given)));
      seen.put("given backwards", values(backwards(given)));
      result.close();
      resident.close();
      seen.put("adopted alone", values(backwards(adopted)));
    }
  }

  private Map<String, Object> maskedObservations(
      TestGraph<Integer, Double> test, RunOptions options) {
    Graph<Integer, Double> graph = test.toGraphx(context, 3, Integer.class, Double.class);
    Map<String, Object> seen = new HashMap<>();
    try (ResidentGraph<Integer, Double> resident =
            GpuPregel.load(graph, Integer.class, Double.class, options);
        ResidentGraph<Integer, Double> masked =
            resident.masked(id -> id % 3 != 0, (from, to) -> (from + to) % 4 != 1);
        ResidentGraph<Integer, Double> twice = masked.masked(id -> id % 5 != 1, null)) {
      seen.put("vertices", List.of(masked.vertexCount(), twice.vertexCount()));
      seen.put("edges", List.of(masked.edgeCount(), twice.edgeCount()));
      seen.put("degrees", values(degrees(twice)));
      seen.put("masked", values(sums(masked)));
      // Needs out-edges, which only the source can give.
      seen.put("backwards", values(backwards(twice)));
      try (VertexResult<Integer> all = sums(resident).runVertices();
          ResidentGraph<Integer, Double> adopted = twice.withVertices(all, Integer.class)) {
        seen.put("adopted", values(sums(adopted)));
        seen.put("adopted backwards", values(backwards(adopted)));
      }
    }
    graph.unpersist(false);
    return seen;
  }

  private RunOptions spread(Random random) {
    return CPU.withExecutors(2 + random.nextInt(3)).withPartitions(1 + random.nextInt(3));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyOperationGivesWhatItGivesInOnePiece(long seed) {
    TestGraph<Integer, Double> test = graph(seed);
    RunOptions spread = spread(new Random(seed));
    // Half of them tell hubs partial messages, where programs may.
    context.setLocalProperty(GpuGraphConf.EXCHANGE_HUBS.key(), String.valueOf(2 * (seed % 2)));
    assertThat(observations(test, spread))
        .as("seed %d, %s, %s", seed, spread, test.describe())
        .isEqualTo(observations(test, CPU.withExecutors(0)));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void masksGiveWhatTheyGiveInOnePiece(long seed) {
    TestGraph<Integer, Double> test = graph(seed);
    RunOptions spread = spread(new Random(seed));
    // Half of them tell hubs partial messages, where programs may.
    context.setLocalProperty(GpuGraphConf.EXCHANGE_HUBS.key(), String.valueOf(2 * (seed % 2)));
    assertThat(maskedObservations(test, spread))
        .as("seed %d, %s, %s", seed, spread, test.describe())
        .isEqualTo(maskedObservations(test, CPU.withExecutors(0)));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void edgesAloneGiveWhatTheyGiveInOnePiece(long seed) {
    TestGraph<Integer, Double> test = graph(seed);
    List<EdgeBlock> blocks = new ArrayList<>();
    int half = test.edgeCount() / 2;
    for (int[] part : new int[][] {{0, half}, {half, test.edgeCount()}}) {
      blocks.add(
          new GlobalEdgeBlock(
              part[1] - part[0],
              Arrays.copyOfRange(test.sources(), part[0], part[1]),
              Arrays.copyOfRange(test.destinations(), part[0], part[1]),
              test.edgeAttributes().subList(part[0], part[1]).stream()
                  .mapToDouble(Double::doubleValue)
                  .toArray()));
    }
    JavaRDD<EdgeBlock> edges = context.parallelize(blocks, 2);
    Map<Long, Double> expected = null;
    for (int executors : new int[] {1, 2, 4}) {
      try (ResidentGraph<Object, Double> resident =
              GpuPregel.load(edges, Double.class, CPU.withExecutors(executors));
          VertexResult<Double> ranks = PageRank.run(resident, 4, 0.15, CPU)) {
        Map<Long, Double> got = new TreeMap<>(ranks.collectAsMap());
        Map<Long, Double> want = expected == null ? got : expected;
        expected = want;
        assertThat(got).as("seed %d, %d executors", seed, executors).hasSameSizeAs(want);
        // Rows are ordered alike, but the sum over all vertices is taken in another order.
        got.forEach(
            (id, rank) ->
                assertThat(rank)
                    .as("seed %d, %d executors, vertex %d", seed, executors, id)
                    .isCloseTo(want.get(id), Percentage.withPercentage(1e-11)));
      }
    }
  }

  /** Programs that need more of a graph and others at the same time, beside new views of it. */
  @Test
  void programsRunWhileShardsAreChanged() throws Exception {
    TestGraph<Integer, Double> test = graph(507);
    Graph<Integer, Double> graph = test.toGraphx(context, 3, Integer.class, Double.class);
    List<Function<ResidentGraph<Integer, Double>, Object>> programs =
        List.of(
            g -> values(degrees(g)),
            g -> values(sums(g)),
            g -> values(backwards(g)),
            g -> values(sums(g.reversed())),
            g -> {
              JavaPairRDD<Long, Integer> one =
                  context.parallelizePairs(List.of(new Tuple2<>(test.ids()[0], 5)));
              try (ResidentGraph<Integer, Double> given = g.withVertices(one, Integer.class, -7)) {
                return values(backwards(given));
              }
            },
            g -> {
              try (ResidentGraph<Integer, Double> masked = g.masked(id -> id % 3 != 0, null)) {
                return values(sums(masked));
              }
            });
    List<Object> expected = new ArrayList<>();
    try (ResidentGraph<Integer, Double> alone =
        GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(3))) {
      programs.forEach(program -> expected.add(program.apply(alone)));
    }
    ExecutorService threads = Executors.newFixedThreadPool(programs.size());
    try {
      for (int round = 0; round < 3; round++) {
        try (ResidentGraph<Integer, Double> resident =
            GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(3))) {
          List<Future<Object>> running = new ArrayList<>();
          programs.forEach(program -> running.add(threads.submit(() -> program.apply(resident))));
          for (int i = 0; i < programs.size(); i++) {
            assertThat(running.get(i).get(60, TimeUnit.SECONDS))
                .as("program %d in round %d", i, round)
                .isEqualTo(expected.get(i));
          }
        }
      }
    } finally {
      threads.shutdown();
    }
    graph.unpersist(false);
  }

  @Test
  void anObserverRunsAProgramThatNeedsMore() {
    TestGraph<Integer, Double> test = graph(505);
    Graph<Integer, Double> graph = test.toGraphx(context, 2, Integer.class, Double.class);
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(2))) {
      Map<Long, Integer> expected = values(degrees(resident));
      List<Map<Long, Integer>> seen = new ArrayList<>();
      RunObserver inner =
          new RunObserver() {
            @Override
            public void superstepEnded(SuperstepStats stats) {
              if (stats.superstep() == 0) {
                seen.add(values(backwards(resident)));
              }
            }
          };
      assertThat(values(degrees(resident).options(CPU.withObserver(inner)))).isEqualTo(expected);
      assertThat(seen).containsExactly(values(backwards(resident)));
    }
  }

  @Test
  void aProgramGoesOnWhenItsGraphIsClosed() {
    TestGraph<Integer, Double> test = graph(505);
    Graph<Integer, Double> graph = test.toGraphx(context, 2, Integer.class, Double.class);
    ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(2));
    Map<Long, Integer> expected = values(sums(resident));
    RunObserver closing =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            resident.close();
          }
        };
    assertThat(values(sums(resident).options(CPU.withObserver(closing)))).isEqualTo(expected);
    assertThatThrownBy(() -> values(sums(resident))).hasMessageContaining("is closed");
  }

  /** What fails half way leaves shards that do not fit each other: they are connected anew. */
  @Test
  void programsRunAfterLoadingMoreHasFailedHalfWay() {
    Graph<Integer, Double> graph = ring(3000).toGraphx(context, 3, Integer.class, Double.class);
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(3))) {
      Map<Long, Integer> expected = values(degrees(resident));
      SparkConf conf = SparkEnv.get().conf();
      int failures = 0;
      boolean done = false;
      // More and more memory, so that first no shard can be built again, then some can.
      for (int bytes = 4000; !done; bytes += bytes / 4) {
        double limit = ExecutorRegistry.bytes() + (double) bytes;
        double fraction = limit / Runtime.getRuntime().maxMemory();
        conf.set("spark.gpugraph.memoryFraction", String.valueOf(fraction));
        try {
          values(backwards(resident));
          done = true;
        } catch (GraphMemoryException e) {
          failures++;
        } finally {
          conf.remove("spark.gpugraph.memoryFraction");
        }
        assertThat(values(degrees(resident))).isEqualTo(expected);
      }
      assertThat(failures).isGreaterThan(2);
    }
    graph.unpersist(false);
  }

  private static TestGraph<Integer, Double> ring(int size) {
    return new TestGraph<>(
        "ring",
        LongStream.range(0, size).toArray(),
        Collections.nCopies(size, 0),
        LongStream.range(0, size).toArray(),
        LongStream.range(0, size).map(i -> (i + 1) % size).toArray(),
        Collections.nCopies(size, 1.0));
  }

  @Test
  void weightedResultsAreTheSame() {
    TestGraph<Integer, Double> test = graph(811);
    Graph<Integer, Double> graph = test.toGraphx(context, 2, Integer.class, Double.class);
    List<List<String>> results = new ArrayList<>();
    for (int executors : new int[] {1, 3}) {
      Graph<Double, Double> ranked =
          PageRank.runWithOptions(
              graph, 3, 0.15, OptionalLong.empty(), false, CPU.withExecutors(executors));
      List<String> all = new ArrayList<>();
      all.add(Compare.vertices(ranked).toString());
      ranked.edges().toJavaRDD().collect().forEach(edge -> all.add(edge.toString()));
      results.add(all);
      ranked.unpersist(true);
    }
    assertThat(results.get(1)).isEqualTo(results.get(0));
  }

  @Test
  void moreShardsThanVertices() {
    TestGraph<Integer, Double> test =
        new TestGraph<>(
            "two", new long[] {7, 9}, List.of(1, 2), new long[] {7}, new long[] {9}, List.of(3.0));
    Graph<Integer, Double> graph = test.toGraphx(context, 3, Integer.class, Double.class);
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(
            graph, Integer.class, Double.class, CPU.withExecutors(5).withPartitions(4))) {
      assertThat(resident.vertexCount()).isEqualTo(2);
      assertThat(values(sums(resident))).isEqualTo(Map.of(7L, 1, 9L, 14));
    }
  }

  @Test
  void aValueForNoVertexIsRefused() {
    TestGraph<Integer, Double> test = graph(505);
    Graph<Integer, Double> graph = test.toGraphx(context, 2, Integer.class, Double.class);
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(2))) {
      JavaPairRDD<Long, Integer> wrong =
          context.parallelizePairs(List.of(new Tuple2<>(123_456_789_123L, 1)));
      assertThatThrownBy(() -> resident.withVertices(wrong, Integer.class, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("vertex 123456789123");
    }
  }

  @Test
  void executorsAreChosenAtLoadAlone() {
    TestGraph<Integer, Double> test = graph(505);
    Graph<Integer, Double> graph = test.toGraphx(context, 2, Integer.class, Double.class);
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(2))) {
      assertThatThrownBy(() -> sums(resident).executors(3).runVertices())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("over 2 executor(s) when it was loaded");
    }
    assertThatThrownBy(() -> CPU.withExecutors(-1)).hasMessageContaining("-1");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aGraphThatDoesNotFitIsRefusedAndLeavesNothing(int executors) {
    Graph<Integer, Double> graph = ring(3000).toGraphx(context, 2, Integer.class, Double.class);
    SparkConf conf = SparkEnv.get().conf();
    double fraction = 4000.0 / Runtime.getRuntime().maxMemory();
    conf.set("spark.gpugraph.memoryFraction", String.valueOf(fraction));
    try {
      assertThatThrownBy(
              () ->
                  GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(executors)))
          .isInstanceOf(GraphMemoryException.class)
          .hasMessageContaining("does not fit executor driver: it needs at least")
          .hasMessageContaining("spark.driver.memory");
    } finally {
      conf.remove("spark.gpugraph.memoryFraction");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aRunWhoseValuesDoNotFitIsRefusedAndLeavesNothing(int executors) throws InterruptedException {
    Graph<Integer, Double> graph = ring(3000).toGraphx(context, 2, Integer.class, Double.class);
    SparkConf conf = SparkEnv.get().conf();
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(executors))) {
      // Loading may still be letting go of what it had; that would hide a result that is held.
      settled();
      int graphs = ExecutorRegistry.size();
      Map<Long, Integer> expected = values(sums(resident));
      long held = settled(graphs);
      // The states take 2 · 4 bytes a vertex, the results 4: first no state fits, then the states
      // do, but not the first result beside them. A shard that ends frees its state, so that with
      // more room shards that end one after the other would fit.
      for (int bytes : new int[] {3000, 26_000}) {
        double fraction = (held + (double) bytes) / Runtime.getRuntime().maxMemory();
        conf.set("spark.gpugraph.memoryFraction", String.valueOf(fraction));
        assertThatThrownBy(() -> values(sums(resident)))
            .isInstanceOf(GraphMemoryException.class)
            .hasMessageContaining("the state and result of run ")
            .hasMessageContaining("does not fit executor driver: it needs at least")
            .hasMessageContaining("spark.driver.memory");
        assertThat(ExecutorRegistry.bytes()).isEqualTo(held);
      }
      conf.remove("spark.gpugraph.memoryFraction");
      assertThat(values(sums(resident))).isEqualTo(expected);
    } finally {
      conf.remove("spark.gpugraph.memoryFraction");
    }
    graph.unpersist(false);
  }

  @Test
  void whatAShardMaySayAgainCountsAsHeld() throws InterruptedException {
    int size = 400_000;
    TestGraph<Integer, Double> test =
        new TestGraph<>(
            "pairs",
            LongStream.range(0, size).toArray(),
            new Random(5).ints(size).boxed().toList(),
            LongStream.range(0, size).toArray(),
            LongStream.range(0, size).map(i -> (i + size / 2) % size).toArray(),
            Collections.nCopies(size, 7.0));
    Graph<Integer, Double> graph = test.toGraphx(context, 2, Integer.class, Double.class);
    List<Long> bytes = new ArrayList<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            bytes.add(ExecutorRegistry.bytes());
          }
        };
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(2))) {
      long held = settled();
      sums(resident).options(CPU.withObserver(observer)).runVertices().close();
      // Two tables of ints by the engine, then 200 000 updates of random ints for the other.
      assertThat(bytes.get(0) - held).isGreaterThanOrEqualTo(8L * size);
      assertThat(bytes.get(3) - bytes.get(0)).isGreaterThan(2 << 20);
      resident.close();
    }
    graph.unpersist(false);
  }

  /** Shard i has i + 1 emulated devices. */
  @Test
  void executorsMayHaveUnequalNumbersOfDevices() {
    assumeTrue(
        EmulatedDevice.isAvailable(),
        "skipped: the emulated GPU compiles its kernels with g++, which is not there");
    EmulatedFinder emulated = new EmulatedFinder();
    DeviceFinder unequal =
        (conf, addresses) ->
            emulated.find(
                conf, List.of("0", "1", "2").subList(0, 1 + TaskContext.getPartitionId() % 3));
    TestGraph<Integer, Double> test = graph(505);
    Graph<Integer, Double> graph = test.toGraphx(context, 2, Integer.class, Double.class);
    Map<Long, Integer> expected;
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class, CPU.withExecutors(1))) {
      expected = values(sums(resident));
    }
    RunOptions options = CPU.withEngine(EngineChoice.EMULATED).withExecutors(3);
    Engines before = ExecutorRegistry.replaceEngines(new Engines(unequal, unequal));
    try (Warnings warnings = new Warnings(GraphLoader.class);
        ResidentGraph<Integer, Double> resident =
            GpuPregel.load(graph, Integer.class, Double.class, options)) {
      assertThat(Internals.state(resident).handle().partitions()).isEqualTo(6);
      assertThat(warnings.lines())
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains("unequal numbers of devices ([1, 2, 3])", "fewest");
      RunOptions run = CPU.withEngine(EngineChoice.EMULATED);
      try (VertexResult<Integer> sums = sums(resident).options(run).runVertices()) {
        assertThat(new TreeMap<>(sums.collectAsMap())).isEqualTo(expected);
        assertThat(sums.report().engine()).isEqualTo("emulated");
        assertThat(sums.report().reason())
            .contains("emulated GPU 0, emulated GPU 1, emulated GPU 2");
      }
    } finally {
      ExecutorRegistry.replaceEngines(before).close();
    }
    graph.unpersist(false);
  }

  @Test
  void rapidsWithSeveralGpusIsRefused() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.plugins", "a.b.Other, com.nvidia.spark.SQLPlugin")
            .set("spark.executor.resource.gpu.amount", "2");
    assertThatThrownBy(() -> EngineCheck.checkRapids(conf, EngineChoice.AUTO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("RAPIDS");
    EngineCheck.checkRapids(conf, EngineChoice.CPU);
    EngineCheck.checkRapids(
        conf.clone().set("spark.executor.resource.gpu.amount", "1"), EngineChoice.AUTO);
    EngineCheck.checkRapids(conf.clone().remove("spark.plugins"), EngineChoice.AUTO);
  }
}
