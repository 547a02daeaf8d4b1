package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.Bfs;
import org.sparkgpugraph.algorithm.ConnectedComponents;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.algorithm.Sssp;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.memory.FaultyDisk;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.held.EdgeHomes;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/**
 * Edges off the heap whose disk, or memory, fails: the same result or an error that names it, and
 * nothing is left.
 */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MappedFaultsTest {
  private static final String EDGES = "spark.gpugraph.memory.edges";
  private static final String FRACTION = "spark.gpugraph.memoryFraction";
  private static final int SCALE = 10;

  /** Of a graph whose edges wait in 4.2 MB, and whose rows take 3.1 beside these. */
  private static final int LARGER = 14;

  private static final double LEFT = 5_500_000;

  private final JavaSparkContext context;
  private final SparkConf conf = SparkEnv.get().conf();
  @TempDir private Path folder;
  private int heldBefore;

  MappedFaultsTest(JavaSparkContext context) {
    this.context = context;
  }

  @BeforeEach
  void count() throws Exception {
    nothingIsLeft();
    heldBefore = ExecutorRegistry.size();
    conf.set(EDGES, "mapped");
  }

  @AfterEach
  void nothingIsHeld() throws Exception {
    conf.remove(EDGES);
    conf.remove(FRACTION);
    // What other tests have left may go meanwhile.
    assertThat(ExecutorRegistry.size())
        .as("graphs, runs, results held")
        .isLessThanOrEqualTo(heldBefore);
    nothingIsLeft();
    replace("env", null);
  }

  private static void nothingIsLeft() throws Exception {
    for (int i = 0; i < 250 && EdgeHomes.bytes() + ExecutorRegistry.buildBytes() > 0; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(EdgeHomes.bytes()).as("bytes off the heap").isZero();
    assertThat(ExecutorRegistry.buildBytes()).as("bytes reserved").isZero();
    assertThat(files()).as("files").isEmpty();
  }

  /** Of edges, by name in Spark's local directories, or open. */
  private static List<Path> files() throws IOException {
    File[] folders = SparkEnv.get().blockManager().diskBlockManager().localDirs();
    Stream<Path> all = Arrays.stream(folders).map(File::toPath).flatMap(MappedFaultsTest::below);
    Path open = Path.of("/proc/self/fd");
    Stream<Path> opened =
        Files.isDirectory(open) ? below(open).map(MappedFaultsTest::target) : Stream.empty();
    return Stream.concat(all, opened).filter(path -> path.toString().contains("edges")).toList();
  }

  private static Stream<Path> below(Path folder) {
    String[] names = folder.toFile().list();
    return names == null ? Stream.empty() : Arrays.stream(names).map(folder::resolve);
  }

  private static Path target(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException e) {
      // It is closed by now.
      return link;
    }
  }

  // ---- graphs ---------------------------------------------------------------------------------

  private static RunOptions options(Integer executors) {
    return new RunOptions(
        EngineChoice.CPU, null, null, executors, RunOptions.Fallback.NEVER, RunObserver.NONE);
  }

  private JavaRDD<EdgeBlock> edges(int scale) {
    return new RmatGraph(scale, 16, 7).edges(context, 4, true, false);
  }

  private ResidentGraph<Object, Double> load(int executors) {
    return load(SCALE, executors);
  }

  private ResidentGraph<Object, Double> load(int scale, int executors) {
    return GpuPregel.load(edges(scale), Double.class, options(executors));
  }

  private static <R> Map<Long, R> read(VertexResult<R> result) {
    try (result) {
      return result.collectAsMap();
    }
  }

  private List<Map<Long, ?>> results(ResidentGraph<Object, Double> graph) {
    RunOptions options = options(null);
    return List.of(
        read(PageRank.run(graph, 2, 0.15, options)),
        // Of rows that are made now.
        read(PageRank.run(graph.reversed(), 1, 0.15, options)));
  }

  private List<Map<Long, ?>> results(int executors) {
    return results(SCALE, executors);
  }

  private List<Map<Long, ?>> results(int scale, int executors) {
    try (ResidentGraph<Object, Double> graph = load(scale, executors)) {
      return results(graph);
    }
  }

  /** Leaves the heap no room for rows beside the edges, once earlier graphs are gone from it. */
  private void fillHeap() throws Exception {
    nothingIsLeft();
    conf.set(EDGES, "auto");
    double room = ExecutorRegistry.bytes() + LEFT;
    conf.set(FRACTION, String.valueOf(room / Runtime.getRuntime().maxMemory()));
  }

  /** Replaces what edges of this application are put to. */
  private static void replace(String home, Object other) throws ReflectiveOperationException {
    EdgeHomes.forced();
    Field field = EdgeHomes.class.getDeclaredField(home);
    field.setAccessible(true);
    field.set(null, other);
  }

  /** Has mapped files be on a disk that fails when it is told to. */
  private FaultyDisk faulty() throws ReflectiveOperationException {
    FaultyDisk disk = new FaultyDisk();
    replace("mapped", disk.mapped(List.of(folder)));
    return disk;
  }

  // ---- what is gone ---------------------------------------------------------------------------

  private void lose(ResidentGraph<Object, Double> graph) {
    GraphHandle handle = Internals.state(graph).handle();
    for (int shard = 0; shard < handle.executors(); shard++) {
      lose(handle, shard);
    }
  }

  private void lose(GraphHandle handle, int shard) {
    for (GraphPartition part : ExecutorRegistry.graph(handle.key(shard)).graph().partitions()) {
      FaultyDisk.lose(part.inEdges().offHeap(), folder);
    }
  }

  /** With a local master an error of the JVM would end the application. */
  @Test
  void edgesThatADiskNoLongerGivesAreTold() {
    List<Map<Long, ?>> wanted = results(1);
    try (ResidentGraph<Object, Double> graph = load(1)) {
      lose(graph);
      RunOptions options = options(null);
      List<Runnable> runs =
          List.of(
              () -> PageRank.run(graph, 2, 0.15, options).close(),
              () -> ConnectedComponents.run(graph, Integer.MAX_VALUE, options).close(),
              () -> graph.masked(id -> id % 2 == 0, null).close());
      for (Runnable run : runs) {
        assertThatThrownBy(run::run)
            .isInstanceOf(OffHeapMemoryException.class)
            .hasMessageContaining("cannot be read")
            .hasMessageContaining("load the graph again");
      }
    }
    assertThat(results(1)).isEqualTo(wanted);
  }

  /** Some of several, or all; what is made of the graph once more is lost with it. */
  @Test
  void shardsThatADiskNoLongerGivesAreLoadedAgain() {
    int executors = 3;
    List<Map<Long, ?>> wanted = results(executors);
    try (ResidentGraph<Object, Double> graph = load(executors)) {
      Map<Long, ?> components =
          read(ConnectedComponents.run(graph, Integer.MAX_VALUE, options(null)));
      GraphHandle before = Internals.state(graph).handle();
      lose(before, 1);
      assertThat(results(graph)).isEqualTo(wanted);
      GraphHandle after = Internals.state(graph).handle();
      assertThat(after.key()).isNotEqualTo(before.key());
      lose(graph);
      // Who derives a graph does not load anything.
      assertThatThrownBy(() -> graph.masked(id -> id % 2 == 0, null))
          .isInstanceOf(OffHeapMemoryException.class)
          .hasMessageContaining("load the graph again");
      assertThat(read(ConnectedComponents.run(graph, Integer.MAX_VALUE, options(null))))
          .isEqualTo(components);
      assertThat(results(graph)).isEqualTo(wanted);
    }
  }

  /** Where that is so again before a run has got further, it ends. */
  @Test
  void aDiskThatNeverGivesEdgesIsTold() {
    try (ResidentGraph<Object, Double> graph = load(3)) {
      AtomicInteger lost = new AtomicInteger();
      RunObserver observer =
          new RunObserver() {
            @Override
            public void superstepEnded(SuperstepStats stats) {
              if (stats.superstep() == 1) {
                lost.incrementAndGet();
                lose(graph);
              }
            }
          };
      assertThatThrownBy(
              () -> PageRank.run(graph, 3, 0.15, options(null).withObserver(observer)).close())
          .isInstanceOf(OffHeapMemoryException.class)
          .hasMessageContaining("load the graph again");
      assertThat(lost).hasValue(2);
    }
  }

  /** What is uploaded of such edges is no failure of the device, and does not stay there. */
  @Test
  void edgesThatADiskNoLongerGivesAGpuAreTold() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    RunOptions emulated = options(null).withEngine(EngineChoice.EMULATED);
    long before = ExecutorRegistry.engines().deviceBytes();
    try (ResidentGraph<Object, Double> graph =
        GpuPregel.load(edges(SCALE), Double.class, emulated.withExecutors(1))) {
      lose(graph);
      assertThatThrownBy(() -> PageRank.run(graph, 2, 0.15, emulated).close())
          .isInstanceOf(OffHeapMemoryException.class)
          .hasMessageContaining("cannot be read");
    }
    assertThat(ExecutorRegistry.engines().deviceBytes()).isEqualTo(before);
  }

  // ---- what is full ---------------------------------------------------------------------------

  /** At some moments of a load, and of runs that turn rows round. */
  @ParameterizedTest(name = "{0} executors")
  @ValueSource(ints = {1, 3})
  void aDiskThatFillsUpIsTold(int executors) throws Exception {
    FaultyDisk disk = faulty();
    List<Map<Long, ?>> wanted = results(executors);
    long whole = disk.written();
    load(executors).close();
    long ofLoad = disk.written();
    assertThat(ofLoad).isBetween(1L, whole - 1);
    for (double part : new double[] {0, 0.5, 0.99}) {
      disk.leave((long) (part * ofLoad));
      assertThatThrownBy(() -> load(executors))
          .as("%s of the load", part)
          .isInstanceOf(OffHeapMemoryException.class)
          .hasMessageContaining("cannot be written to the file " + folder)
          .hasMessageContaining("No space left on device");
    }
    disk.leave(Long.MAX_VALUE);
    try (ResidentGraph<Object, Double> graph = load(executors)) {
      disk.leave((whole - ofLoad) / 2);
      assertThatThrownBy(() -> results(graph))
          .isInstanceOf(OffHeapMemoryException.class)
          .hasMessageContaining("No space left on device");
      // There is room again.
      disk.leave(Long.MAX_VALUE);
      assertThat(results(graph)).isEqualTo(wanted);
    }
  }

  /** Values that a program asks for first are loaded then; without them the graph is as it was. */
  @ParameterizedTest(name = "{0} executors")
  @ValueSource(ints = {1, 3})
  void aDiskThatFillsUpWhileValuesAreLoaded(int executors) throws Exception {
    FaultyDisk disk = faulty();
    Graph<Double, Double> ring =
        TestGraph.ofEdges("path", 50, path(50)).toGraphx(context, 3, Double.class, Double.class);
    try (ResidentGraph<Double, Double> graph =
        GpuPregel.load(ring, Double.class, Double.class, options(executors))) {
      RunOptions options = options(null);
      disk.leave(0);
      assertThatThrownBy(() -> Sssp.run(graph, 0, options))
          .isInstanceOf(OffHeapMemoryException.class)
          .hasMessageContaining("No space left on device");
      disk.leave(Long.MAX_VALUE);
      assertThat(read(Bfs.run(graph, 0, options))).containsEntry(49L, 49);
      assertThat(read(Sssp.run(graph, 0, options))).containsEntry(49L, 49.0);
    }
    ring.unpersist(true);
  }

  private static List<int[]> path(int vertices) {
    return IntStream.range(1, vertices).mapToObj(v -> new int[] {v - 1, v}).toList();
  }

  /** Who did not ask for files is told of the heap. */
  @Test
  void whereTheHeapIsFullToo() throws Exception {
    FaultyDisk disk = faulty();
    fillHeap();
    disk.leave(500_000);
    assertThatThrownBy(() -> load(LARGER, 1)).isInstanceOf(GraphMemoryException.class);
    assertThat(disk.written()).isPositive();
    disk.leave(Long.MAX_VALUE);
    try (ResidentGraph<Object, Double> graph = load(LARGER, 1)) {
      assertThat(EdgeHomes.mappedBytes()).isPositive();
      assertThat(graph.edgeCount()).isEqualTo(16L << LARGER);
    }
  }

  // ---- what is refused ------------------------------------------------------------------------

  @Test
  void memoryThatTheSystemRefusesIsTakenOfFilesWhereItMay() throws Exception {
    List<Map<Long, ?>> wanted = results(LARGER, 1);
    conf.set(EDGES, "off-heap");
    for (int buffers : new int[] {0, 3}) {
      memoryThatTheSystemRefuses(1, buffers);
      memoryThatTheSystemRefuses(3, buffers);
    }
    // Mapped files have what it refuses, where they may.
    fillHeap();
    AtomicInteger buffers = new AtomicInteger(3);
    replace("direct", FaultyDisk.refusing(1 << 30, buffers));
    try (ResidentGraph<Object, Double> graph = load(LARGER, 1)) {
      conf.remove(FRACTION);
      assertThat(buffers).as("buffers that were left").hasNegativeValue();
      assertThat(EdgeHomes.mappedBytes()).isPositive();
      assertThat(results(graph)).isEqualTo(wanted);
    }
  }

  private void memoryThatTheSystemRefuses(int executors, int buffers) throws Exception {
    replace("direct", FaultyDisk.refusing(1 << 30, new AtomicInteger(buffers)));
    assertThatThrownBy(() -> load(executors))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageContaining("the system refuses memory for an array of")
        .hasMessageContaining("set spark.gpugraph.memory.edges = mapped");
  }

  // ---- what is stopped, what is closed --------------------------------------------------------

  /** In the midst of what a task, or one of its helpers, writes. */
  @ParameterizedTest(name = "{0} executors")
  @ValueSource(ints = {1, 3})
  void aLoadThatIsCancelledWhileItWritesLeavesNothing(int executors) throws Exception {
    FaultyDisk disk = faulty();
    load(executors).close();
    String group = "mapped faults " + executors;
    CountDownLatch cancelled = new CountDownLatch(1);
    disk.behind(
        disk.written() / 2,
        () -> {
          cancelled.countDown();
          context.cancelJobGroup(group);
          try {
            TimeUnit.SECONDS.sleep(2);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    context.setJobGroup(group, "a load", true);
    try {
      assertThatThrownBy(() -> load(executors)).hasMessageContaining("cancelled");
    } finally {
      context.clearJobGroup();
    }
    assertThat(cancelled.getCount()).isZero();
  }

  /** Nobody has the collector look but what is tested. */
  @Test
  void whatIsClosedIsGivenBackSoon() throws Exception {
    try (ResidentGraph<Object, Double> graph =
        GpuPregel.load(edges(17), Double.class, options(1))) {
      // Neighbours and values; what waited for them is gone.
      awaitBytes(graph.edgeCount() * (4 + 8));
    }
    awaitBytes(0);
  }

  private static void awaitBytes(long bytes) throws InterruptedException {
    for (int i = 0; i < 1000 && EdgeHomes.bytes() > bytes; i++) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(EdgeHomes.bytes()).isEqualTo(bytes);
  }
}
