package org.sparkgpugraph.algorithm.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
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
import scala.Tuple2;

/** Beliefs on graphs whose edges are in tables on a device. */
@ExtendWith(SharedSpark.class)
class FactorGraphTest {
  private static final int VERTICES = 60;
  private static final int STATES = 2;

  private static final double[] POTENTIAL = {0.9, 0.4, 0.3, 0.8};

  private static Device device;

  /** Whether the source has become one that nobody has room for. */
  private static volatile boolean larger;

  /** Holds the device. */
  private Selection selection;

  @BeforeEach
  void open(JavaSparkContext sc) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    DeviceConf conf = DeviceConf.of(GpuGraphConf.of(sc.getConf(), Map.of()));
    selection = ExecutorRegistry.engines().select(EngineChoice.EMULATED, conf, List.of(), 1);
    device = ((DeviceEngine) selection.engine()).device();
    larger = false;
    TestDeviceTable.COPIED.set(0);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(TestDeviceTable.OPEN.get()).as("tables that are not closed").isZero();
    assertThat(ExecutorRegistry.buildBytes()).as("reserved").isZero();
    if (selection != null) {
      selection.close();
    }
  }

  /** One of them has no edges. */
  private static GlobalEdgeBlock part(int part) {
    int size = part == 0 ? 0 : VERTICES;
    return new GlobalEdgeBlock(
        size,
        LongStream.range(0, size).toArray(),
        LongStream.range(0, size).map(v -> (v + part) % VERTICES).toArray(),
        null);
  }

  private static ResidentGraph<double[], Object> graph(
      JavaSparkContext sc, Boolean stays, RunOptions options) {
    JavaRDD<EdgeBlock> blocks =
        sc.parallelize(List.of(0, 1, 2), 3)
            .map(part -> stays == null ? part(part) : table(part, stays));
    JavaPairRDD<Long, double[]> priors =
        sc.parallelize(LongStream.range(0, VERTICES).boxed().toList(), 2)
            .mapToPair(id -> new Tuple2<>(id, new double[] {1 + id % 3, 2}));
    try (ResidentGraph<Object, Object> loaded = ResidentGraph.load(blocks, Object.class, options)) {
      return loaded.withVertices(priors, double[].class, new double[STATES]);
    }
  }

  private static EdgeBlock table(int part, boolean stays) {
    return new DeviceEdgeBlock(
        larger ? TestDeviceTable.larger(Integer.MAX_VALUE) : TestDeviceTable.of(device, part(part)),
        stays);
  }

  private static Map<Long, List<Double>> beliefs(
      ResidentGraph<double[], Object> graph, RunOptions options) {
    try (VertexResult<double[]> result =
        BeliefPropagation.run(graph, STATES, POTENTIAL, Convergence.everyEdge(1e-9, 20), options)) {
      Map<Long, List<Double>> beliefs = new HashMap<>();
      result
          .collectAsMap()
          .forEach((id, belief) -> beliefs.put(id, Arrays.stream(belief).boxed().toList()));
      return beliefs;
    }
  }

  /** Each table is copied by the task that reads it, and closed, also one without edges. */
  @Test
  void tablesAreCopied(JavaSparkContext sc) {
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    for (int executors : new int[] {1, 2}) {
      RunOptions over = options.withExecutors(executors);
      try (ResidentGraph<double[], Object> ofArrays = graph(sc, null, over)) {
        Map<Long, List<Double>> expected = beliefs(ofArrays, over);
        assertThat(expected).isNotEmpty();
        for (boolean stays : new boolean[] {false, true}) {
          try (ResidentGraph<double[], Object> ofTables = graph(sc, stays, over)) {
            TestDeviceTable.COPIED.set(0);
            assertThat(beliefs(ofTables, over)).isEqualTo(expected);
            assertThat(TestDeviceTable.COPIED.get()).isPositive();
            assertThat(TestDeviceTable.OPEN.get()).as("tables that are not closed").isZero();
          }
        }
      }
    }
  }

  /** As when a graph is loaded of them, before anything is copied. */
  @Test
  void aTableThatTheHeapHasNoRoomForIsRefused(JavaSparkContext sc) {
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    for (boolean stays : new boolean[] {false, true}) {
      larger = false;
      try (ResidentGraph<double[], Object> graph = graph(sc, stays, options)) {
        larger = true;
        TestDeviceTable.COPIED.set(0);
        assertThatThrownBy(() -> beliefs(graph, options))
            .isInstanceOf(GraphMemoryException.class)
            // Of the largest columns, beside what the graph's own vertices take.
            .hasMessageContaining("does not fit executor driver: it needs at least 34359");
        assertThat(TestDeviceTable.COPIED.get()).isZero();
      }
    }
  }
}
