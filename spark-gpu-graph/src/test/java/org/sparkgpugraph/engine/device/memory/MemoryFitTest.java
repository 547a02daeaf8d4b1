package org.sparkgpugraph.engine.device.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.MemoryOnlyDevice;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;

/** What of a plan lies on a device of 64 MiB, and what in the host's memory. */
@Tag("any-spark")
class MemoryFitTest {
  private static final int MIB = 1 << 20;

  private final MemoryOnlyDevice device = new MemoryOnlyDevice(64L * MIB);
  private final DeviceHoldings on = new DeviceHoldings(device);
  private final int[] rows = new int[2 * MIB];
  private final int[] in = new int[8 * MIB];
  private final int[] out = new int[8 * MIB];

  private static DeviceSettings settings(long edgeBytes) {
    return DeviceSettings.DEFAULT.withReserve(0).withEdgeBytes(edgeBytes);
  }

  /** 8 MiB per row, 32 MiB for each of some arrays per edge, and what the run has alone. */
  private DevicePlan plan(long own, int[]... edges) {
    List<DevicePlan.Item> items = new ArrayList<>();
    items.add(new DevicePlan.Item(0, "rows", "rows", 8L * MIB, rows, true));
    for (int[] array : edges) {
      String member = "edges" + items.size();
      items.add(DevicePlan.Item.perEdge(0, member, "edges", 32L * MIB, array, array));
    }
    items.add(new DevicePlan.Item(0, "values", "values", own, null, false));
    return new DevicePlan(1, false, items, Map.of());
  }

  private MemoryFit fit(long edgeBytes) {
    return new MemoryFit(on, settings(edgeBytes), 0);
  }

  private DeviceAllocations open(DevicePlan plan) {
    return new DeviceAllocations(device, on.resident(), plan, 1);
  }

  @Test
  void whatFitsIsWhole() {
    device.hostBytes(Long.MAX_VALUE);
    DevicePlan plan = fit(Long.MAX_VALUE).take(plan(24L * MIB, in), "a run");
    assertThat(plan.outsideBytes()).isZero();
    try (DeviceAllocations memory = open(plan)) {
      assertThat(device.allocatedBytes()).isEqualTo(64L * MIB);
      assertThat(memory.get(0, "edges1").ownBytes()).isEqualTo(32L * MIB);
    }
    on.close();
    assertThat(device.allocatedBytes()).isZero();
  }

  @Test
  void whatDoesNotFitIsOnTheDeviceFromTheFirstOnInWholePages() {
    device.hostBytes(Long.MAX_VALUE);
    DevicePlan plan = fit(Long.MAX_VALUE).take(plan(19L * MIB, in, out), "a run");
    // 37 MiB are left for 64, in pages of 2.
    assertThat(plan.outsideBytes()).isEqualTo(28L * MIB);
    assertThat(plan.edgeBytes()).isEqualTo(64L * MIB);
    try (DeviceAllocations memory = open(plan)) {
      assertThat(device.allocatedBytes()).isEqualTo((8 + 19 + 36L) * MIB);
      assertThat(memory.get(0, "edges1").ownBytes()).isEqualTo(32L * MIB);
      assertThat(memory.get(0, "edges2").ownBytes()).isEqualTo(4L * MIB);
      assertThat(memory.get(0, "edges2").bytes()).isEqualTo(32L * MIB);
    }
    // The next run takes what is there as it is.
    DevicePlan again = fit(Long.MAX_VALUE).take(plan(19L * MIB, in, out), "a run");
    open(again).close();
    assertThat(device.uploads()).isEqualTo(3);
    // One that needs more memory makes these arrays anew.
    DevicePlan more = fit(Long.MAX_VALUE).take(plan(45L * MIB, in, out), "a run");
    try (DeviceAllocations memory = open(more)) {
      assertThat(memory.get(0, "edges1").ownBytes()).isEqualTo(10L * MIB);
      assertThat(memory.get(0, "edges2").ownBytes()).isZero();
    }
    assertThat(device.uploads()).isEqualTo(5);
    on.close();
  }

