package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.TableRows;
import org.sparkgpugraph.graphs.LocalShards;
import org.sparkgpugraph.graphs.build.CsrGraphPartition;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.build.ShardPlace;
import org.sparkgpugraph.graphs.build.ShardRows;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.rows.RowsElsewhere;
import org.sparkgpugraph.graphs.shard.EdgeSample;
import org.sparkgpugraph.graphs.shard.ShardBuilder;
import org.sparkgpugraph.testing.TestDeviceTable;

/** Shards of tables on a device against those that the host makes of the same edges. */
@Timeout(120)
abstract class ShardTableSuite {
  private static final long SEED = 20261128;

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice();

  /** Edges between numbers, with what their ids are: hubs, loops, edges that are there twice. */
  private static GlobalEdgeBlock block(
      int edges, int vertices, boolean values, IntToLongFunction id) {
    Random random = new Random(SEED + edges);
    long[] sources = new long[edges];
    long[] destinations = new long[edges];
    double[] weights = new double[edges];
    for (int e = 0; e < edges; e++) {
      boolean again = e % 10 == 3;
      sources[e] = again ? sources[e - 3] : id.applyAsLong(random.nextInt(vertices));
      destinations[e] =
          again
              ? destinations[e - 3]
              : e % 50 == 7
                  ? sources[e]
                  : id.applyAsLong((int) (vertices * Math.pow(random.nextDouble(), 4)));
      weights[e] = random.nextGaussian();
    }
    return new GlobalEdgeBlock(edges, sources, destinations, values ? weights : null);
  }

  private static GlobalEdgeBlock edges(long... ends) {
    long[] sources = new long[ends.length / 2];
    long[] destinations = new long[sources.length];
    for (int e = 0; e < sources.length; e++) {
      sources[e] = ends[2 * e];
      destinations[e] = ends[2 * e + 1];
    }
    return new GlobalEdgeBlock(sources.length, sources, destinations, null);
  }

  /** What a shuffle brings to a shard: edges with an end there, in their order, in two tables. */
  private static List<GlobalEdgeBlock> sent(GlobalEdgeBlock all, IdRanges ranges, int shard) {
    List<Integer> here = new ArrayList<>();
    for (int e = 0; e < all.size(); e++) {
      if (ranges.shardOf(all.source(e)) == shard || ranges.shardOf(all.destination(e)) == shard) {
        here.add(e);
      }
    }
    int cut = here.size() / 3;
    return List.of(
        some(all, here.subList(0, cut)), some(all, here.subList(cut, here.size())), edges());
  }

  private static GlobalEdgeBlock some(GlobalEdgeBlock all, List<Integer> edges) {
    double[] values = (double[]) all.values();
    return new GlobalEdgeBlock(
        edges.size(),
        edges.stream().mapToLong(all::source).toArray(),
        edges.stream().mapToLong(all::destination).toArray(),
        values == null ? null : edges.stream().mapToDouble(e -> values[e]).toArray());
  }

  private void check(GlobalEdgeBlock all, IdRanges ranges) {
    for (boolean out : new boolean[] {false, true}) {
      check(all, ranges, out);
    }
  }

