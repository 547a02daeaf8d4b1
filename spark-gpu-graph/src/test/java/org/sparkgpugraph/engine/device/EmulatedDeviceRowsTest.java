package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/** Rows that an emulated device makes. */
@Tag("any-spark")
class EmulatedDeviceRowsTest extends DeviceRowsSuite {
  @Override
  Device openDevice() {
    return open(EmulatorSettings.defaults().withSeed(5));
  }

  private static Device open(EmulatorSettings settings) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    return new EmulatedDevice(settings);
  }

  @Override
  int longest() {
    return 100_000;
  }

  private static List<EdgeBlock> blocks() {
    Edges edges = new Edges();
    for (int e = 0; e < 4000; e++) {
      edges.add(edges.random.nextInt(300), edges.random.nextInt(40));
    }
    return edges.blocks(300, true);
  }

  private static ExecutorGraph graph(List<EdgeBlock> blocks, RowsMade rows) {
    return ExecutorGraphBuilder.build(
        blocks, null, new ExecutorGraphBuilder.Options(1, 2, ValueType.of(Value.class), rows));
  }

  @Test
  void theHostMakesRowsThatADeviceHasNoRoomFor() {
    List<EdgeBlock> blocks = blocks();
    GraphPartition expected = graph(blocks, RowsMade.NOW).partitions().get(0);
    // Nothing fits; then keys do, but not all that comes behind them.
    for (long bytes : new long[] {10_000, 100_000, 150_000}) {
      try (Device device = open(EmulatorSettings.defaults().withMemoryBytes(bytes));
          DeviceHoldings on = new DeviceHoldings(device)) {
        GraphPartition actual = graph(blocks, RowsMade.LATER).partitions().get(0);
        on.rows().ready(actual.outEdges(), 0);
        assertThat(on.resident().contains(actual.outEdges().neighboursKey()))
            .as("made in %d bytes", bytes)
            .isFalse();
        on.resident().evict(Long.MAX_VALUE, List.of());
        assertThat(device.allocatedBytes()).isZero();
        assertHost(actual, expected);
      }
    }
  }

  /** So many edges that every step has work for several threads. */
  @Timeout(60)
  @Test
  void theHostSortsWithAllThreads() {
    int size = 700_000;
    Random random = new Random(11);
    int[] sources = random.ints(size, 0, 20_000).toArray();
    int[] destinations = random.ints(size, 0, 20_000).toArray();
    for (int[] values : new int[][] {null, random.ints(size).toArray()}) {
      ValueType type = values == null ? null : ValueType.of(Integer.class);
      List<EdgeBlock> blocks = List.of(new IntEdgeBlock(size, sources, destinations, values));
      List<ExecutorGraph> graphs = new ArrayList<>();
      for (RowsMade rows : RowsMade.values()) {
        graphs.add(
            ExecutorGraphBuilder.build(
                blocks, null, new ExecutorGraphBuilder.Options(1, 4, type, rows)));
      }
      GraphPartition expected = graphs.get(0).partitions().get(0);
      // Either end first, and then degrees.
      GraphPartition later = graphs.get(1).partitions().get(0);
      later.outEdges().neighbours();
      assertThat(later.degrees(false)).isEqualTo(expected.degrees(false));
      assertHost(later, expected);
      GraphPartition own = graphs.get(2).partitions().get(0);
      own.inEdges().neighbours();
      assertThat(own.degrees(false)).isEqualTo(expected.degrees(false));
      assertHost(own, expected);
    }
  }

  @Test
  void anEstimateMakesNoRows() {
    RunSettings run =
        new RunSettings(
            new Object[] {0L},
            null,
            ActiveDirection.EITHER,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.AUTO,
            1,
            null);
    DeviceSettings settings = DeviceSettings.DEFAULT.withReserve(0).withHubs(1 << 20, 64);
    try (Device device = openDevice();
        DeviceEngine engine = new DeviceEngine("emulated", device, settings)) {
      ProgramInstance program = IrPrograms.components();
      ExecutorGraph graph = graph(blocks(), RowsMade.LATER);
      long bytes = engine.estimate(graph, program, run);
      assertThat(device.allocatedBytes()).isZero();
      assertThat(graph.partitions().get(0).inEdges().hasOffsets()).isFalse();
      assertThat(bytes).isEqualTo(engine.estimate(graph(blocks(), RowsMade.NOW), program, run));
    }
  }

  @Test
  void hostAndDeviceMayMakeThemAtTheSameTime() throws Exception {
    List<EdgeBlock> blocks = blocks();
    GraphPartition expected = graph(blocks, RowsMade.NOW).partitions().get(0);
    try (Device device = openDevice();
        DeviceHoldings on = new DeviceHoldings(device)) {
      on.rows().ready(graph(blocks, RowsMade.NOW).partitions().get(0).inEdges(), 0);
      assertThat(device.allocatedBytes()).as("of rows that are made").isZero();
      for (int round = 0; round < 5; round++) {
        GraphPartition actual = graph(blocks, RowsMade.LATER).partitions().get(0);
        CompletableFuture<Void> host =
            CompletableFuture.runAsync(() -> assertHost(actual, expected));
        CompletableFuture<int[]> degrees =
            CompletableFuture.supplyAsync(() -> actual.degrees(false));
        on.rows().ready(actual.outEdges(), 0);
        on.rows().ready(actual.inEdges(), 0);
        host.get();
        assertThat(degrees.get()).isEqualTo(expected.degrees(false));
        assertHost(actual, expected);
      }
    }
  }
}
