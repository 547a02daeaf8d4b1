package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.cluster.GraphLostException;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/** What runs and graphs leave behind, in whatever order they end or fail. */
@ExtendWith(SharedSpark.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LifecycleTest {
  private static final int SIZE = 50;
  private final JavaSparkContext context;
  private int heldBefore;
  private long bytesBefore;

  LifecycleTest(JavaSparkContext context) {
    this.context = context;
  }

  /** 0 → 1 → … → 49, weight 2 each. */
  private static TestGraph<Integer, Double> path() {
    return new TestGraph<>(
        "path",
        LongStream.range(0, SIZE).toArray(),
        IntStream.range(0, SIZE).boxed().toList(),
        LongStream.range(0, SIZE - 1).toArray(),
        LongStream.range(1, SIZE).toArray(),
        Collections.nCopies(SIZE - 1, 2.0));
  }

  private Graph<Integer, Double> graph() {
    return path().toGraphx(context, 3, Integer.class, Double.class);
  }

  private ResidentGraph<Integer, Double> resident() {
    return GpuPregel.load(graph(), Integer.class, Double.class);
  }

  @BeforeEach
  void count() {
    heldBefore = ExecutorRegistry.size();
    bytesBefore = ExecutorRegistry.bytes();
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    // A task that was killed may still be on its way out, with what it reserves for its next block.
    for (int i = 0; i < 100 && somethingIsLeft(); i++) {
      Thread.sleep(50);
    }
    // What other tests have left may go meanwhile.
    assertThat(ExecutorRegistry.size())
        .as("graphs, results, blocks held")
        .isLessThanOrEqualTo(heldBefore);
    assertThat(ExecutorRegistry.bytes())
        .as("storage memory taken")
        .isLessThanOrEqualTo(bytesBefore);
    assertThat(teams()).as("worker threads").isZero();
  }

  private boolean somethingIsLeft() {
    return ExecutorRegistry.size() > heldBefore
        || ExecutorRegistry.bytes() > bytesBefore
        || teams() > 0;
  }

  private static long teams() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.isAlive() && t.getName().startsWith("gpugraph-cpu-"))
        .count();
  }

  /** Adds up the values on the way to a vertex; every vertex runs in every superstep. */
  private static PregelBuilder<Integer, Double, Integer, Integer, Integer> sums(
      PregelBuilder<Integer, Double, Integer, Object, Integer> on, int supersteps) {
    return on.everyVertex(0)
        .vertexProgram((id, value, message) -> value + message)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Integer::sum)
        .maxIterations(supersteps)
        .options(RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER));
  }

  @Test
  void runsLeaveNothing() {
    Graph<Integer, Double> result =
        sums(GpuPregel.on(graph(), Integer.class, Double.class), 1).run();
    assertThat(Compare.vertices(result)).containsEntry(7L, 13);
    try (ResidentGraph<Integer, Double> resident = resident();
        VertexResult<Integer> values = sums(GpuPregel.on(resident), 1).runVertices()) {
      assertThat(values.collectAsMap()).containsEntry(7L, 13);
    }
  }

  @Test
  void aFailingStopWhenEndsTheRunOnly() {
    try (ResidentGraph<Integer, Double> resident = resident()) {
      assertThatThrownBy(
              () ->
                  sums(GpuPregel.on(resident), 9)
                      .stopWhen(
                          run -> {
                            throw new IllegalStateException("stopWhen of superstep 1");
                          })
                      .runVertices())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("stopWhen of superstep 1");
      works(resident);
    }
  }

  private static void works(ResidentGraph<Integer, Double> resident) {
    try (VertexResult<Integer> values = sums(GpuPregel.on(resident), 1).runVertices()) {
      assertThat(values.collectAsMap()).containsEntry(7L, 13);
    }
  }

  @Test
  void aFailingObserverEndsTheRunOnly() {
    RunObserver atSuperstep =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            throw new IllegalStateException("observer of a superstep");
          }
        };
    RunObserver atEnd =
        new RunObserver() {
          @Override
          public void finished(RunReport report) {
            throw new IllegalStateException("observer of the end");
          }
        };
    try (ResidentGraph<Integer, Double> resident = resident()) {
      for (RunObserver observer : List.of(atSuperstep, atEnd)) {
        RunOptions options = RunOptions.DEFAULT.withObserver(observer);
        assertThatThrownBy(() -> sums(GpuPregel.on(resident), 2).options(options).runVertices())
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("observer of");
        Set<Integer> cached = Set.copyOf(context.getPersistentRDDs().keySet());
        assertThatThrownBy(() -> sums(GpuPregel.on(resident), 2).options(options).run())
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("observer of");
        // Those that other tests have left may be collected meanwhile.
        assertThat(context.getPersistentRDDs().keySet()).as("cached RDDs").isSubsetOf(cached);
      }
      works(resident);
    }
  }

  @Test
  void aProgramThatStopsItselfLeavesNothing() {
    try (ResidentGraph<Integer, Double> resident = resident()) {
      assertThatThrownBy(
              () ->
                  GpuPregel.on(resident)
                      .initialMessage(0)
                      .vertexProgram((id, value, message) -> 10 / (value - 7))
                      .sendMessage(edge -> {})
                      .mergeMessage(Integer::sum)
                      .runVertices())
          .hasMessageContaining("vertex 7");
      works(resident);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCancelledJobEndsPromptly(boolean interrupt) throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    RunObserver observer =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            running.countDown();
          }
        };
    String group = "cancelled " + interrupt;
    try (ResidentGraph<Integer, Double> resident = resident()) {
      CompletableFuture<Throwable> ended =
          CompletableFuture.supplyAsync(
              () -> {
                context.setJobGroup(group, group, interrupt);
                try {
                  sums(GpuPregel.on(resident), Integer.MAX_VALUE - 1)
                      .options(RunOptions.DEFAULT.withObserver(observer))
                      .runVertices();
                  return null;
                } catch (Throwable e) {
                  return e;
                } finally {
                  context.clearJobGroup();
                }
              });
      assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
      context.cancelJobGroup(group);
      assertThat(ended.get(20, TimeUnit.SECONDS)).isNotNull().hasMessageContaining("cancelled");
      works(resident);
    }
  }

  @Test
  void anInterruptedDriverThreadEndsItsJob() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    RunObserver observer =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            running.countDown();
          }
        };
    try (ResidentGraph<Integer, Double> resident = resident()) {
      CompletableFuture<Throwable> ended = new CompletableFuture<>();
      Thread driver =
          new Thread(
              () -> {
                try {
                  sums(GpuPregel.on(resident), Integer.MAX_VALUE - 1)
                      .options(RunOptions.DEFAULT.withObserver(observer))
                      .runVertices();
                  ended.complete(null);
                } catch (Throwable e) {
                  ended.complete(Thread.interrupted() ? e : new AssertionError("status lost", e));
                }
              });
      driver.start();
      assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
      driver.interrupt();
      assertThat(ended.get(20, TimeUnit.SECONDS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("interrupted");
      for (int i = 0; i < 200 && context.statusTracker().getActiveJobIds().length > 0; i++) {
        Thread.sleep(50);
      }
      assertThat(context.statusTracker().getActiveJobIds()).isEmpty();
      works(resident);
    }
  }

  /** What reads a graph's edges until it is let go: Spark does not interrupt tasks by itself. */
  private static final class Stuck {
    private static volatile CountDownLatch reading;
    private static volatile CountDownLatch letGo;

    private Stuck() {}

    static <T> T read(T edge) throws InterruptedException {
      reading.countDown();
      letGo.await();
      return edge;
    }
  }

  private JavaRDD<EdgeBlock> stuckBlocks() {
    return context
        .parallelize(List.of(1), 1)
        .map(i -> Stuck.read(new IntEdgeBlock(1, new int[] {i}, new int[] {2}, null)));
  }

  private Graph<Object, Integer> stuckGraph() {
    return Graph.fromEdges(
        context.parallelize(List.of(1), 1).map(i -> Stuck.read(new Edge<>(1, 2, i))).rdd(),
        0,
        StorageLevel.MEMORY_ONLY(),
        StorageLevel.MEMORY_ONLY(),
        ClassTag$.MODULE$.Object(),
        ClassTag$.MODULE$.apply(Integer.class));
  }

  /** One executor's load, and that of several, which samples first; a run that loads; GraphX's. */
  @ParameterizedTest
  @ValueSource(strings = {"load", "load of 2", "run", "stock"})
  void anInterruptedLoadEndsAsDocumented(String what) throws Exception {
    Stuck.reading = new CountDownLatch(1);
    Stuck.letGo = new CountDownLatch(1);
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread driver =
        new Thread(
            () -> {
              try {
                switch (what) {
                  case "load" ->
                      GpuPregel.load(stuckBlocks(), Object.class, RunOptions.DEFAULT).close();
                  case "load of 2" ->
                      GpuPregel.load(
                              stuckBlocks(), Object.class, RunOptions.DEFAULT.withExecutors(2))
                          .close();
                  case "run" -> Bfs.run(stuckGraph(), 1, RunOptions.DEFAULT);
                  default ->
                      GpuPregel.on(stuckGraph(), Object.class, Integer.class)
                          .initialMessage(0)
                          .vertexProgram((id, value, message) -> message)
                          .sendMessage(edge -> edge.sendToDst(1))
                          .mergeMessage(Integer::sum)
                          .options(RunOptions.DEFAULT.withFallback(RunOptions.Fallback.ALWAYS))
                          .run();
                }
                ended.complete(null);
              } catch (Throwable e) {
                ended.complete(Thread.interrupted() ? e : new AssertionError("status lost", e));
              }
            });
    driver.start();
    try {
      assertThat(Stuck.reading.await(30, TimeUnit.SECONDS)).isTrue();
      driver.interrupt();
      assertThat(ended.get(20, TimeUnit.SECONDS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("interrupted")
          .hasCauseInstanceOf(InterruptedException.class);
    } finally {
      Stuck.letGo.countDown();
    }
    for (int i = 0; i < 200 && context.statusTracker().getActiveJobIds().length > 0; i++) {
      Thread.sleep(50);
    }
    assertThat(context.statusTracker().getActiveJobIds()).isEmpty();
  }

  @Test
  void aLostResultSaysThatRunningAgainIsEnough() {
    String again = "run the program again, which loads again what was lost of the graph";
    String result = RegistryKey.ofResult(context.sc());
    assertThatThrownBy(() -> ExecutorRegistry.result(result))
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("result " + result + " is not held")
        .hasMessageEndingWith(again);
    String location = "executor_there_1";
    assertThat(new GraphLostException(result, location, null)).hasMessageEndingWith(again);
    String graph = RegistryKey.of(context.sc(), "graph");
    assertThat(new GraphLostException(graph, location, null))
        .hasMessageEndingWith("load the graph again");
  }

  @Test
  void whatArrivesAfterItsKeyWasForgottenIsDropped() {
    String key = context.sc().applicationId() + "/late";
    ExecutorRegistry.remove(key);
    ExecutorRegistry.staging(key, key, null).cachedEdges(0, List.of());
    assertThat(ExecutorRegistry.size()).isEqualTo(heldBefore);
  }

  @Test
  void closingAViewOfReversedEdgesDoesNothing() {
    try (ResidentGraph<Integer, Double> resident = resident()) {
      try (ResidentGraph<Integer, Double> reversed = resident.reversed();
          VertexResult<Integer> levels = Bfs.run(reversed, 9, RunOptions.DEFAULT)) {
        assertThat(levels.collectAsMap()).containsEntry(0L, 9).containsEntry(10L, -1);
        reversed.reversed().close();
      }
      works(resident);
    }
  }

  @Test
  void closedGraphsAndResultsSaySo() {
    ResidentGraph<Integer, Double> resident = resident();
    VertexResult<Integer> values = sums(GpuPregel.on(resident), 1).runVertices();
    resident.close();
    resident.close();
    assertThat(values.collectAsMap()).containsEntry(7L, 13);
    assertThatThrownBy(() -> sums(GpuPregel.on(resident), 1).runVertices())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    assertThatThrownBy(() -> resident.containsVertex(1)).hasMessageContaining("is closed");
    values.close();
    values.close();
    assertThatThrownBy(values::collectAsMap)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
  }

  @Test
  void resultGraphsOutliveTheirInput() {
    Graph<Integer, Double> input = graph();
    input.cache();
    Graph<Integer, Double> result;
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(input, Integer.class, Double.class)) {
      result = sums(GpuPregel.on(resident), 1).run();
    }
    input.unpersist(true);
    assertThat(Compare.vertices(result)).containsEntry(7L, 13);
    assertThat(result.edges().count()).isEqualTo(SIZE - 1);
    assertThat(result.triplets().count()).isEqualTo(SIZE - 1);
    result.unpersist(true);
  }

  @Test
  void viewsMayBeClosedInAnyOrder() {
    ResidentGraph<Integer, Double> resident = resident();
    VertexResult<Integer> values = sums(GpuPregel.on(resident), 1).runVertices();
    ResidentGraph<Integer, Double> view = resident.withVertices(values, Integer.class);
    long bytes = ExecutorRegistry.bytes();
    resident.close();
    values.close();
    // The view keeps both the structure and the values: they stay accounted for.
    assertThat(ExecutorRegistry.bytes()).isBetween(view.bytes(), bytes);
    try (VertexResult<Double> distances = Sssp.run(view, 1, RunOptions.DEFAULT);
        VertexResult<Integer> again = sums(GpuPregel.on(view), 1).runVertices()) {
      assertThat(distances.collectAsMap()).containsEntry(3L, 4.0);
      assertThat(again.collectAsMap()).containsEntry(7L, 24);
    }
    view.close();
  }

  @Test
  void storageMemoryFollowsWhatIsHeld() {
    TestGraph<Integer, Double> big =
        new TestGraph<>(
            "big",
            LongStream.range(0, 200_000).toArray(),
            Collections.nCopies(200_000, 1),
            LongStream.range(0, 199_999).toArray(),
            LongStream.range(1, 200_000).toArray(),
            Collections.nCopies(199_999, 1.0));
    Graph<Integer, Double> input = big.toGraphx(context, 2, Integer.class, Double.class);
    ResidentGraph<Integer, Double> resident = GpuPregel.load(input, Integer.class, Double.class);
    long structure = ExecutorRegistry.bytes() - bytesBefore;
    assertThat(structure).isEqualTo(resident.bytes());
    RunOptions pulls = RunOptions.DEFAULT.withKernel(KernelChoice.DENSE);
    try (VertexResult<Double> distances = Sssp.run(resident.reversed(), 9, pulls)) {
      // Edge values, out-edges and the result have come.
      assertThat(ExecutorRegistry.bytes() - bytesBefore)
          .isGreaterThanOrEqualTo(structure + 3 * 8 * 199_999L);
    }
    long held = ExecutorRegistry.bytes() - bytesBefore;
    long used = SparkEnv.get().memoryManager().storageMemoryUsed();
    resident.close();
    assertThat(ExecutorRegistry.bytes()).isEqualTo(bytesBefore);
    // Spark's own broadcasts come and go at the same time.
    assertThat(used - SparkEnv.get().memoryManager().storageMemoryUsed())
        .isBetween(held - 1_000_000, held + 1_000_000);
    input.unpersist(true);
  }

  @Test
  void programsRunWhileEdgeValuesAreLoaded() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 2; round++) {
        try (ResidentGraph<Integer, Double> resident =
                GpuPregel.load(
                    graph(), Integer.class, Double.class, RunOptions.DEFAULT.withPartitions(2));
            ResidentGraph<Integer, Double> given =
                resident.withVertices(value(0, 1), Integer.class, 0)) {
          List<Future<Map<Long, ?>>> runs = new ArrayList<>();
          for (int i = 0; i < 8; i++) {
            int kind = i;
            runs.add(
                threads.submit(
                    () -> {
                      ResidentGraph<Integer, Double> on = kind % 4 < 2 ? resident : given;
                      if (kind % 2 == 0) {
                        try (VertexResult<Double> r = Sssp.run(on, 0, RunOptions.DEFAULT)) {
                          return r.collectAsMap();
                        }
                      }
                      try (VertexResult<Integer> r =
                          Bfs.run(on.reversed(), SIZE - 1, RunOptions.DEFAULT)) {
                        return r.collectAsMap();
                      }
                    }));
          }
          for (int i = 0; i < runs.size(); i++) {
            Map<Long, ?> values = runs.get(i).get();
            for (long id = 0; id < SIZE; id++) {
              Object expected = i % 2 == 0 ? (Object) (2.0 * id) : (Object) (int) (SIZE - 1 - id);
              assertThat(values.get(id)).as("run %d, vertex %d", i, id).isEqualTo(expected);
            }
          }
        }
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void aFailedLoadLeavesNothing() {
    TestGraph<Integer, Double> path = path();
    List<Integer> withNull = new ArrayList<>(path.attributes());
    withNull.set(11, null);
    TestGraph<Integer, Double> bad =
        new TestGraph<>(
            "null",
            path.ids(),
            withNull,
            path.sources(),
            path.destinations(),
            path.edgeAttributes());
    Graph<Integer, Double> graph = objects(bad);
    assertThatThrownBy(() -> sums(GpuPregel.on(graph, Integer.class, Double.class), 1).run())
        .hasMessageContaining("vertex 11");
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(graph, Integer.class, Double.class)) {
      assertThatThrownBy(() -> sums(GpuPregel.on(resident), 1).runVertices())
          .hasMessageContaining("vertex 11");
      // What does not read the attributes still runs.
      try (VertexResult<Double> distances = Sssp.run(resident, 1, RunOptions.DEFAULT)) {
        assertThat(distances.collectAsMap()).containsEntry(3L, 4.0);
      }
    }
  }

  /** Attributes in arrays of objects, which can hold null. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private Graph<Integer, Double> objects(TestGraph<Integer, Double> graph) {
    return (Graph) ((TestGraph) graph).toGraphx(context, 3, Object.class, Double.class);
  }

  @Test
  void anInputThatFailsLeavesNoBlocks() {
    Graph<Integer, Double> input = graph();
    Graph<Integer, Double> bad =
        Graph.apply(
            input.vertices(),
            input
                .edges()
                .toJavaRDD()
                .map(
                    (Edge<Double> edge) -> {
                      if (edge.srcId() == SIZE - 2) {
                        throw new IllegalStateException("an edge cannot be read");
                      }
                      return edge;
                    })
                .rdd(),
            0,
            org.apache.spark.storage.StorageLevel.NONE(),
            org.apache.spark.storage.StorageLevel.NONE(),
            input.vertices().vdTag(),
            scala.reflect.ClassTag$.MODULE$.apply(Double.class));
    assertThatThrownBy(() -> GpuPregel.load(bad, Integer.class, Double.class))
        .hasMessageContaining("an edge cannot be read");
  }

  @Test
  void masksAndReversalsCombine() {
    try (ResidentGraph<Integer, Double> resident = resident();
        ResidentGraph<Integer, Double> turnedThenMasked =
            resident.reversed().masked(id -> id != 40, (from, to) -> from == to + 1 && to >= 5);
        ResidentGraph<Integer, Double> masked =
            resident.masked(id -> id != 40, (from, to) -> to == from + 1 && from >= 5);
        ResidentGraph<Integer, Double> twice = masked.masked(id -> id < 30, null);
        VertexResult<Double> a = Sssp.run(turnedThenMasked, 39, RunOptions.DEFAULT);
        VertexResult<Double> b = Sssp.run(masked.reversed(), 39, RunOptions.DEFAULT);
        VertexResult<Double> c = Sssp.run(twice.reversed(), 29, RunOptions.DEFAULT);
        VertexResult<Integer> d = sums(GpuPregel.on(twice), 1).runVertices()) {
      assertThat(a.collectAsMap()).isEqualTo(b.collectAsMap()).hasSize(SIZE - 1);
      assertThat(a.collectAsMap())
          .containsEntry(5L, 68.0)
          .containsEntry(4L, Double.POSITIVE_INFINITY);
      assertThat(c.collectAsMap()).hasSize(30).containsEntry(5L, 48.0);
      assertThat(d.collectAsMap()).hasSize(30).containsEntry(7L, 13).containsEntry(5L, 5);
      assertThat(twice.containsVertex(40)).isFalse();
      assertThat(twice.containsVertex(29)).isTrue();
    }
  }

  @Test
  void valuesMustBelongToTheGraphsVertices() {
    try (ResidentGraph<Integer, Double> resident = resident();
        ResidentGraph<Integer, Double> masked = resident.masked(id -> id < 30, null);
        VertexResult<Integer> all = sums(GpuPregel.on(resident), 1).runVertices();
        VertexResult<Integer> some = sums(GpuPregel.on(masked), 1).runVertices()) {
      masked.withVertices(all, Integer.class).close();
      assertThatThrownBy(() -> resident.withVertices(some, Integer.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no value for vertex 30");
      assertThatThrownBy(() -> masked.withVertices(value(31, 1), Integer.class, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("vertex 31");
      assertThatThrownBy(() -> masked.withVertices(value(3, null), Integer.class, 0))
          .hasMessageContaining("vertex 3");
    }
  }

  /** One vertex with its value. */
  private JavaPairRDD<Long, Integer> value(long id, Integer value) {
    List<Tuple2<Long, Integer>> one = List.of(new Tuple2<>(id, value));
    return context.parallelizePairs(one);
  }
}
