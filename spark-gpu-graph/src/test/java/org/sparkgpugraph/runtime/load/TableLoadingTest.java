package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.algorithm.Sssp;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestDeviceTable;

/** Graphs whose edges are in tables on a device, as another library would have made them. */
@ExtendWith(SharedSpark.class)
class TableLoadingTest {
  private static final long SEED = 42;
  private static final int VERTICES = 500;
  private static final int PARTS = 3;

  /** Edges that take 34 GB. */
  private static final int TOO_MANY = Integer.MAX_VALUE;

  /** Holds the device that programs run on. */
  private Selection selection;

  private static Device device;

  @BeforeEach
  void open(JavaSparkContext sc) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    DeviceConf conf = DeviceConf.of(GpuGraphConf.of(sc.getConf(), Map.of()));
    selection = ExecutorRegistry.engines().select(EngineChoice.EMULATED, conf, List.of(), 1);
    device = ((DeviceEngine) selection.engine()).device();
    TestDeviceTable.COPIED.set(0);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(TestDeviceTable.OPEN.get()).as("tables that are not closed").isZero();
    if (selection != null) {
      selection.close();
    }
  }

  /** Edges of a part, the same each time. */
  private static GlobalEdgeBlock part(int part, boolean weights) {
    Random random = new Random(SEED + part);
    int size = 2_000 * part;
    long[] sources = random.longs(size, 0, VERTICES).map(v -> 7 * v).toArray();
    long[] destinations = random.longs(size, 0, VERTICES / 3).map(v -> 7 * v).toArray();
    return new GlobalEdgeBlock(
        size, sources, destinations, weights ? random.doubles(size).toArray() : null);
  }

  private static EdgeBlock onDevice(GlobalEdgeBlock edges, boolean stays) {
    return new DeviceEdgeBlock(TestDeviceTable.of(device, edges), stays);
  }

  private static JavaRDD<EdgeBlock> blocks(JavaSparkContext sc, boolean onDevice, boolean weights) {
    return sc.parallelize(List.of(0, 1, 2), PARTS)
        .map(part -> onDevice ? onDevice(part(part, weights), true) : part(part, weights));
  }

  private static RunOptions on(EngineChoice engine) {
    return RunOptions.DEFAULT.withEngine(engine);
  }

  private static Map<Long, Double> ranks(
      JavaSparkContext sc, boolean onDevice, EngineChoice load, EngineChoice run) {
    try (ResidentGraph<Object, Object> graph =
            ResidentGraph.load(
                blocks(sc, onDevice, false), Object.class, on(load).withPartitions(1));
        VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, on(run))) {
      return ranks.collectAsMap();
    }
  }

  @Test
  void theyBecomeTheGraphThatTheHostWouldMake(JavaSparkContext sc) {
    Map<Long, Double> expected = ranks(sc, false, EngineChoice.EMULATED, EngineChoice.EMULATED);
    assertThat(ranks(sc, true, EngineChoice.EMULATED, EngineChoice.EMULATED)).isEqualTo(expected);
    assertThat(TestDeviceTable.COPIED.get()).as("through the host").isZero();
  }

  /** The host needs what is on the device alone, and gets it from there. */
  @Test
  void anotherEngineMayRunOnThem(JavaSparkContext sc) {
    assertThat(ranks(sc, true, EngineChoice.EMULATED, EngineChoice.CPU))
        .isEqualTo(ranks(sc, false, EngineChoice.CPU, EngineChoice.CPU));
    assertThat(TestDeviceTable.COPIED.get()).as("through the host").isZero();
  }

  @Test
  void whereNoDeviceMakesThemTheHostDoes(JavaSparkContext sc) {
    assertThat(ranks(sc, true, EngineChoice.CPU, EngineChoice.CPU))
        .isEqualTo(ranks(sc, false, EngineChoice.CPU, EngineChoice.CPU));
    assertThat(TestDeviceTable.COPIED.get()).isEqualTo(2 * PARTS);
  }

  private static Map<Long, Double> ranks(JavaRDD<EdgeBlock> blocks, RunOptions options) {
    try (ResidentGraph<Object, Object> graph = ResidentGraph.load(blocks, Object.class, options);
        VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, on(EngineChoice.CPU))) {
      return ranks.collectAsMap();
    }
  }

  /** Shards are made of parcels, also where one of the tables is empty. */
  @Test
  void severalShardsHaveThemOnTheHost(JavaSparkContext sc) {
    RunOptions two = on(EngineChoice.CPU).withExecutors(2);
    Map<Long, Double> expected = ranks(blocks(sc, false, false), two);
    assertThat(expected).isNotEmpty();
    assertThat(ranks(blocks(sc, true, false), two)).isEqualTo(expected);
    assertThat(TestDeviceTable.COPIED.get()).as("through the host").isPositive();
  }

  /** What is not to stay there is copied by whoever reads it, in both ways of loading. */
  @Test
  void whatDoesNotStayIsCopied(JavaSparkContext sc) {
    for (int executors : new int[] {1, 2}) {
      RunOptions options = on(EngineChoice.CPU).withExecutors(executors);
      JavaRDD<EdgeBlock> passing =
          sc.parallelize(List.of(0, 1, 2), PARTS).map(part -> onDevice(part(part, false), false));
      TestDeviceTable.COPIED.set(0);
      assertThat(ranks(passing, options)).isEqualTo(ranks(blocks(sc, false, false), options));
      // Shards are sampled first.
      assertThat(TestDeviceTable.COPIED.get()).isEqualTo(2 * executors * PARTS);
      assertThat(ExecutorRegistry.buildBytes()).as("reserved").isZero();
    }
  }

  /** Before anything of it is copied. */
  @Test
  void aTableThatTheHeapHasNoRoomForIsRefused(JavaSparkContext sc) {
    for (boolean stays : new boolean[] {false, true}) {
      for (int executors : new int[] {1, 2}) {
        JavaRDD<EdgeBlock> blocks =
            sc.parallelize(List.of(1), 1)
                .map(part -> new DeviceEdgeBlock(TestDeviceTable.larger(TOO_MANY), stays));
        RunOptions options = on(EngineChoice.CPU).withExecutors(executors);
        assertThatThrownBy(() -> ResidentGraph.load(blocks, Object.class, options).close())
            .as("stays %s, executors %s", stays, executors)
            .isInstanceOf(GraphMemoryException.class)
            .hasMessageContaining("it needs at least " + 16L * TOO_MANY + " bytes");
        assertThat(TestDeviceTable.COPIED.get()).isZero();
        assertThat(TestDeviceTable.OPEN.get()).as("tables that are not closed").isZero();
        assertThat(ExecutorRegistry.buildBytes()).as("reserved").isZero();
      }
    }
  }

  /** What {@code explain()} and the report tell of them. */
  @Test
  void whatBecameOfThemIsTold(JavaSparkContext sc) {
    String stay = "edges stay";
    for (EngineChoice engine : List.of(EngineChoice.EMULATED, EngineChoice.CPU)) {
      GraphSource source =
          new GraphSource(
                  sc.sc(), Object.class, Object.class, blocks(sc, true, false), null, null, false)
              .withGpuColumns(stay);
      GraphView loaded = GraphView.load(source, on(engine).withPartitions(1), true, false);
      try (ResidentState state = loaded.state()) {
        String told = state.handle().gpuColumns();
        if (engine == EngineChoice.EMULATED) {
          assertThat(told).isEqualTo(stay);
        } else {
          assertThat(told)
              .isEqualTo("edges on the GPU go through the host: the configuration asks for it");
        }
      }
    }
  }

  @Test
  void weightsGoWithThem(JavaSparkContext sc) {
    Map<Long, Map<Long, Double>> found = new ConcurrentHashMap<>();
    for (boolean onDevice : new boolean[] {false, true}) {
      try (ResidentGraph<Object, Double> graph =
              ResidentGraph.load(
                  blocks(sc, onDevice, true),
                  Double.class,
                  on(EngineChoice.EMULATED).withPartitions(1));
          VertexResult<Double> distances = Sssp.run(graph, 0, on(EngineChoice.EMULATED))) {
        found.put(onDevice ? 1L : 0L, distances.collectAsMap());
      }
    }
    assertThat(found.get(1L)).isEqualTo(found.get(0L)).isNotEmpty();
    assertThat(TestDeviceTable.COPIED.get()).as("through the host").isZero();
  }
}