  /** Makes all shards both ways, connects them and compares all of them. */
  private void check(GlobalEdgeBlock all, IdRanges ranges, boolean out) {
    boolean values = all.values() != null;
    ShardBuilder.Options options =
        new ShardBuilder.Options(1, 2, values ? LocalShards.DOUBLE : null, out, false);
    LocalShards expected = new LocalShards(ranges, options, new Random(SEED));
    expected.build(List.of(List.<EdgeBlock>of(all)), null);
    expected.connect();
    AtomicLong uploaded = new AtomicLong();
    int copied = TestDeviceTable.COPIED.get();
    try (Device device = openDevice();
        DeviceHoldings on =
            new DeviceHoldings(DeviceProxies.uploading(device, uploaded::addAndGet))) {
      LocalShards made = new LocalShards(ranges, options, new Random(SEED));
      for (int shard = 0; shard < ranges.shards(); shard++) {
        long before = device.allocatedBytes();
        List<DeviceTable> tables = new ArrayList<>();
        sent(all, ranges, shard).forEach(b -> tables.add(TestDeviceTable.of(device, b)));
        uploaded.set(0);
        ShardPlace place = new ShardPlace(shard, ranges, out);
        ShardRows rows = new TableRows(on, 0).make(tables, place, values, BuildMemory.UNBOUNDED);
        assertThat(uploaded.get())
            .as("bytes that went to the device")
            .isLessThanOrEqualTo(16L * all.size() / 100 + 64);
        tables.forEach(DeviceTable::close);
        long edges = rows.in().csr().edges() + (out ? rows.out().csr().edges() : 0);
        assertThat(device.allocatedBytes() - before)
            .as("nothing but rows is left")
            .isEqualTo((values ? 12 : 4) * edges);
        made.graphs.add(
            ExecutorGraphBuilder.of(
                place,
                rows,
                new ExecutorGraphBuilder.Options(1, 2, values ? LocalShards.DOUBLE : null)));
      }
      made.connect();
      for (int shard = 0; shard < ranges.shards(); shard++) {
        assertSame(on, made.graphs.get(shard), expected.graphs.get(shard), out);
      }
      // They make room, and come back, and the host may need all of them.
      long rows = on.resident().bytes();
      assertThat(on.resident().evict(Long.MAX_VALUE, List.of())).isEqualTo(rows);
      assertThat(device.allocatedBytes()).isZero();
      for (int shard = 0; shard < ranges.shards(); shard++) {
        for (RowsElsewhere side : RowsElsewhere.of(made.graphs.get(shard).partitions().get(0))) {
          on.resident().use(side.csr().neighboursKey(), "back").close();
        }
        assertHost(made.graphs.get(shard), expected.graphs.get(shard), out);
      }
      assertThat(TestDeviceTable.COPIED.get()).as("through the host").isEqualTo(copied);
      made.graphs.forEach(on::release);
      assertThat(device.allocatedBytes()).isZero();
    }
  }

  private static void assertSame(
      DeviceHoldings on, ExecutorGraph actual, ExecutorGraph expected, boolean out) {
    assertThat(actual.ids().size()).isEqualTo(expected.ids().size());
    for (long v = 0; v < expected.ids().size(); v++) {
      assertThat(actual.ids().original(v)).isEqualTo(expected.ids().original(v));
    }
    assertThat(actual.firstHeld()).isEqualTo(expected.firstHeld());
    assertThat(actual.endHeld()).isEqualTo(expected.endHeld());
    assertThat(actual.heldVertices()).isEqualTo(expected.heldVertices());
    assertThat(actual.edgeCount()).isEqualTo(expected.edgeCount());
    assertThat(actual.vertexCount()).isEqualTo(expected.vertexCount());
    assertThat(actual.imports()).usingRecursiveComparison().isEqualTo(expected.imports());
    assertThat(actual.exports()).usingRecursiveComparison().isEqualTo(expected.exports());
    CsrGraphPartition there = (CsrGraphPartition) actual.partitions().get(0);
    CsrGraphPartition here = (CsrGraphPartition) expected.partitions().get(0);
    assertThat(there.ghostIds()).isEqualTo(here.ghostIds());
    assertThat(there.present()).isEqualTo(here.present());
    for (boolean in : new boolean[] {true, false}) {
      for (int v = 0; v < here.stored() + here.ghosts(); v++) {
        assertThat(there.degree(v, in))
            .as("degree of %s, in: %s", v, in)
            .isEqualTo(here.degree(v, in));
      }
    }
    // To connect them takes no rows on the host.
    assertThat(there.inEdges().isMade()).as("on the host").isFalse();
    DeviceRowsSuite.assertSame(on, there.inEdges(), there.inEdgeValues(), here, true);
    if (out) {
      DeviceRowsSuite.assertSame(on, there.outEdges(), there.outEdgeValues(), here, false);
    }
  }