  @Test
  void edgesTakeNoMoreThanTheyMay() {
    device.hostBytes(Long.MAX_VALUE);
    DevicePlan plan = fit(4L * MIB).take(plan(MIB, in), "a run");
    assertThat(plan.outsideBytes()).isEqualTo(28L * MIB);
    open(plan).close();
    assertThat(device.allocatedBytes()).isEqualTo((8 + 4L) * MIB);
    open(fit(4L * MIB).take(plan(MIB, in), "a run")).close();
    assertThat(device.uploads()).as("there as it may be").isEqualTo(2);
    open(fit(0).take(plan(MIB, in), "a run")).close();
    assertThat(device.allocatedBytes()).isEqualTo(8L * MIB);
    on.close();
  }

  /** Neighbours and values of the same rows are read together. */
  @Test
  void arraysOfTheSameRowsAreSplitAtTheSameEdge() {
    Object first = new Object();
    Object second = new Object();
    DevicePlan plan =
        new DevicePlan(
                1,
                true,
                List.of(
                    DevicePlan.Item.perEdge(0, "a", "neighbours", 32L * MIB, in, first),
                    DevicePlan.Item.perEdge(0, "b", "values", 64L * MIB, new long[8 * MIB], first),
                    DevicePlan.Item.perEdge(0, "c", "neighbours", 32L * MIB, out, second)),
                Map.of())
            .split(50L * MIB, 2L * MIB, Map.of());
    assertThat(plan.items())
        .extracting(DevicePlan.Item::own)
        .containsExactly(16L * MIB, 32L * MIB, 2L * MIB);
  }

  /** What had to stay outside comes in when there is room. */
  @Test
  void whatFitsNowBecomesWhole() {
    device.hostBytes(Long.MAX_VALUE);
    open(fit(4L * MIB).take(plan(MIB, in), "a run")).close();
    open(fit(Long.MAX_VALUE).take(plan(MIB, in), "a run")).close();
    assertThat(device.allocatedBytes()).isEqualTo((8 + 32L) * MIB);
    open(fit(Long.MAX_VALUE).take(plan(MIB, in), "a run")).close();
    assertThat(device.uploads()).isEqualTo(3);
    on.close();
  }

  /** A search without edge values has left the neighbours of both sides; then values are read. */
  @Test
  void valuesComeInWithTheNeighboursThatAreReadMost() {
    device.hostBytes(Long.MAX_VALUE);
    open(fit(40L * MIB).take(plan(MIB, in, out), "a search")).close();
    int[] values = new int[8 * MIB];
    DevicePlan.Item sources = DevicePlan.Item.perEdge(0, "in", "neighbours", 32L * MIB, in, in);
    DevicePlan.Item lengths = DevicePlan.Item.perEdge(0, "values", "values", 32L * MIB, values, in);
    DevicePlan.Item targets = DevicePlan.Item.perEdge(0, "out", "neighbours", 32L * MIB, out, out);
    DevicePlan paths = new DevicePlan(1, true, List.of(sources, lengths, targets), Map.of());
    DevicePlan plan = fit(40L * MIB).take(paths, "paths");
    assertThat(plan.items())
        .extracting(DevicePlan.Item::own)
        .containsExactly(20L * MIB, 20L * MIB, 0L);
    on.close();
  }

  /** An array that another run reads does not move. */
  @Test
  void whatIsInUseStaysWhereItIs() {
    device.hostBytes(Long.MAX_VALUE);
    try (DeviceAllocations first = open(fit(Long.MAX_VALUE).take(plan(MIB, in), "a run"))) {
      DevicePlan second = fit(Long.MAX_VALUE).take(plan(10L * MIB, in, out), "another");
      assertThat(second.outsideBytes()).isEqualTo((32L - 12) * MIB);
      try (DeviceAllocations memory = open(second)) {
        assertThat(memory.get(0, "edges1")).isSameAs(first.get(0, "edges1"));
        assertThat(memory.get(0, "edges2").ownBytes()).isEqualTo(12L * MIB);
      }
    }
    on.close();
  }

  @Test
  void aDeviceThatCannotReadTheHostsMemoryRefuses() {
    assertThatThrownBy(() -> fit(Long.MAX_VALUE).take(plan(25L * MIB, in), "a run"))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining("a run needs " + 65L * MIB);
    assertThat(fit(0).fit(plan(MIB, in), true).isWhole()).as("the limit is void").isTrue();
  }

