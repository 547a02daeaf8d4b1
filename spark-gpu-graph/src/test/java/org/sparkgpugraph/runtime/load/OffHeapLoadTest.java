package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.Bfs;
import org.sparkgpugraph.algorithm.ConnectedComponents;
import org.sparkgpugraph.algorithm.Louvain;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.algorithm.Sssp;
import org.sparkgpugraph.algorithm.TriangleCount;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.memory.MappedMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.run.GraphEstimate;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.held.EdgeHomes;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.SharedSpark;

/** Graphs whose edges are loaded to where the heap is not. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class OffHeapLoadTest {
  private static final String EDGES = "spark.gpugraph.memory.edges";
  private static final String OVERHEAD = "spark.driver.memoryOverhead";
  private static final String FRACTION = "spark.gpugraph.memoryFraction";

  private final JavaSparkContext context;
  private List<String> notes = List.of();
  private ExecutorMemory memory;

  OffHeapLoadTest(JavaSparkContext context) {
    this.context = context;
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    SparkEnv.get().conf().remove(EDGES);
    SparkEnv.get().conf().remove(FRACTION);
    nothingIsThere();
    // Tasks of a job that has failed end a little later.
    for (int i = 0; i < 100 && ExecutorRegistry.buildBytes() > 0; i++) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(ExecutorRegistry.buildBytes()).isZero();
  }

  /** Also what others have left to the collector. */
  @BeforeEach
  void nothingIsThere() throws InterruptedException {
    nothingIsHeld();
  }

  private static void nothingIsHeld() throws InterruptedException {
    for (int i = 0; i < 100 && EdgeHomes.bytes() > 0; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(EdgeHomes.bytes()).isZero();
  }

  private static RunOptions options(Integer executors) {
    return new RunOptions(
        EngineChoice.CPU, null, null, executors, RunOptions.Fallback.NEVER, RunObserver.NONE);
  }

  private <E> ResidentGraph<Object, E> load(int scale, Class<E> type, int executors) {
    boolean weighted = type == Double.class;
    JavaRDD<EdgeBlock> edges = new RmatGraph(scale, 16, 7).edges(context, 4, weighted, false);
    return GpuPregel.load(edges, type, options(executors));
  }

  private static <R> Map<Long, R> read(VertexResult<R> result) {
    try (result) {
      return result.collectAsMap();
    }
  }

  private List<Map<Long, ?>> results(int scale, int executors) {
    RunOptions options = options(null);
    try (ResidentGraph<Object, Object> graph = load(scale, Object.class, executors)) {
      return List.of(
          read(PageRank.run(graph, 5, 0.15, options)),
          read(Bfs.run(graph, 1, options)),
          read(ConnectedComponents.run(graph, Integer.MAX_VALUE, options)),
          read(TriangleCount.run(graph, options)),
          read(Louvain.run(graph, Louvain.Conf.DEFAULT, options)));
    }
  }

  /** To be asked while the graph is open: the collector takes what nobody holds. */
  private static void edgesAreWhereTheyWereWanted() {
    String home = SparkEnv.get().conf().get(EDGES);
    assertThat(EdgeHomes.mappedBytes() > 0).as("%s: mapped", home).isEqualTo(home.equals("mapped"));
  }

  private List<Map<Long, ?>> weightedResults(int executors) {
    RunOptions options = options(null);
    try (ResidentGraph<Object, Double> graph = load(11, Double.class, executors)) {
      edgesAreWhereTheyWereWanted();
      return List.of(
          read(Sssp.run(graph, 1, options)),
          read(Louvain.runWeighted(graph, Louvain.Conf.DEFAULT, options)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void resultsAreThoseOfTheHeapToTheBit(int executors) {
    SparkConf conf = SparkEnv.get().conf();
    conf.set(EDGES, "heap");
    List<Map<Long, ?>> wanted = results(11, executors);
    List<Map<Long, ?>> weighted = weightedResults(executors);
    conf.set(EDGES, "mapped");
    assertThat(weightedResults(executors)).isEqualTo(weighted);
    assertThat(results(11, executors)).isEqualTo(wanted);
  }

  private Map<Long, Double> ranks() {
    try (ResidentGraph<Object, Object> graph = load(17, Object.class, 1)) {
      VertexResult<Double> ranks = PageRank.run(graph, 3, 0.15, options(null));
      notes = ranks.report().notes();
      memory = ranks.report().memory().get(0);
      return read(ranks);
    }
  }

  /** Of 17 MB of edges that wait, and 8 MB of rows. */
  @ParameterizedTest(name = "{0} bytes: too few for edges that wait, or for rows beside them")
  @ValueSource(longs = {14_000_000, 20_000_000})
  void whatTheHeapHasNoRoomForIsMapped(long left) {
    SparkConf conf = SparkEnv.get().conf();
    conf.set(EDGES, "heap");
    Map<Long, Double> wanted = ranks();
    conf.set(EDGES, "auto");
    leave(left);
    assertThat(notes).noneMatch(note -> note.contains("off the heap"));
    assertThat(memory.edges().onHeap()).isGreaterThan(8_388_608);
    assertThat(memory.edges().mapped()).isZero();
    assertThat(ranks()).isEqualTo(wanted);
    assertThat(memory.edges().mapped()).isEqualTo(8_388_608);
    // Where rows begin.
    assertThat(memory.edges().onHeap()).isBetween(1L, 8_388_607L);
    assertThat(memory.edges().offHeap()).isZero();
    assertThat(memory.offHeapLimit()).isZero();
    assertThat(memory.diskFree()).isPositive();
    assertThat(memory.heap().forGraphs()).isLessThan(memory.heap().most() / 2);
    assertThat(memory.heap().loadPeak()).isBetween(left, memory.heap().most());
    assertThat(notes)
        .contains(
            "walks 8,388,608 bytes of neighbours off the heap, 8,388,608 of them in mapped files");
  }

  /** Leaves so many bytes of the heap, which edges take as they wait alone. */
  private static void leave(long bytes) {
    double room = ExecutorRegistry.bytes() + (double) bytes;
    SparkEnv.get().conf().set(FRACTION, String.valueOf(room / Runtime.getRuntime().maxMemory()));
  }

  private List<Map<Long, ?>> distancesAndRanks(int executors) {
    try (ResidentGraph<Object, Double> graph = load(17, Double.class, executors)) {
      // A run's values for three executors are as much as the heap had left.
      SparkEnv.get().conf().remove(FRACTION);
      VertexResult<Double> distances = Sssp.run(graph, 1, options(null));
      notes = distances.report().notes();
      memory = distances.report().memory().get(0);
      return List.of(read(distances), read(PageRank.run(graph, 2, 0.15, options(null))));
    }
  }

  /** 34 MB of edges that wait with their values, and 25 MB of rows. */
  @Test
  void edgesWithValuesNeverAreOnAHeapThatHasNoRoomForThem() throws InterruptedException {
    SparkConf conf = SparkEnv.get().conf();
    conf.set(EDGES, "heap");
    List<Map<Long, ?>> wanted = distancesAndRanks(1);
    leave(34_000_000);
    assertThatThrownBy(() -> distancesAndRanks(1)).isInstanceOf(GraphMemoryException.class);
    conf.set(EDGES, "auto");
    leave(34_000_000);
    assertThat(distancesAndRanks(1)).isEqualTo(wanted);
    assertThat(notes)
        .contains(
            "walks 8,388,608 bytes of neighbours and 16,777,216 of edge values off the heap,"
                + " 25,165,824 of them in mapped files");
    nothingIsHeld();
    // Of three executors, here of one heap, two sort at a time, and know nothing of each other.
    leave(70_000_000);
    assertThat(distancesAndRanks(3).get(0)).isEqualTo(wanted.get(0));
    assertThat(memory.edges().mapped()).isPositive();
  }

  /** As where the disks of Spark's local directories are full. */
  @ParameterizedTest(name = "{0} executors")
  @ValueSource(ints = {1, 3})
  void whereNothingHasRoomTheHeapIsTold(int executors) throws Exception {
    SparkConf conf = SparkEnv.get().conf();
    conf.set(EDGES, "mapped");
    EdgeHomes.forced();
    Field mapped = EdgeHomes.class.getDeclaredField("mapped");
    mapped.setAccessible(true);
    Object before = mapped.get(null);
    mapped.set(null, new MappedMemory(List.of(Path.of("/proc")), null));
    try {
      assertThatThrownBy(() -> load(17, Double.class, executors))
          .isInstanceOf(OffHeapMemoryException.class)
          .hasMessageContaining("does not fit the disk of any local directory of Spark ([/proc]");
      conf.set(EDGES, "auto");
      leave(14_000_000);
      assertThatThrownBy(() -> load(17, Double.class, executors))
          .isInstanceOf(GraphMemoryException.class);
    } finally {
      mapped.set(null, before);
    }
  }

  /** What is told is looked at once for each application. */
  private static void tell(String overhead) throws ReflectiveOperationException {
    SparkConf conf = SparkEnv.get().conf();
    if (overhead == null) {
      conf.remove(OVERHEAD);
    } else {
      conf.set(OVERHEAD, overhead);
    }
    Field looked = EdgeHomes.class.getDeclaredField("env");
    looked.setAccessible(true);
    looked.set(null, null);
  }

  @Test
  void memoryThatSparkWasToldOfIsTakenBeforeFiles() throws Exception {
    SparkConf conf = SparkEnv.get().conf();
    conf.set(EDGES, "heap");
    Map<Long, Double> wanted = ranks();
    // 384 MB are others'.
    tell("448m");
    try {
      conf.set(EDGES, "off-heap");
      assertThat(ranks()).isEqualTo(wanted);
      assertThat(memory.edges().offHeap()).isEqualTo(8_388_608);
      assertThat(memory.edges().mapped()).isZero();
      assertThat(memory.offHeapLimit()).isEqualTo(64L << 20);
      nothingIsThere();
      conf.set(EDGES, "auto");
      leave(14_000_000);
      assertThat(ranks()).isEqualTo(wanted);
      assertThat(notes)
          .contains("walks 8,388,608 bytes of neighbours off the heap, 0 of them in mapped files");
      nothingIsThere();
    } finally {
      tell(null);
    }
  }

  /** Both outside of the heap and of it. */
  @ParameterizedTest(name = "bytes of an edge''s value: {0}")
  @ValueSource(ints = {0, 8})
  void whatWasEstimatedIsEnough(int valueBytes) throws Exception {
    SparkConf conf = SparkEnv.get().conf();
    Class<?> type = valueBytes > 0 ? Double.class : Object.class;
    JavaRDD<EdgeBlock> edges = new RmatGraph(17, 16, 7).edges(context, 4, valueBytes > 0, false);
    GraphEstimate estimate = GraphSizing.of(edges, null, options(1), valueBytes, 8);
    GraphEstimate.Outside outside = estimate.outside();
    assertThat(estimate.edgesOnHeap()).isTrue();
    assertThat(outside.heapBytes()).isLessThan(estimate.loadingBytes());
    tell((384 + (outside.loadingBytes() >> 20) + 1) + "m");
    try {
      conf.set(EDGES, "off-heap");
      leave(outside.heapBytes());
      try (ResidentGraph<Object, ?> graph = load(17, type, 1)) {
        assertThat(EdgeHomes.bytes()).isBetween(4 * graph.edgeCount(), outside.loadingBytes());
        PageRank.run(graph, 2, 0.15, options(null)).close();
      }
      nothingIsThere();
    } finally {
      tell(null);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aGpuIsGivenThemFromThere(int executors) {
    RunOptions emulated = options(executors).withEngine(EngineChoice.EMULATED);
    List<Map<Long, Double>> found = new ArrayList<>();
    for (String home : List.of("heap", "mapped")) {
      SparkEnv.get().conf().set(EDGES, home);
      JavaRDD<EdgeBlock> edges = new RmatGraph(8, 16, 7).edges(context, 4, true, false);
      try (ResidentGraph<Object, Double> graph = GpuPregel.load(edges, Double.class, emulated)) {
        edgesAreWhereTheyWereWanted();
        RunOptions run = options(null).withEngine(EngineChoice.EMULATED);
        found.add(read(PageRank.run(graph, 3, 0.15, run)));
        found.add(read(Sssp.run(graph, 1, run)));
        if (executors == 1) {
          VertexResult<Double> relaxed = Sssp.run(graph, 1, run.withKernel(KernelChoice.ASYNC));
          assertThat(
                  String.join("; ", relaxed.report().notes()).contains("in buckets, not in tiles"))
              .isEqualTo(home.equals("mapped"));
          found.add(read(relaxed));
        }
      }
    }
    int half = found.size() / 2;
    assertThat(found.subList(half, 2 * half)).isEqualTo(found.subList(0, half));
  }

  @ParameterizedTest(name = "{0} executors")
  @ValueSource(ints = {1, 3})
  void memoryOffTheHeapThatSparkWasNotToldOfIsRefused(int executors) {
    SparkEnv.get().conf().set(EDGES, "off-heap");
    assertThatThrownBy(() -> load(11, Object.class, executors))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageMatching("an array of [0-9,]+ bytes of a graph's edges does not fit.*")
        .hasMessageContaining("0 of 0 bytes are free")
        .hasMessageContaining("set spark.memory.offHeap.enabled and spark.memory.offHeap.size")
        .hasMessageContaining("spark.driver.memoryOverhead");
  }

  @Test
  void moreEdgesThanAnIndexCountsAreSeveralPartitions() {
    assertThat(Loading.leastPartitions(0)).isEqualTo(1);
    assertThat(Loading.leastPartitions(GraphPartition.MAX_EDGES)).isEqualTo(1);
    assertThat(Loading.leastPartitions(GraphPartition.MAX_EDGES + 1L)).isEqualTo(3);
    assertThat(Loading.leastPartitions(1L << 34)).isEqualTo(17);
  }
}
