package org.sparkgpugraph.runtime.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.DirectMemory;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeStorePool;
import org.sparkgpugraph.graphs.model.EdgeStores;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/** Where edges are off the heap, and what they take there. */
@Tag("any-spark")
class EdgeHomesTest {
  private static MemoryManager memory(long bytes) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.memory.offHeap.enabled", "true")
            .set("spark.memory.offHeap.size", bytes + "b")
            .set("spark.testing.memory", "100000000")
            .set("spark.testing.reservedMemory", "0");
    return UnifiedMemoryManager.apply(conf, 1);
  }

  @Test
  void sparkCountsWhatIsTakenOfItsMemory() {
    MemoryManager spark = memory(1000);
    DirectMemory home = new DirectMemory(new EdgeHomes.SparkPool(spark, "1000"));
    assertThat(home.hasRoom(1000)).isTrue();
    assertThat(spark.offHeapStorageMemoryUsed()).as("taken by asking").isZero();
    OffHeapArray array = home.allocate(Kind.INT, 150);
    assertThat(spark.offHeapStorageMemoryUsed()).isEqualTo(600);
    assertThat(home.hasRoom(400)).isTrue();
    assertThat(home.hasRoom(401)).isFalse();
    assertThatThrownBy(() -> home.allocate(Kind.INT, 300))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageContaining("raise spark.memory.offHeap.size");
    assertThat(home.bytes()).isEqualTo(array.bytes());
  }

  private static List<EdgeBlock> blocks(int count, int size) {
    List<EdgeBlock> blocks = new ArrayList<>();
    for (int b = 0; b < count; b++) {
      int[] ends = new int[size];
      Arrays.fill(ends, b);
      blocks.add(new IntEdgeBlock(size, ends, ends, null));
    }
    return blocks;
  }

  /** Sources may have many partitions of few edges. */
  @Test
  void edgesThatWaitTakeAboutWhatTheyNeed() {
    for (int known : new int[] {0, 1}) {
      for (int count : new int[] {1, 2, 7, 40}) {
        DirectMemory home = new DirectMemory(DirectMemory.Budget.of(1 << 30, "none"));
        long edges = count * 100L;
        EdgeStores stores = new EdgeStores(home, null, known * edges);
        List<EdgeBlock> all = new ArrayList<>();
        blocks(count, 100).forEach(block -> stores.addTo(all, block));
        stores.seal();
        assertThat(all.stream().mapToLong(EdgeBlock::size).sum()).isEqualTo(edges);
        long last =
            all.stream().mapToLong(block -> block.source(block.size() - 1)).max().orElse(-1);
        assertThat(last).isEqualTo(count - 1);
        assertThat(home.bytes())
            .isBetween(8 * edges, known == 1 || count == 1 ? 8 * edges : 16 * edges);
        Reference.reachabilityFence(all);
      }
    }
  }

  @Test
  void partitionsThatAreReadOneAfterTheOtherShareArrays() {
    DirectMemory home = new DirectMemory(DirectMemory.Budget.of(1 << 30, "none"));
    EdgeStorePool pool = new EdgeStorePool(null);
    List<EdgeBlock> all = new ArrayList<>();
    for (int partition = 0; partition < 1000; partition++) {
      EdgeStores some = pool.take(home);
      some.addTo(all, blocks(1, 100).get(0));
      pool.give(some);
    }
    pool.seal();
    assertThat(all.stream().mapToLong(EdgeBlock::size).sum()).isEqualTo(100_000);
    assertThat(home.bytes()).isBetween(800_000L, 1_600_000L);
    assertThat(all).hasSizeLessThan(12);
  }

  /** Of some that have values nobody wants these. */
  @Test
  void edgesThatAreMovedGiveBackTheHeap() {
    long before = ExecutorRegistry.buildBytes();
    List<EdgeBlock> some = new ArrayList<>(blocks(2, 100));
    some.add(0, new IntEdgeBlock(100, new int[100], new int[100], new double[100]));
    long bytes = some.stream().mapToLong(EdgeBlock::bytes).sum();
    for (ValueType type : new ValueType[] {null, new ValueType.Scalar(Kind.DOUBLE)}) {
      Staging staging = new Staging("moving", type);
      staging.edges(0, some.iterator(), count -> {});
      assertThat(ExecutorRegistry.buildBytes() - before).isEqualTo(bytes);
      DirectMemory small = new DirectMemory(DirectMemory.Budget.of(800, "none"));
      assertThatThrownBy(() -> staging.moved(small)).isInstanceOf(OffHeapMemoryException.class);
      assertThat(ExecutorRegistry.buildBytes() - before).isBetween(0L, bytes);
      DirectMemory large = new DirectMemory(DirectMemory.Budget.of(1 << 20, "none"));
      List<EdgeBlock> moved = staging.moved(large);
      assertThat(moved.stream().mapToLong(EdgeBlock::size).sum()).isEqualTo(300);
      assertThat(moved.get(0).values() == null).isEqualTo(type == null);
      assertThat(ExecutorRegistry.buildBytes()).isEqualTo(before);
      staging.close();
    }
  }
}