  private static void assertHost(ExecutorGraph actual, ExecutorGraph expected, boolean out) {
    CsrGraphPartition there = (CsrGraphPartition) actual.partitions().get(0);
    CsrGraphPartition here = (CsrGraphPartition) expected.partitions().get(0);
    assertThat(there.inEdges().isMade()).as("on the host").isFalse();
    long before = actual.bytes();
    assertThat(there.inEdges().neighbours()).isEqualTo(here.inEdges().neighbours());
    assertThat(actual.bytes() - before)
        .isEqualTo((here.inEdgeValues() == null ? 4L : 12L) * here.inEdges().edges());
    if (here.inEdgeValues() != null) {
      assertThat(there.inEdgeValues().array(0)).isEqualTo(here.inEdgeValues().array(0));
    }
    if (out) {
      DeviceRowsSuite.assertHost(there, here);
    }
    assertThat(there.inTranspose().neighbours()).isEqualTo(here.inTranspose().neighbours());
  }

  @Test
  void rangesWithAboutEqualNumbersOfEdges() {
    for (boolean values : new boolean[] {false, true}) {
      for (int shards : new int[] {2, 3, 5}) {
        GlobalEdgeBlock all = block(6_000 + shards, 900, values, v -> v);
        check(all, EdgeSample.of(List.of(all).iterator(), SEED).split(shards, true));
      }
    }
  }

  @Test
  void idsOfAllKinds() {
    for (boolean values : new boolean[] {false, true}) {
      check(block(3_000, 700, values, v -> 5L * v + 1), new IdRanges(400, 1500));
      check(
          block(2_000, 300, values, v -> v * 0x9E3779B97F4A7C15L),
          new IdRanges(-5_000_000, 1L << 40));
      check(block(1_000, 200, values, v -> -1L - v), new IdRanges(-150));
    }
    check(
        block(300, 3, false, v -> new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}[v]),
        new IdRanges(0, Long.MAX_VALUE));
  }

  /** Ranges without a vertex, at either end and between, and such as begin with the least id. */
  @Test
  void shardsThatHoldNothing() {
    GlobalEdgeBlock all = block(1_000, 100, true, v -> v);
    check(all, new IdRanges(-5, 50, 50, 200));
    check(all, new IdRanges(Long.MIN_VALUE, 50));
    check(edges(), new IdRanges(0));
  }

  @Test
  void shardsWithoutGhosts() {
    check(edges(1, 2, 2, 1, 1, 1, 11, 12, 12, 12, 11, 12), new IdRanges(10));
  }

  /** One has all destinations, another all sources; a third one hub. */
  @Test
  void shardsOfOneSide() {
    check(edges(1, 11, 1, 12, 2, 11, 3, 11, 1, 11), new IdRanges(10));
    check(edges(11, 1, 12, 1, 11, 2, 11, 3, 11, 1), new IdRanges(10));
    GlobalEdgeBlock all = block(3_000, 400, true, v -> v % 2 == 0 ? 7 : v);
    check(all, new IdRanges(7, 8, 100));
  }

  /** What is sent to a shard that has neither end would be lost. */
  @Test
  void edgesOfOthersAreRefused() {
    try (Device device = openDevice();
        DeviceHoldings on = new DeviceHoldings(device)) {
      DeviceTable table = TestDeviceTable.of(device, edges(1, 11, 11, 12, 1, 2, 12, 12));
      ShardPlace place = new ShardPlace(0, new IdRanges(10), true);
      assertThatThrownBy(
              () -> new TableRows(on, 0).make(List.of(table), place, false, BuildMemory.UNBOUNDED))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2 of 4 edges");
      table.close();
      assertThat(device.allocatedBytes()).isZero();
    }
  }
}
