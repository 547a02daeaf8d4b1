package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.assertj.core.data.Percentage;
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
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceUnavailableException;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.lib.TriangleCount;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.conf.ConfigEntry;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.device.DeviceFinder;
import org.sparkgpugraph.runtime.device.EmulatedFinder;
import org.sparkgpugraph.runtime.device.EngineDevice;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.device.OpenDevice;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.Tuple2;

/**
 * Jobs on devices through Spark: the emulated one, and some that fail as devices do. Engines are
 * put in place of this process's own, so that no GPU of the machine takes part.
 */
@ExtendWith(SharedSpark.class)
public class DeviceJobTest {
  private static final long SEED = 20261120;
  private static final RunOptions AUTO = RunOptions.DEFAULT.withEngine(EngineChoice.AUTO);
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
  private static final RunOptions CUDA = RunOptions.DEFAULT.withEngine(EngineChoice.CUDA);
  private static final RunOptions EMULATED = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);

  private final JavaSparkContext sc;
  private final Graph<Double, Double> graph;
  private final FakeDevices gpus = FakeDevices.of(1);
  private Engines before;

  DeviceJobTest(JavaSparkContext sc) {
    this.sc = sc;
    this.graph = graph(sc);
  }

  /** 60 vertices, a hub of degree 40, parallel edges, a part of its own, and isolated vertices. */
  public static Graph<Double, Double> graph(JavaSparkContext sc) {
    Random random = new Random(SEED);
    int vertices = 60;
    int edges = 200;
    long[] ids = new long[vertices];
    List<Double> attributes = new ArrayList<>();
    for (int v = 0; v < vertices; v++) {
      ids[v] = id(v);
      attributes.add((double) v);
    }
    long[] sources = new long[edges];
    long[] destinations = new long[edges];
    List<Double> weights = new ArrayList<>();
    for (int e = 0; e < edges; e++) {
      boolean apart = e % 10 == 0;
      int first = apart ? 45 : 0;
      int size = apart ? 10 : 45;
      sources[e] = id(first + random.nextInt(size));
      destinations[e] = id(!apart && e < 50 ? 7 : first + random.nextInt(size));
      weights.add((double) random.nextInt(9));
    }
    return new TestGraph<>("hub", ids, attributes, sources, destinations, weights)
        .toGraphx(sc, 3, Double.class, Double.class);
  }

  public static long id(int vertex) {
    return vertex * 13L - 100;
  }

  private void replace(DeviceFinder cuda) {
    Engines now = ExecutorRegistry.replaceEngines(new Engines(cuda, new EmulatedFinder()));
    if (before == null) {
      before = now;
    } else {
      now.close();
    }
  }

  @BeforeEach
  void replaceEngines() {
    replace(gpus);
  }

  @AfterEach
  void restoreEngines() {
    ExecutorRegistry.replaceEngines(before).close();
    for (ConfigEntry<?> entry : GpuGraphConf.entries()) {
      sc.setLocalProperty(entry.key(), null);
    }
  }

  private static void assumeEmulator() {
    assumeTrue(
        EmulatedDevice.isAvailable(),
        "skipped: the emulated GPU compiles its kernels with g++, which is not there");
  }

  /** The last report. */
  private static final class Reports implements RunObserver {
    private RunReport last;

    @Override
    public synchronized void finished(RunReport report) {
      last = report;
    }
  }

  @Tag("any-spark")
  @Test
  void severalEmulatedGpusInOneExecutorAgreeWithTheCpu() {
    assumeEmulator();
    sc.setLocalProperty("spark.gpugraph.emulated.devices", "2");
    RunOptions three = AUTO.withPartitions(3);
    try (ResidentGraph<Double, Double> g =
        GpuPregel.load(graph, Double.class, Double.class, three)) {
      try (VertexResult<Double> emulated = PageRank.run(g, 5, 0.15, EMULATED);
          VertexResult<Double> cpu = PageRank.run(g, 5, 0.15, CPU)) {
        assertThat(emulated.report().reason())
            .isEqualTo("emulated GPU 0, emulated GPU 1 for 3 partitions");
        assertThat(emulated.report().hubSeconds()).isPositive();
        assertThat(cpu.report().hubSeconds()).isZero();
        assertClose(emulated, cpu);
      }
      assertSame(Sssp.run(g, id(3), EMULATED), Sssp.run(g, id(3), CPU));
      assertThat(Bfs.explain(g, id(3), Integer.MAX_VALUE, EMULATED))
          .contains("on 2 × emulated", "GPU 0 (emulated): ", " | GPU 1 (emulated): ");
    }
  }

  /**
   * The sign bit of a NaN is the machine's, so no result may depend on it; docs/compatibility.md.
   */
  @ParameterizedTest
  @ValueSource(strings = {"CPU", "EMULATED"})
  void aNansSignCountsAsPositiveOnEveryEngine(EngineChoice engine) {
    if (engine == EngineChoice.EMULATED) {
      assumeEmulator();
    }
    double negative = Double.longBitsToDouble(0xfff8000000000000L);
    assertThat(StrictMath.copySign(2.0, negative)).isEqualTo(2.0);
    Graph<Double, Double> two =
        new TestGraph<>(
                "NaNs",
                new long[] {1, 2, 3},
                List.of(negative, Double.NaN, -0.0),
                new long[] {1, 2},
                new long[] {2, 3},
                List.of(1.0, 1.0))
            .toGraphx(sc, 1, Double.class, Double.class);
    try (VertexResult<Double> signs =
        GpuPregel.on(two, Double.class, Double.class)
            .initialMessage(2.0)
            .vertexProgram(
                (id, value, message) ->
                    Math.copySign(message, value)
                        + 10 * (double) Math.copySign(1.0f, (float) (double) value))
            .sendMessage(edge -> {})
            .mergeMessage(Double::sum)
            .maxIterations(1)
            .options(RunOptions.DEFAULT.withEngine(engine))
            .runVertices()) {
      assertThat(signs.collectAsMap()).isEqualTo(Map.of(1L, 12.0, 2L, 12.0, 3L, -12.0));
    }
  }

  @Tag("any-spark")
  @Test
  void bordersBetweenEmulatedGpusMayMove() {
    assumeEmulator();
    sc.setLocalProperty("spark.gpugraph.emulated.devices", "2");
    sc.setLocalProperty("spark.gpugraph.gpu.partitioning", "permissive");
    sc.setLocalProperty("spark.gpugraph.kernel", "sparse");
    try (ResidentGraph<Double, Double> g =
        GpuPregel.load(graph, Double.class, Double.class, AUTO.withPartitions(2))) {
      assertSame(Sssp.run(g, id(3), EMULATED), Sssp.run(g, id(3), CPU));
      assertSame(Sssp.run(g.reversed(), id(3), EMULATED), Sssp.run(g.reversed(), id(3), CPU));
      try (VertexResult<Double> emulated = PageRank.run(g, 5, 0.15, EMULATED);
          VertexResult<Double> cpu = PageRank.run(g, 5, 0.15, CPU)) {
        assertClose(emulated, cpu);
      }
    }
  }

  /** Several partitions run supersteps, and so does the CPU engine; explain tells each. */
  @Tag("any-spark")
  @Test
  void residualsAreRelaxedWithoutSuperstepsWhereThatIsAskedFor() {
    assumeEmulator();
    double tolerance = 1e-4;
    sc.setLocalProperty("spark.gpugraph.kernel", "async");
    for (int partitions : new int[] {1, 3}) {
      try (ResidentGraph<Double, Double> g =
          GpuPregel.load(graph, Double.class, Double.class, AUTO.withPartitions(partitions))) {
        String emulated = PageRank.explainUntilConvergence(g, tolerance, 0.15, EMULATED);
        assertThat(emulated).doesNotContain("once per vertex");
        assertThat(emulated).contains("asynchronously, first come, first served (forced)");
        assertThat(PageRank.explainUntilConvergence(g, tolerance, 0.15, CPU))
            .contains("residuals by supersteps: only a GPU relaxes them without");
        try (VertexResult<Double> relaxed =
                PageRank.runUntilConvergence(g, tolerance, 0.15, EMULATED);
            VertexResult<Double> exact = PageRank.runUntilConvergence(g, 1e-13, 0.15, CPU)) {
          Map<Long, Double> others = exact.collectAsMap();
          double sum = 0;
          for (Map.Entry<Long, Double> rank : relaxed.collectAsMap().entrySet()) {
            sum += Math.abs(rank.getValue() - others.get(rank.getKey()));
          }
          // Both are scaled to the number of vertices, which at most doubles the difference.
          double bound = 2 * 0.85 / 0.15 * tolerance * others.size();
          assertThat(sum).as("seed %d", SEED).isPositive();
          if (partitions == 1) {
            assertThat(sum).as("seed %d", SEED).isLessThan(bound);
          }
        }
      }
    }
  }

  @Tag("any-spark")
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void algorithmsOnTheEmulatedGpuAgreeWithTheCpu(int partitions) {
    assumeEmulator();
    try (ResidentGraph<Double, Double> g =
        GpuPregel.load(graph, Double.class, Double.class, AUTO.withPartitions(partitions))) {
      try (VertexResult<Double> emulated = PageRank.run(g, 5, 0.15, EMULATED);
          VertexResult<Double> cpu = PageRank.run(g, 5, 0.15, CPU)) {
        assertThat(emulated.report().engine()).isEqualTo("emulated");
        assertThat(emulated.report().reason()).isEqualTo("emulated GPU 0");
        assertClose(emulated, cpu);
        RunReport report = emulated.report();
        assertThat(report.kernelSeconds()).isPositive();
        assertThat(report.transferSeconds()).isPositive();
        assertThat(report.kernelSeconds() + report.transferSeconds())
            .isLessThan(report.runSeconds());
        assertThat(cpu.report().transferSeconds()).isZero();
      }
      int all = Integer.MAX_VALUE;
      assertSame(ConnectedComponents.run(g, all, EMULATED), ConnectedComponents.run(g, all, CPU));
      assertSame(Sssp.run(g, id(3), EMULATED), Sssp.run(g, id(3), CPU));
      assertSame(Bfs.run(g, id(3), EMULATED), Bfs.run(g, id(3), CPU));
      assertSame(Bfs.run(g.reversed(), id(3), EMULATED), Bfs.run(g.reversed(), id(3), CPU));
    }
  }

  /** Ranks are sums, whose order differs. */
  static void assertClose(VertexResult<Double> actual, VertexResult<Double> expected) {
    Map<Long, Double> ranks = actual.collectAsMap();
    Map<Long, Double> others = expected.collectAsMap();
    assertThat(ranks.keySet()).isEqualTo(others.keySet());
    ranks.forEach(
        (id, rank) ->
            assertThat(rank)
                .as("rank of %d, seed %d", id, SEED)
                .isCloseTo(others.get(id), Percentage.withPercentage(1e-10)));
  }

  private static <T> void assertSame(VertexResult<T> actual, VertexResult<T> expected) {
    assertSame("emulated", actual, expected);
  }

  /** Compares two results to the bit and closes them. */
  public static <T> void assertSame(
      String engine, VertexResult<T> actual, VertexResult<T> expected) {
    try (actual;
        expected) {
      assertThat(actual.report().engine()).isEqualTo(engine);
      assertThat(actual.collectAsMap()).as("seed %d", SEED).isEqualTo(expected.collectAsMap());
    }
  }

  @Test
  void aGraphxGraphComesBackFromTheEmulatedGpu() {
    assumeEmulator();
    sc.setLocalProperty("spark.gpugraph.engine", "emulated");
    Graph<Double, Double> distances = Sssp.run(graph, id(3));
    sc.setLocalProperty("spark.gpugraph.engine", "cpu");
    assertThat(distances.vertices().toJavaRDD().collect())
        .containsExactlyInAnyOrderElementsOf(
            Sssp.run(graph, id(3)).vertices().toJavaRDD().collect());
  }

  @Tag("any-spark")
  @ParameterizedTest
  @ValueSource(
      strings = {"warp-segmentation", "virtual-warp-1", "virtual-warp-8", "virtual-warp-32"})
  void everyDenseKernelAndGroupingGivesTheSame(String kernel) {
    assumeEmulator();
    sc.setLocalProperty("spark.gpugraph.denseKernel", kernel);
    sc.setLocalProperty("spark.gpugraph.grouping", "4");
    sc.setLocalProperty("spark.gpugraph.hubDegree", "32");
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class)) {
      assertSame(Bfs.run(g, id(3), EMULATED), Bfs.run(g, id(3), CPU));
      assertThat(Bfs.explain(g, id(3), Integer.MAX_VALUE, EMULATED))
          .contains(
              switch (kernel) {
                case "warp-segmentation" -> "warp segmentation";
                case "virtual-warp-1" -> "a thread per vertex";
                default -> "virtual warps of " + kernel.substring("virtual-warp-".length());
              });
    }
  }

  @Tag("any-spark")
  @Test
  void explainTellsWhatADeviceWouldDo() {
    assumeEmulator();
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class)) {
      String text = Bfs.explain(g, id(3), Integer.MAX_VALUE, EMULATED);
      assertThat(text)
          .contains("engine: emulated (the configuration asks for emulated; emulated GPU 0)")
          .contains("kernel: streamed rows")
          .contains("choice: supersteps push up to ")
          .contains("choice: rows: stream, not tuned (spark.gpugraph.gpu.tuning) (2^")
          .contains("choice: pushes: fine, not tuned")
          .containsPattern("memory: .*[0-9]+ of 1073741824 free")
          .doesNotContain("SGG_KERNEL");
      sc.setLocalProperty("spark.gpugraph.gpu.tuning", "on");
      assertThat(Bfs.explain(g, id(3), Integer.MAX_VALUE, EMULATED))
          .contains("choice: rows: tuned by the next run (2^");
      sc.setLocalProperty("spark.gpugraph.gpu.tuning", null);
      sc.setLocalProperty("spark.gpugraph.explain", "source");
      assertThat(Bfs.explain(g, id(3), Integer.MAX_VALUE, EMULATED))
          .contains("SGG_KERNEL_OF(gather_dense");
      sc.setLocalProperty("spark.gpugraph.explain", null);
      sc.setLocalProperty("spark.gpugraph.emulated.memory", "64k");
      assertThat(Bfs.explain(g, id(3), Integer.MAX_VALUE, EMULATED)).contains("does not fit");
    }
  }

  @Tag("any-spark")
  @Test
  void outOfDeviceMemoryUnderAutoGoesToTheCpuWithTheReason() {
    assumeEmulator();
    replace(new EmulatedFinder());
    sc.setLocalProperty("spark.gpugraph.emulated.memory", "64k");
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class);
        VertexResult<Integer> levels = Bfs.run(g, id(3), AUTO);
        VertexResult<Integer> expected = Bfs.run(g, id(3), CPU)) {
      assertThat(levels.report().engine()).isEqualTo("cpu");
      assertThat(levels.report().reason())
          .contains("needs", "bytes free", "spark.gpugraph.gpu.memoryReserve")
          .doesNotContain("\n");
      assertThat(levels.collectAsMap()).isEqualTo(expected.collectAsMap());
    }
  }

  @Tag("any-spark")
  @Test
  void outOfDeviceMemoryIsAnErrorWhenTheDeviceIsForcedAndTheNextJobWorks() {
    assumeEmulator();
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class)) {
      sc.setLocalProperty("spark.gpugraph.emulated.memory", "64k");
      int held = ExecutorRegistry.size();
      assertThatThrownBy(() -> Bfs.run(g, id(3), EMULATED))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessageContaining("spark.gpugraph.engine = cpu");
      assertThat(ExecutorRegistry.size()).isEqualTo(held);
      sc.setLocalProperty("spark.gpugraph.emulated.memory", null);
      assertSame(Bfs.run(g, id(3), EMULATED), Bfs.run(g, id(3), CPU));
    }
  }

  @Tag("any-spark")
  @Test
  void edgesThatMayNotBeOnTheDeviceAreReadInTheHostsMemory() {
    assumeEmulator();
    sc.setLocalProperty("spark.gpugraph.gpu.edgeMemory", "0");
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class)) {
      String where = "bytes of edges stay in the host's memory and are read there: ";
      assertThat(Bfs.explain(g, id(3), Integer.MAX_VALUE, EMULATED)).contains(where);
      VertexResult<Integer> levels = Bfs.run(g, id(3), EMULATED);
      assertThat(levels.report().notes()).anyMatch(note -> note.contains(where));
      assertSame(levels, Bfs.run(g, id(3), CPU));
    } finally {
      sc.setLocalProperty("spark.gpugraph.gpu.edgeMemory", null);
    }
  }

  @Tag("any-spark")
  @Test
  void closingAGraphFreesItsDeviceMemory() {
    assumeEmulator();
    EmulatedFinder finder = new EmulatedFinder();
    List<OpenDevice> open = new ArrayList<>();
    replace(
        (conf, addresses) -> {
          DeviceFinder.Found found = finder.find(conf, addresses);
          return new DeviceFinder.Found(
              found.devices().stream().map(device -> recorded(device, open)).toList(), "");
        });
    ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class);
    Bfs.run(g, id(3), CUDA).close();
    assertThat(open).hasSize(1);
    assertThat(open.get(0).heldMemory()).isPositive();
    g.close();
    assertThat(open.get(0).heldMemory()).isZero();
    ResidentGraph<Double, Double> turned = GpuPregel.load(graph, Double.class, Double.class);
    Bfs.run(turned.reversed(), id(3), CUDA).close();
    assertThat(open.get(0).heldMemory()).isPositive();
    turned.close();
    assertThat(open.get(0).heldMemory()).as("after a run on the reversed graph").isZero();
    // A run on a graph of its own leaves nothing either.
    GpuPregel.on(graph, Double.class, Double.class)
        .initialMessage(0.0)
        .maxIterations(2)
        .vertexProgram((id, value, message) -> value + message)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Math::max)
        .engine(EngineChoice.CUDA)
        .run();
    assertThat(open).hasSize(1);
    assertThat(open.get(0).heldMemory()).isZero();
  }

  private static DeviceFinder.FoundDevice recorded(
      DeviceFinder.FoundDevice device, List<OpenDevice> open) {
    return new DeviceFinder.FoundDevice(
        device.key(),
        device.describe(),
        0,
        () -> {
          OpenDevice opened = device.opener().get();
          open.add(opened);
          return opened;
        });
  }

  @Test
  void autoTakesAGpuThatIsThere() {
    Reports reports = new Reports();
    assertThat(
            Sssp.run(graph, id(3), Integer.MAX_VALUE, AUTO.withObserver(reports))
                .vertices()
                .count())
        .isEqualTo(60);
    assertThat(reports.last.engine()).isEqualTo("fake");
    assertThat(reports.last.reason()).isEqualTo("GPU 0 (fake)");
    // The graph was the run's own: its device memory is freed with it.
    assertThat(gpus.device(0).released()).hasSize(1);
  }

  @Test
  void withoutAGpuAutoSaysWhyAndCudaRefusesBeforeLoading() {
    replace(FakeDevices.none("the driver shows no GPU"));
    Reports reports = new Reports();
    Sssp.run(graph, id(3), Integer.MAX_VALUE, AUTO.withObserver(reports));
    assertThat(reports.last.engine()).isEqualTo("cpu");
    assertThat(reports.last.reason()).isEqualTo("no usable GPU: the driver shows no GPU");
    int held = ExecutorRegistry.size();
    assertThatThrownBy(() -> GpuPregel.load(graph, Double.class, Double.class, CUDA))
        .isInstanceOf(DeviceUnavailableException.class)
        .hasMessage(
            "engine cuda cannot be used: the driver shows no GPU; engine auto runs on the CPU"
                + " then");
    assertThat(ExecutorRegistry.size()).isEqualTo(held);
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class)) {
      assertThatThrownBy(() -> Bfs.run(g, id(3), CUDA))
          .isInstanceOf(DeviceUnavailableException.class);
      assertThat(Bfs.explain(g, id(3), Integer.MAX_VALUE, CUDA))
          .contains("engine: none: the configuration asks for cuda")
          .contains(
              "! the program cannot run on GPU because engine cuda cannot be used: the driver");
      assertThat(TriangleCount.explain(g, CUDA))
          .startsWith(
              "engine: none: the configuration asks for cuda\n! the operator cannot run on GPU"
                  + " because engine cuda cannot be used: the driver shows no GPU;")
          .contains("\noperator: neighbourhood intersection, no vertex program\ngraph: ");
    }
  }

  @Test
  void devicesAreClosedWithTheLastApplication() {
    Sssp.run(graph, id(3), Integer.MAX_VALUE, AUTO);
    assertThat(gpus.device(0).closed()).isZero();
    // As when contexts of other applications stop: this test's own goes on.
    String own = sc.sc().applicationId();
    ExecutorRegistry.firstUse("another");
    ExecutorRegistry.removeAll("another");
    assertThat(gpus.device(0).closed()).isZero();
    ExecutorRegistry.removeAll(own);
    assertThat(gpus.device(0).closed()).isEqualTo(1);
    Sssp.run(graph, id(3), Integer.MAX_VALUE, AUTO);
    assertThat(gpus.device(0).opened()).isEqualTo(2);
  }

  private void assertFallsBackUnderAutoAlone(DeviceException failure, String reason) {
    gpus.device(0).failToRun(failure);
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class)) {
      try (VertexResult<Integer> levels = Bfs.run(g, id(3), AUTO);
          VertexResult<Integer> expected = Bfs.run(g, id(3), CPU)) {
        assertThat(levels.report().engine()).isEqualTo("cpu");
        assertThat(levels.report().reason()).contains(reason);
        assertThat(levels.collectAsMap()).isEqualTo(expected.collectAsMap());
      }
      assertThatThrownBy(() -> Bfs.run(g, id(3), CUDA)).hasMessageContaining(reason);
    }
  }

  @Tag("any-spark")
  @Test
  void kernelsThatDoNotCompileFallBack() {
    KernelSource source = new KernelSource("Bfs", "int main", List.of(), List.of("send: Bfs.java"));
    assertFallsBackUnderAutoAlone(
        new KernelCompilationException("NVRTC 12.6", source, "error: no"), "error: no");
    gpus.device(0).failToRun(null);
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class);
        VertexResult<Integer> levels = Bfs.run(g, id(3), CUDA)) {
      assertThat(levels.report().engine()).isEqualTo("fake");
    }
  }

  /**
   * Emulated GPUs, with every access to memory checked, whose compiler gets other programs than it
   * was given.
   *
   * @param plant puts a mistake into a source
   * @param open what was opened
   */
  private static DeviceFinder withMistakes(
      AtomicReference<UnaryOperator<String>> plant, List<OpenDevice> open) {
    DeviceFinder.FoundDevice found =
        new DeviceFinder.FoundDevice(
            "mistakes",
            "GPU with mistakes",
            0,
            () -> {
              Device device = new EmulatedDevice(EmulatorSettings.defaults().withChecks(true));
              DeviceConf conf = DeviceConf.of(GpuGraphConf.of(new SparkConf(false), Map.of()));
              open.add(new EngineDevice("mistakes", withMistakes(device, plant), conf));
              return open.get(open.size() - 1);
            });
    return (conf, addresses) -> new DeviceFinder.Found(List.of(found), "");
  }

  private static Device withMistakes(Device device, AtomicReference<UnaryOperator<String>> plant) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (self, method, arguments) -> {
              if (method.getName().equals("load")) {
                KernelSource source = (KernelSource) arguments[0];
                arguments[0] =
                    new KernelSource(
                        source.name(),
                        plant.get().apply(source.text()),
                        source.kernels(),
                        source.origins());
              }
              try {
                return method.invoke(device, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** A real compiler and a program that it refuses: nothing stays behind, the next job works. */
  @Tag("any-spark")
  @Test
  void aProgramWhoseKernelsDoNotCompileIsShownWithItsLambda() {
    assertFailsAlone(
        text -> text + "int planted = no_such_name;\n",
        KernelCompilationException.class,
        List.of("the generated kernels do not compile: ", "no_such_name"),
        List.of(
            "no_such_name",
            "int planted = no_such_name;",
            "SGG_KERNEL_OF(gather_all, ",
            "sendMessage from " + DeviceJobTest.class.getName() + ".lambda$"));
  }

  /** A kernel that writes where nothing is. */
  @Tag("any-spark")
  @Test
  void aKernelThatWritesOutOfBoundsIsCaughtAndTheNextJobWorks() {
    Pattern kernel = Pattern.compile("SGG_KERNEL_OF\\(gather_all, .*\\) \\{");
    assertFailsAlone(
        text -> {
          assertThat(text).containsPattern(kernel);
          return kernel.matcher(text).replaceAll("$0 f.status[1 << 20] = 1;");
        },
        DeviceException.class,
        List.of("gather_all", "outside every buffer of the device"),
        List.of("gather_all", "outside every buffer of the device"));
  }

  /** Auto goes to the CPU with the reason, forced engines fail, all memory is freed. */
  private void assertFailsAlone(
      UnaryOperator<String> mistake,
      Class<? extends DeviceException> type,
      List<String> reason,
      List<String> message) {
    assumeEmulator();
    AtomicReference<UnaryOperator<String>> plant = new AtomicReference<>(mistake);
    List<OpenDevice> open = new ArrayList<>();
    DeviceFinder mistakes = withMistakes(plant, open);
    ExecutorRegistry.replaceEngines(new Engines(mistakes, mistakes)).close();
    Reports reports = new Reports();
    Map<Object, Object> expected = byId(farthest(CPU));
    assertThat(byId(farthest(AUTO.withObserver(reports)))).isEqualTo(expected);
    assertThat(reports.last.engine()).isEqualTo("cpu");
    assertThat(reports.last.reason()).contains(reason).doesNotContain("\n");
    assertThat(open).hasSize(1);
    assertThat(open.get(0).heldMemory()).isZero();
    for (RunOptions forced : List.of(CUDA, EMULATED)) {
      int held = ExecutorRegistry.size();
      assertThatThrownBy(() -> farthest(forced))
          .isInstanceOf(type)
          .satisfies(e -> assertThat(e.getMessage()).contains(message));
      assertThat(ExecutorRegistry.size()).isEqualTo(held);
      assertThat(open).allMatch(device -> device.heldMemory() == 0);
    }
    plant.set(UnaryOperator.identity());
    // Another program: the device keeps what it has loaded, mistakes too.
    int all = Integer.MAX_VALUE;
    assertThat(byId(Sssp.run(graph, id(3), all, CUDA.withObserver(reports))))
        .isEqualTo(byId(Sssp.run(graph, id(3), all, CPU)));
    assertThat(reports.last.engine()).isEqualTo("mistakes");
    assertThat(open).allMatch(device -> device.heldMemory() == 0);
  }

  private Graph<Double, Double> farthest(RunOptions options) {
    return GpuPregel.on(graph, Double.class, Double.class)
        .initialMessage(0.0)
        .maxIterations(2)
        .vertexProgram((id, value, message) -> Math.max(value, message))
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr() + edge.attr()))
        .mergeMessage(Math::max)
        .options(options)
        .run();
  }

  private static Map<Object, Object> byId(Graph<Double, ?> graph) {
    return graph.vertices().toJavaRDD().collect().stream()
        .collect(Collectors.toMap(Tuple2::_1, Tuple2::_2));
  }

  @Tag("any-spark")
  @Test
  void aLostGpuIsNotUsedAgainAndTheMessageSaysWhatToDo() {
    assertFallsBackUnderAutoAlone(
        new DeviceLostException("superstep 3", "CUDA_ERROR_ILLEGAL_ADDRESS"),
        "the executor must be restarted");
    gpus.device(0).failToRun(null);
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class);
        VertexResult<Integer> levels = Bfs.run(g, id(3), AUTO)) {
      assertThat(levels.report().engine()).isEqualTo("cpu");
      assertThat(levels.report().reason()).contains("the executor must be restarted");
    }
    assertThatThrownBy(() -> GpuPregel.load(graph, Double.class, Double.class, CUDA))
        .hasMessageContaining("the executor must be restarted");
  }
}