  @Test
  void soDoesAHostThatHasTooLittle() {
    device.hostBytes(17L * MIB);
    assertThatThrownBy(() -> fit(Long.MAX_VALUE).take(plan(42L * MIB, in), "a run"))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining("the host of memory has " + 17L * MIB)
        .hasMessageContaining(
            "what of the edges of a run has no room on the GPU needs " + 18L * MIB)
        .hasMessageContaining("spark.executor.memoryOverhead");
    device.hostBytes(18L * MIB);
    assertThat(fit(Long.MAX_VALUE).take(plan(42L * MIB, in), "a run").outsideBytes())
        .isEqualTo(18L * MIB);
  }

  /** A little more is needed than an earlier run has left. */
  @Test
  void aPlanThatIsNearlyThereIsMadeAnewWhereItHasNoRoom() {
    device.hostBytes(Long.MAX_VALUE);
    open(fit(Long.MAX_VALUE).take(plan(19L * MIB, in, out), "a run")).close();
    open(fit(Long.MAX_VALUE).take(plan(22L * MIB, in, out), "a run")).close();
    assertThat(on.resident().ownBytes(in)).isEqualTo(32L * MIB);
    assertThat(on.resident().ownBytes(out)).isEqualTo(2L * MIB);
    assertThat(device.uploads()).as("what is as planned is not copied again").isEqualTo(4);
    on.close();
  }

  /** What gives way gives room on the host, too. */
  @Test
  void theHostsMemoryOfOthersIsFreed() {
    device.hostBytes(34L * MIB);
    open(fit(0).take(plan(MIB, in), "a run")).close();
    device.hostBytes(2L * MIB);
    DevicePlan other = fit(0).take(plan(MIB, out), "another");
    assertThat(other.outsideBytes()).isEqualTo(32L * MIB);
    assertThat(on.resident().contains(in)).isFalse();
    assertThatThrownBy(
            () -> new MemoryFit(on, settings(0), 3L * MIB).take(plan(MIB, out), "a third"))
        .isInstanceOf(DeviceOutOfMemoryException.class);
  }

  /** Of a bound what others use is taken, and told. */
  @Test
  void whatOthersUseCountsForTheBound() {
    device.hostBytes(Long.MAX_VALUE);
    try (DeviceAllocations first = open(fit(Long.MAX_VALUE).take(plan(MIB, in), "a run"))) {
      DevicePlan second = fit(34L * MIB).take(plan(MIB, in, out), "another");
      assertThat(second.outsideBytes()).isEqualTo(30L * MIB);
      DevicePlan third = fit(0).take(plan(MIB, in), "one that uses no more");
      assertThat(third.outsideBytes()).isZero();
    }
    try (DeviceAllocations first = open(fit(8L * MIB).take(plan(MIB, in), "a run"))) {
      DevicePlan same = fit(Long.MAX_VALUE).take(plan(MIB, in), "the same beside it");
      assertThat(same.outsideBytes()).as("where it is").isEqualTo(24L * MIB);
    }
    on.close();
  }

  /** Rows that dense supersteps read come before others, of all partitions. */
  @Test
  void partitionsTakeTurns() {
    List<DevicePlan.Item> items = new ArrayList<>();
    for (int p = 0; p < 2; p++) {
      for (String rows : List.of("first", "second")) {
        int[] array = new int[2 * MIB];
        items.add(DevicePlan.Item.perEdge(p, rows, "edges", 8L * MIB, array, array));
      }
    }
    DevicePlan plan = new DevicePlan(1, true, items, Map.of()).split(20L * MIB, 1, Map.of());
    assertThat(plan.items())
        .extracting(DevicePlan.Item::own)
        .containsExactly(8L * MIB, 4L * MIB, 8L * MIB, 0L);
  }

  @Test
  void whatThereIsPerVertexHasToFit() {
    device.hostBytes(Long.MAX_VALUE);
    assertThatThrownBy(() -> fit(Long.MAX_VALUE).take(plan(57L * MIB, in), "a run"))
        .isInstanceOf(DeviceOutOfMemoryException.class);
  }
}
