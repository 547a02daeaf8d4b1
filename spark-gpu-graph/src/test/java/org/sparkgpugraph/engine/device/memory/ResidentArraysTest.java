package org.sparkgpugraph.engine.device.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.MemoryOnlyDevice;
import org.sparkgpugraph.graphs.memory.LaterArray;
import org.sparkgpugraph.program.ir.Kind;

@Tag("any-spark")
class ResidentArraysTest {
  private final MemoryOnlyDevice device = new MemoryOnlyDevice(10_000);
  private final ResidentArrays resident = new ResidentArrays(device);

  @Test
  void anArrayIsUploadedOnce() {
    int[] array = {1, 2, 3};
    int[] equal = {1, 2, 3};
    DeviceMemory first;
    try (ResidentArrays.Use one = resident.use(array, "one");
        ResidentArrays.Use two = resident.use(array, "two")) {
      first = one.memory();
      assertThat(two.memory()).isSameAs(first);
      assertThat(device.content(first)).isEqualTo(array);
      assertThat(first.bytes()).isEqualTo(12);
    }
    assertThat(resident.contains(array)).isTrue();
    assertThat(resident.contains(equal)).as("another array").isFalse();
    try (ResidentArrays.Use again = resident.use(array, "again")) {
      assertThat(again.memory()).isSameAs(first);
    }
    assertThat(device.uploads()).isEqualTo(1);
    assertThat(device.purposes()).containsExactly("one");
    resident.close();
    assertThat(device.allocatedBytes()).isZero();
  }

  @Test
  void bytesByType() {
    assertThat(ResidentArrays.bytes(new boolean[3])).isEqualTo(3);
    assertThat(ResidentArrays.bytes(new int[3])).isEqualTo(12);
    assertThat(ResidentArrays.bytes(new float[3])).isEqualTo(12);
    assertThat(ResidentArrays.bytes(new long[3])).isEqualTo(24);
    assertThat(ResidentArrays.bytes(new double[0])).isZero();
  }

  /** Others ask while they allocate, from any thread: who is busy here is not waited for. */
  @Test
  void whatNoRunUsesGivesWayToOthers() throws Exception {
    long[] old = new long[10];
    long[] used = new long[20];
    resident.use(old, "old").close();
    try (ResidentArrays.Use use = resident.use(used, "used")) {
      assertThat(resident.reclaimableBytes()).isEqualTo(80);
      assertThat(
              (long) resident.undisturbed(() -> resident.reclaimableBytes() + resident.reclaim(80)))
          .as("while a run finds out what is here")
          .isZero();
      assertThat(resident.contains(old)).isTrue();
      assertThat(resident.reclaim(Long.MAX_VALUE)).isEqualTo(80);
      assertThat(resident.contains(old)).isFalse();
      assertThat(resident.contains(used)).isTrue();
      assertThat(resident.reclaim(Long.MAX_VALUE)).isZero();
      assertThat(use.memory().bytes()).isEqualTo(160);
    }
    assertThat(resident.reclaimableBytes()).isEqualTo(160);
  }

  /** An upload's own allocation may be what has others ask. */
  @Test
  void whoAllocatesIsNotAskedHimself() {
    long[] old = new long[10];
    resident.use(old, "old").close();
    LaterArray asking =
        new LaterArray(
            4,
            Kind.LONG,
            () -> {
              assertThat(resident.reclaimableBytes() + resident.reclaim(80)).isZero();
              return new long[4];
            });
    resident.use(asking, "asks").close();
    assertThat(resident.contains(old)).isTrue();
  }

  @Test
  void whoHasTheLockIsNotWaitedFor() throws Exception {
    long[] old = new long[10];
    resident.use(old, "old").close();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    LaterArray slow =
        new LaterArray(
            4,
            Kind.LONG,
            () -> {
              busy.countDown();
              await(asked);
              return new long[4];
            });
    CompletableFuture<Void> run =
        CompletableFuture.runAsync(() -> resident.use(slow, "slow").close());
    await(busy);
    assertThat(resident.reclaimableBytes() + resident.reclaim(80)).isZero();
    asked.countDown();
    run.get(10, TimeUnit.SECONDS);
    assertThat(resident.reclaim(80)).isEqualTo(80);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theLeastRecentlyUsedIsEvictedFirst() {
    long[] a = new long[10];
    long[] b = new long[10];
    long[] c = new long[10];
    long[] used = new long[10];
    ResidentArrays.Use use = resident.use(used, "used");
    for (long[] array : List.of(a, b, c)) {
      resident.use(array, "array").close();
    }
    resident.use(a, "again").close();
    assertThat(resident.evictableBytes(List.of())).isEqualTo(240);
    assertThat(resident.evictableBytes(List.of(b))).isEqualTo(160);
    assertThat(resident.evict(1, List.of(b))).isEqualTo(80);
    assertThat(resident.contains(c)).isFalse();
    assertThat(resident.contains(b)).as("kept").isTrue();
    assertThat(resident.evict(81, List.of())).isEqualTo(160);
    assertThat(resident.contains(used)).as("in use").isTrue();
    assertThat(resident.evict(1, List.of())).isZero();
    use.close();
    use.close();
    assertThat(resident.evictableBytes(List.of())).isEqualTo(80);
    resident.close();
    assertThat(device.allocatedBytes()).isZero();
  }

  @Test
  void whatTheHostDropsIsFreed() throws InterruptedException {
    resident.use(new long[100], "dropped").close();
    int[] kept = new int[1];
    resident.use(kept, "kept").close();
    for (int i = 0; i < 100 && resident.bytes() > 4; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(resident.bytes()).isEqualTo(4);
    assertThat(device.purposes()).containsExactly("kept");
    assertThat(resident.contains(kept)).isTrue();
  }

  @Test
  void releaseWaitsForRuns() {
    int[] array = new int[5];
    ResidentArrays.Use use = resident.use(array, "array");
    resident.release(array);
    assertThat(device.allocatedBytes()).isEqualTo(20);
    use.close();
    assertThat(device.allocatedBytes()).isZero();
    resident.release(array);
    resident.use(array, "again").close();
    resident.release(array);
    assertThat(device.allocatedBytes()).isZero();
  }

  @Test
  void closingWaitsForRuns() {
    int[] array = new int[5];
    ResidentArrays.Use use = resident.use(array, "array");
    resident.close();
    assertThat(device.allocatedBytes()).isEqualTo(20);
    assertThatThrownBy(() -> resident.use(array, "array"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    use.close();
    assertThat(device.allocatedBytes()).isZero();
  }

  @Test
  void whatDoesNotFitLeavesNothing() {
    long[] large = new long[2000];
    assertThatThrownBy(() -> resident.use(large, "large"))
        .isInstanceOf(DeviceOutOfMemoryException.class);
    assertThat(resident.contains(large)).isFalse();
    assertThat(device.allocatedBytes()).isZero();
  }
}
