package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.cluster.Placement;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.held.EdgeHomes;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeapReservation;
import org.sparkgpugraph.runtime.held.Staging;
import org.sparkgpugraph.runtime.observe.LoadProgress;
import org.sparkgpugraph.testing.JobProcess;
import org.sparkgpugraph.testing.SharedSpark;

/** What loading a graph reserves of the heap, and what it refuses. */
@ExtendWith(SharedSpark.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("any-spark")
class LoadMemoryTest {
  private static final RmatGraph SMALL = new RmatGraph(14, 16, 7);
  private static final AtomicInteger MADE = new AtomicInteger();
  private static volatile CountDownLatch reading;
  private static volatile CountDownLatch never;

  private final JavaSparkContext context;

  LoadMemoryTest(JavaSparkContext context) {
    this.context = context;
  }

  @BeforeEach
  void reset() {
    MADE.set(0);
    reading = new CountDownLatch(1);
    never = new CountDownLatch(1);
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    SparkEnv.get().conf().remove("spark.gpugraph.memoryFraction");
    SparkEnv.get().conf().remove("spark.gpugraph.memory.edges");
    never.countDown();
    // Tasks of a job that has failed end a little later, and until it is cancelled others begin.
    int quiet = 0;
    for (int i = 0; i < 1000 && quiet < 10; i++) {
      quiet = runningTasks() > 0 || ExecutorRegistry.buildBytes() > 0 ? 0 : quiet + 1;
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(ExecutorRegistry.buildBytes()).isZero();
    assertThat(quiet).as("looks that found no task").isEqualTo(10);
  }

  /** Those that have a thread: what Spark's status says is late. */
  private static long runningTasks() {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            frames ->
                Arrays.stream(frames)
                    .anyMatch(frame -> frame.getClassName().endsWith("Executor$TaskRunner")))
        .count();
  }

  private static RunOptions options(int executors) {
    return new RunOptions(
        EngineChoice.CPU, null, null, executors, RunOptions.Fallback.NEVER, RunObserver.NONE);
  }

  private JavaRDD<EdgeBlock> edges() {
    return SMALL.edges(context, 4, false, false);
  }

  /** Of which nobody knows how many there are. */
  private JavaRDD<EdgeBlock> made() {
    return edges()
        .map(
            block -> {
              MADE.incrementAndGet();
              return block;
            });
  }

  private static ResidentGraph<Object, Object> load(JavaRDD<EdgeBlock> edges, int executors) {
    return GpuPregel.load(edges, Object.class, options(executors));
  }

  /** Leaves that many bytes beside what is held, to edges too. */
  private static void leave(long bytes) {
    leave(bytes, "heap");
  }

  /**
   * Leaves that many bytes of the heap beside what is held.
   *
   * @param edges where edges may be
   */
  private static void leave(long bytes, String edges) {
    SparkConf conf = SparkEnv.get().conf();
    conf.set("spark.gpugraph.memory.edges", edges);
    double all = ExecutorRegistry.bytes() + (double) bytes;
    conf.set(
        "spark.gpugraph.memoryFraction", String.valueOf(all / Runtime.getRuntime().maxMemory()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aLoadThatSucceedsGivesBackAllButTheGraph(int executors) {
    try (ResidentGraph<Object, Object> graph = load(made(), executors)) {
      assertThat(ExecutorRegistry.buildBytes()).isZero();
      assertThat(graph.edgeCount()).isEqualTo(SMALL.edges());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aLoadThatFailsGivesBackAll(int executors) {
    JavaRDD<EdgeBlock> failing =
        edges()
            .map(
                block -> {
                  if (MADE.incrementAndGet() == 9) {
                    throw new IllegalStateException("the ninth block is bad");
                  }
                  return block;
                });
    assertThatThrownBy(() -> load(failing, executors))
        .hasStackTraceContaining("the ninth block is bad");
  }

  @Test
  void aLoadThatIsInterruptedGivesBackAll() throws InterruptedException {
    JavaRDD<EdgeBlock> slow =
        edges()
            .map(
                block -> {
                  if (MADE.incrementAndGet() == 9) {
                    reading.countDown();
                    never.await();
                  }
                  return block;
                });
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread loading = new Thread(() -> thrown.set(catchThrowable(() -> load(slow, 1))));
    loading.start();
    reading.await();
    assertThat(ExecutorRegistry.buildBytes()).as("blocks that wait").isPositive();
    loading.interrupt();
    loading.join();
    assertThat(thrown.get()).isNotNull();
  }

  /** 2 MB in blocks of 128 kB. */
  @Test
  void edgesThatDoNotFitAreRefusedWhileTheyAreRead() {
    leave(600_000);
    assertThatThrownBy(() -> load(made(), 1))
        .isInstanceOf(GraphMemoryException.class)
        .hasMessageMatching(
            "graph \\S+ does not fit executor driver: it needs at least \\d+ bytes, and \\d+ bytes"
                + " are free for graphs, of a heap of \\d+ bytes .*spark.driver.memory.*");
    assertThat(MADE.get()).isLessThan(16);
  }

  /** Where the heap has room nothing is elsewhere, and where it has none nothing is refused. */
  @ParameterizedTest(name = "{0} bytes an edge")
  @ValueSource(doubles = {9, 12.5, 14, 17, 21, 30})
  void edgesLeaveTheHeapWhereItRefusesThemOnly(double bytes) {
    long left = (long) (SMALL.edges() * bytes);
    leave(left, "heap");
    Throwable refused = catchThrowable(() -> load(made(), 1).close());
    leave(left, "auto");
    long elsewhere = EdgeHomes.bytes();
    try (ResidentGraph<Object, Object> graph = load(made(), 1)) {
      assertThat(graph.edgeCount()).isEqualTo(SMALL.edges());
      if (refused == null) {
        assertThat(EdgeHomes.bytes()).isLessThanOrEqualTo(elsewhere);
      } else {
        refused(refused);
        assertThat(EdgeHomes.bytes()).isPositive();
      }
    }
  }

  /** Blocks fit, rows beside them do not. */
  @Test
  void rowsThatDoNotFitBesideTheEdgesAreRefused() {
    leave(SMALL.edges() * 9);
    assertThatThrownBy(() -> load(made(), 1)).isInstanceOf(GraphMemoryException.class);
    assertThat(MADE.get()).isEqualTo(16);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aGeneratedGraphThatDoesNotFitIsRefusedBeforeAnythingIsGenerated(int executors) {
    JavaRDD<EdgeBlock> huge =
        KnownEdges.map(
            new RmatGraph(36, 16, 1).edges(context, 2, false, false),
            block -> {
              MADE.incrementAndGet();
              return block;
            });
    assertThatThrownBy(() -> load(huge, executors))
        .isInstanceOf(GraphMemoryException.class)
        .hasMessageContaining("it needs at least " + (16L << 36) * 12 + " bytes");
    assertThat(MADE).hasValue(0);
  }

  /** Blocks fit, and whether the heap must have rows beside them turns out later. */
  @Test
  void aGeneratedGraphWhoseRowsAGpuMayMakeIsGeneratedFirst() {
    leave(SMALL.edges() * 10);
    JavaRDD<EdgeBlock> counted = counted(false);
    Throwable thrown =
        catchThrowable(
            () ->
                GpuPregel.load(counted, Object.class, options(1).withEngine(EngineChoice.AUTO))
                    .close());
    assertThat(MADE).hasValue(16);
    assertThat(thrown).satisfiesAnyOf(none -> assertThat(none).isNull(), LoadMemoryTest::refused);
  }

  /** Weights are left behind where edges are sent to several executors. */
  @Test
  void valuesThatAreNotWantedDoNotCountBeforeAnythingIsGenerated() {
    leave(SMALL.edges() * 16);
    JavaRDD<EdgeBlock> counted = counted(true);
    assertThatThrownBy(() -> load(counted, 1)).satisfies(LoadMemoryTest::refused);
    assertThat(MADE).hasValue(0);
    Throwable thrown = catchThrowable(() -> load(counted, 3).close());
    assertThat(MADE).hasPositiveValue();
    assertThat(thrown).satisfiesAnyOf(none -> assertThat(none).isNull(), LoadMemoryTest::refused);
  }

  private static void refused(Throwable thrown) {
    assertThat(thrown).isInstanceOf(GraphMemoryException.class);
  }

  private JavaRDD<EdgeBlock> counted(boolean weighted) {
    return KnownEdges.map(
        SMALL.edges(context, 4, weighted, false),
        block -> {
          MADE.incrementAndGet();
          return block;
        });
  }

  /** What one task has ahead another may need. */
  @Test
  void whereMemoryIsShortNobodyReservesAhead() {
    leave(3 << 20);
    String key = RegistryKey.of(context.sc(), "graph");
    Staging staging = new Staging(key, null);
    EdgeBlock block = new IntEdgeBlock(1 << 16, new int[1 << 16], new int[1 << 16], null);
    List<Long> reserved = new ArrayList<>();
    Iterator<EdgeBlock> blocks =
        Stream.of(block, block)
            .map(
                next -> {
                  reserved.add(ExecutorRegistry.buildBytes());
                  return next;
                })
            .iterator();
    try (LoadProgress.Watch watch = LoadProgress.begin(context.sc(), key, 1, true, null)) {
      staging.edges(0, blocks, watch.counter()::edges);
    } finally {
      staging.close();
    }
    assertThat(reserved).containsExactly(0L, block.bytes());
  }

  /** A task that is run again brings what it has brought before. */
  @Test
  void blocksThatComeAgainAreReservedOnce() {
    String key = RegistryKey.of(context.sc(), "graph");
    Staging staging = new Staging(key, null);
    try (LoadProgress.Watch watch = LoadProgress.begin(context.sc(), key, 1, true, null)) {
      for (int i = 0; i < 3; i++) {
        staging.vertices(0, List.of(new VertexBlock(4, new long[] {1, 2, 3, 4}, null, 4, null)));
        staging.edges(
            0,
            List.<EdgeBlock>of(new IntEdgeBlock(1, new int[] {1}, new int[] {2}, null)).iterator(),
            watch.counter()::edges);
        assertThat(ExecutorRegistry.buildBytes()).isEqualTo(4 * 8 + 8);
      }
    } finally {
      staging.close();
      assertThat(ExecutorRegistry.buildBytes()).isZero();
    }
  }

  /** Whose tasks all ask the same lock: what each asks must not take as long as all others have. */
  @Test
  void manyPartitionsReserveInAMoment() {
    String key = RegistryKey.of(context.sc(), "graph");
    List<HeapReservation> all = new ArrayList<>();
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int i = 0; i < 1 << 17; i++) {
            HeapReservation one = new HeapReservation(key, i % 2 == 0);
            all.add(one);
            one.acquire(8);
          }
          assertThat(ExecutorRegistry.buildBytes()).isEqualTo(8L << 17);
          all.forEach(HeapReservation::close);
        });
  }

  /** Which executors hold a graph is known before it is read. */
  @Test
  void executorsThatCannotHoldAGraphAreNotAskedTo() {
    long heap = (long) context.sc().executorMemory() << 20;
    Placement.checkRoom(context.sc(), "app/graph", 4, 3 * heap);
    assertThatThrownBy(() -> Placement.checkRoom(context.sc(), "app/graph", 3, 3 * heap))
        .isInstanceOf(GraphMemoryException.class)
        .hasMessageStartingWith(
            "graph app/graph does not fit 3 executors: it needs at least " + 3 * heap)
        .hasMessageContaining("of a heap of " + heap + " bytes")
        .hasMessageContaining(
            "raise spark.executor.memory, or spread the graph over more executors"
                + " (spark.gpugraph.executors)");
  }

  /**
   * In a heap of 500 MB, where the blocks alone fit; and then the next smaller one still loads. The
   * third one uses up the bound: it may find no memory in one piece.
   */
  @Test
  void aLargeGraphIsRefusedBeforeMemoryEndsAndOneThatFitsLoads() throws Exception {
    JobProcess.Ended ended = JobProcess.run("500m", LoadMemoryJob.class);
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output().lines().filter(line -> line.startsWith("scale ")))
        .satisfiesExactly(
            line ->
                assertThat(line).contains("scale 21 refused", "does not fit executor driver: it"),
            line -> assertThat(line).isEqualTo("scale 20 loaded, 16777216 edges"),
            line -> assertThat(line).startsWith("scale 20 weighted "));
    assertThat(ended.output()).doesNotContain("OutOfMemoryError");
  }
}
