package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.ResidentArrays;
import org.sparkgpugraph.engine.device.memory.TableRows;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.BitmapVertexIds;
import org.sparkgpugraph.graphs.rows.IdentityVertexIds;
import org.sparkgpugraph.graphs.rows.SortedVertexIds;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.testing.TestDeviceTable;

/** Graphs of tables on a device against those that the host makes of the same edges. */
@Timeout(120)
abstract class DeviceTableSuite {
  private static final long SEED = 20261127;

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice();

  private static List<DeviceTable> tables(Device device, List<GlobalEdgeBlock> blocks) {
    return blocks.stream().<DeviceTable>map(block -> TestDeviceTable.of(device, block)).toList();
  }

  /** Edges between numbers, in tables of several sizes, with what their ids are. */
  private static List<GlobalEdgeBlock> blocks(
      int edges, int vertices, boolean values, IntToLongFunction id) {
    Random random = new Random(SEED + edges);
    int[] sizes = {edges / 2, 0, edges - edges / 2 - edges / 3, edges / 3};
    List<GlobalEdgeBlock> blocks = new ArrayList<>();
    for (int size : sizes) {
      long[] sources = new long[size];
      long[] destinations = new long[size];
      double[] weights = new double[size];
      for (int e = 0; e < size; e++) {
        // Few of them receive most, some edges are there several times, or loops.
        sources[e] = id.applyAsLong(random.nextInt(vertices));
        destinations[e] =
            e % 50 == 7
                ? sources[e]
                : id.applyAsLong((int) (vertices * Math.pow(random.nextDouble(), 4)));
        weights[e] = random.nextGaussian();
      }
      blocks.add(new GlobalEdgeBlock(size, sources, destinations, values ? weights : null));
    }
    return blocks;
  }

  private static ExecutorGraphBuilder.Options options(boolean values) {
    return new ExecutorGraphBuilder.Options(1, 2, values ? ValueType.of(Double.class) : null);
  }

  /** Makes the graph both ways and compares all of it. */
  private void check(List<GlobalEdgeBlock> blocks, Class<?> ids) {
    boolean values = blocks.get(0).values() != null;
    ExecutorGraph expected =
        ExecutorGraphBuilder.build(List.<EdgeBlock>copyOf(blocks), null, options(values));
    AtomicLong uploaded = new AtomicLong();
    int copied = TestDeviceTable.COPIED.get();
    try (Device device = openDevice();
        DeviceHoldings on =
            new DeviceHoldings(DeviceProxies.uploading(device, uploaded::addAndGet))) {
      List<DeviceTable> tables = tables(device, blocks);
      TableRows.Made made = new TableRows(on, 0).make(tables, values, 2, BuildMemory.UNBOUNDED);
      tables.forEach(DeviceTable::close);
      assertThat(TestDeviceTable.COPIED.get()).as("through the host").isEqualTo(copied);
      // A hundredth of the edges, but for what is there once.
      assertThat(uploaded.get())
          .as("bytes that went to the device")
          .isLessThanOrEqualTo(16L * made.edges().size() / 100 + 64);
      assertThat(device.allocatedBytes())
          .as("nothing but rows is left")
          .isEqualTo((values ? 12L : 4) * made.edges().size());
      ExecutorGraph actual = ExecutorGraphBuilder.of(made.ids(), made.edges(), options(values));
      assertThat(actual.ids()).isInstanceOf(ids).hasSameClassAs(expected.ids());
      assertThat(actual.ids().size()).isEqualTo(expected.ids().size());
      for (long v = 0; v < expected.ids().size(); v++) {
        assertThat(actual.ids().original(v)).isEqualTo(expected.ids().original(v));
      }
      assertThat(actual.edgeCount()).isEqualTo(expected.edgeCount());
      assertThat(actual.vertexCount()).isEqualTo(expected.vertexCount());
      GraphPartition there = actual.partitions().get(0);
      GraphPartition here = expected.partitions().get(0);
      // Rows by source are made there; then some other graph takes the memory.
      on.rows().ready(there.outEdges(), 0);
      DeviceRowsSuite.assertSame(on, there.outEdges(), there.outEdgeValues(), here, false);
      assertThat(there.inEdges().isMade()).as("on the host").isFalse();
      long held = on.resident().bytes();
      assertThat(on.resident().evict(Long.MAX_VALUE, List.of())).isEqualTo(held);
      assertThat(device.allocatedBytes()).isZero();
      // A run that needs them brings them back.
      on.resident().use(there.inEdges().neighboursKey(), "back").close();
      if (values) {
        on.resident().use(there.inEdgeValues().key(0), "back").close();
      }
      assertThat(there.inEdges().isMade()).as("on the host").isFalse();
      DeviceRowsSuite.assertSame(on, there.inEdges(), there.inEdgeValues(), here, true);
      assertThat(there.degrees(true)).isEqualTo(here.degrees(true));
      assertThat(there.degrees(false)).isEqualTo(here.degrees(false));
      // And the host may need all of it.
      DeviceRowsSuite.assertHost(there, here);
      on.release(actual);
      assertThat(device.allocatedBytes()).isZero();
    }
  }

