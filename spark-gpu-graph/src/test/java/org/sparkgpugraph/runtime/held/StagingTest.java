package org.sparkgpugraph.runtime.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;

/** Tables on a device that wait for whoever makes a graph of them. */
class StagingTest {
  /** An edge whose columns are nowhere. */
  private static final class Table implements DeviceTable {
    private boolean closed;

    @Override
    public int size() {
      return 1;
    }

    @Override
    public long sources() {
      return 8;
    }

    @Override
    public long destinations() {
      return 16;
    }

    @Override
    public long values() {
      return 0;
    }

    @Override
    public long[] copyEnds(boolean ofSources) {
      return new long[] {ofSources ? 1 : 2};
    }

    @Override
    public double[] copyValues() {
      return null;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static Table stage(Staging staging, int partition) {
    Table table = new Table();
    staging.edges(
        partition, List.<EdgeBlock>of(new DeviceEdgeBlock(table, true)).iterator(), read -> {});
    return table;
  }

  /** A task that Spark runs again may end while rows are made of what it staged at first. */
  @Test
  void whatWasHandedOutIsNotReplaced() {
    Staging staging = new Staging("graph", null);
    Table first = stage(staging, 1);
    assertThat(staging.has(0)).isFalse();
    assertThat(staging.has(1)).isTrue();
    Table again = stage(staging, 1);
    assertThat(first.closed).as("replaced").isTrue();
    assertThat(staging.edges()).hasSize(1);
    Table late = stage(staging, 1);
    assertThat(late.closed).as("too late").isTrue();
    assertThat(again.closed).as("in use").isFalse();
    Table other = stage(staging, 0);
    assertThat(other.closed).as("of another partition").isFalse();
    assertThat(staging.edges())
        .extracting(block -> ((DeviceEdgeBlock) block).table())
        .containsExactly(other, again);
    staging.close();
    assertThat(again.closed && other.closed).as("freed").isTrue();
  }

  private static Iterator<EdgeBlock> blocks(List<Table> tables) {
    return tables.stream().<EdgeBlock>map(table -> new DeviceEdgeBlock(table, true)).iterator();
  }

  /** What tables take of the device is bounded; the partition that is too much is let go of. */
  @Test
  void tablesBeyondTheirRoomAreRefused() {
    Staging staging = new Staging("graph", null);
    long each = new DeviceEdgeBlock(new Table(), true).copyBytes();
    List<Table> waiting = List.of(new Table(), new Table());
    staging.edges(0, blocks(waiting), 2 * each, read -> {});
    List<Table> failing = List.of(new Table(), new Table());
    Iterator<EdgeBlock> thenNone =
        Stream.concat(
                failing.stream().<EdgeBlock>map(table -> new DeviceEdgeBlock(table, true)),
                Stream.generate(
                    () -> {
                      throw new IllegalStateException("the source has failed");
                    }))
            .iterator();
    assertThatThrownBy(() -> staging.edges(1, thenNone, 4 * each, read -> {}))
        .hasMessage("the source has failed");
    // What it had there counts no more.
    List<Table> again = List.of(new Table(), new Table());
    staging.edges(1, blocks(again), 4 * each, read -> {});
    List<Table> more = List.of(new Table(), new Table());
    assertThatThrownBy(() -> staging.edges(2, blocks(more), 5 * each, read -> {}))
        .isInstanceOf(Staging.DeviceFullException.class)
        .hasMessage("edges take %d bytes of a GPU, and may take %d", 6 * each, 5 * each);
    List<Table> late = List.of(new Table());
    Iterator<EdgeBlock> unread = blocks(late);
    assertThatThrownBy(() -> staging.edges(3, unread, 100 * each, read -> {}))
        .isInstanceOf(Staging.DeviceFullException.class);
    assertThat(unread.hasNext()).as("not begun").isTrue();
    assertThat(staging.edgePartitions()).isEqualTo(2);
    assertThat(Stream.of(failing, more).flatMap(List::stream)).allMatch(table -> table.closed);
    assertThat(Stream.of(waiting, again).flatMap(List::stream)).noneMatch(table -> table.closed);
    staging.close();
    assertThat(staging.isClosed()).isTrue();
    assertThat(Stream.of(waiting, again).flatMap(List::stream)).allMatch(table -> table.closed);
  }

  /** Who tries again finds all edges on the heap. */
  @Test
  void copiesStandForTables() {
    Staging staging = new Staging("graph", null);
    Table table = stage(staging, 0);
    staging.onHost("there is no room");
    assertThat(table.closed).isTrue();
    assertThat(staging.whyOnHost()).isEqualTo("there is no room");
    assertThat(staging.edges()).noneMatch(DeviceEdgeBlock.class::isInstance).hasSize(1);
    assertThat(staging.edges().get(0).source(0)).isEqualTo(1);
    staging.close();
  }
}
