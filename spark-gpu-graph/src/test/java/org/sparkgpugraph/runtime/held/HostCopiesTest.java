package org.sparkgpugraph.runtime.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.testing.BoundedMemory;

/** Edges on a device that are copied to a heap with so much room. */
@Tag("any-spark")
class HostCopiesTest {
  private int open;
  private int copied;

  /** From 0 to 1, with weights. */
  private EdgeBlock onDevice(int size) {
    open++;
    return new DeviceEdgeBlock(
        new DeviceTable() {
          private boolean closed;

          @Override
          public int size() {
            return size;
          }

          @Override
          public long sources() {
            return 64;
          }

          @Override
          public long destinations() {
            return 128;
          }

          @Override
          public long values() {
            return 192;
          }

          @Override
          public long[] copyEnds(boolean ofSources) {
            copied++;
            return new long[size];
          }

          @Override
          public double[] copyValues() {
            return new double[size];
          }

          @Override
          public void close() {
            open -= closed ? 0 : 1;
            closed = true;
          }
        },
        false);
  }

  @Test
  void theLastTwoAreReserved() {
    GlobalEdgeBlock onHeap = new GlobalEdgeBlock(1, new long[1], new long[1], new double[1]);
    BoundedMemory heap = new BoundedMemory(24 * 30);
    Iterator<EdgeBlock> blocks =
        new HostCopies(
            List.of(onDevice(10), onDevice(20), onHeap, onDevice(0), onDevice(30)).iterator(),
            heap);
    long[] reserved = {10, 30, 20, 0, 30};
    for (long edges : reserved) {
      assertThat(blocks.hasNext()).isTrue();
      assertThat(blocks.next()).isInstanceOf(GlobalEdgeBlock.class);
      assertThat(heap.reserved()).isEqualTo(24 * edges);
    }
    assertThat(blocks.hasNext()).isFalse();
    assertThat(open).as("columns, also those without edges").isZero();
    assertThat(copied).isEqualTo(8);
  }

  @Test
  void whatHasNoRoomIsFreedAndNotCopied() {
    Iterator<EdgeBlock> blocks =
        new HostCopies(List.of(onDevice(10), onDevice(20)).iterator(), new BoundedMemory(24 * 29));
    blocks.next();
    assertThatThrownBy(blocks::next).hasMessage("no room for 480");
    assertThat(copied).isEqualTo(2);
    assertThat(open).isZero();
  }
}