  @Test
  void idsThatAreDense() {
    for (boolean values : new boolean[] {false, true}) {
      check(blocks(20_000, 40, values, v -> v), IdentityVertexIds.class);
    }
  }

  @Test
  void idsThatLieCloseTogether() {
    check(blocks(20_000, 3_000, true, v -> 3L * v + 64), BitmapVertexIds.class);
    check(blocks(2_000, 700, false, v -> 5L * v + 1), BitmapVertexIds.class);
  }

  @Test
  void idsThatAreFarApart() {
    for (boolean values : new boolean[] {false, true}) {
      check(blocks(5_000, 900, values, v -> v * 0x9E3779B97F4A7C15L), SortedVertexIds.class);
    }
    check(
        blocks(300, 3, false, v -> new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}[v]),
        SortedVertexIds.class);
    check(blocks(200, 50, true, v -> -1L - v), SortedVertexIds.class);
    check(blocks(9_000, 3_000, false, v -> (long) v << 33), SortedVertexIds.class);
  }

  @Test
  void smallTables() {
    check(List.of(edges(new long[] {0}, new long[] {0})), IdentityVertexIds.class);
    check(List.of(edges(new long[] {7}, new long[] {-7})), SortedVertexIds.class);
    check(List.of(edges(new long[] {0}, new long[] {1})), IdentityVertexIds.class);
    check(List.of(edges(new long[0], new long[0])), IdentityVertexIds.class);
  }

  /** A vertex with as many edges as a warp, one more, and hubs. */
  @Test
  void rowsOfEveryLength() {
    int[] degrees = {0, 1, 31, 32, 33, 1000, 5000};
    List<Long> from = new ArrayList<>();
    List<Long> to = new ArrayList<>();
    for (int row = 0; row < degrees.length; row++) {
      for (int e = 0; e < degrees[row]; e++) {
        from.add((long) (e * 31 % 777));
        to.add(1000L + row);
      }
    }
    check(
        List.of(
            edges(
                from.stream().mapToLong(i -> i).toArray(),
                to.stream().mapToLong(i -> i).toArray())),
        BitmapVertexIds.class);
  }

  private static GlobalEdgeBlock edges(long[] sources, long[] destinations) {
    return new GlobalEdgeBlock(sources.length, sources, destinations, null);
  }

  /** What is on the device alone is there until its graph goes, and not longer. */
  @Test
  void rowsThatAreNowhereElseGoWithTheGraph() throws Exception {
    List<GlobalEdgeBlock> blocks = blocks(2_000, 100, true, v -> v);
    try (Device device = openDevice();
        DeviceHoldings on = new DeviceHoldings(device)) {
      List<DeviceTable> tables = tables(device, blocks);
      TableRows.Made made = new TableRows(on, 0).make(tables, true, 2, BuildMemory.UNBOUNDED);
      tables.forEach(DeviceTable::close);
      ExecutorGraph graph = ExecutorGraphBuilder.of(made.ids(), made.edges(), options(true));
      assertThat(made.edges().values(false).sample().doubles(0)).isNotEmpty();
      Object key = made.edges().rows(false).neighboursKey();
      on.resident().evict(Long.MAX_VALUE, List.of());
      try (ResidentArrays.Use back = on.resident().use(key, "back")) {
        int[] found = new int[made.edges().size()];
        device.download(back.memory(), 0, found, 0, found.length);
        assertThat(found).isEqualTo(graph.partitions().get(0).inEdges().neighbours());
      }
      on.release(graph);
      assertThat(device.allocatedBytes()).isZero();
      assertThat(Arrays.stream(new Object[] {key}).map(on.resident()::contains))
          .containsOnly(false);
    }
  }
}
