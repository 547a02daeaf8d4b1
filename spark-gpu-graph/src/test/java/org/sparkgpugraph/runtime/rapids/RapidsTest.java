package org.sparkgpugraph.runtime.rapids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.cuda.SharedPool;
import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.engine.device.Reclaimable;
import org.sparkgpugraph.testing.SharedSpark;

/** How RAPIDS is found and used, over classes that have the names of its own. */
@ExtendWith(SharedSpark.class)
class RapidsTest {
  private static final String RMM = "ai.rapids.cudf.Rmm";
  private static final String JNI = "com.nvidia.spark.rapids.jni.";
  private static final MemoryInfo GPU = new MemoryInfo(3_000, 20_000);

  @TempDir static Path classes;

  @BeforeAll
  static void compile() throws Exception {
    FakeRapids.compile(classes);
  }

  /** What gives way: buffers, the oldest first. */
  private static final class Copies implements Reclaimable {
    final Deque<SharedPool.Buffer> buffers = new ArrayDeque<>();
    final long each;

    Copies(SharedPool pool, int count, long each) throws Exception {
      this.each = each;
      for (int i = 0; i < count; i++) {
        buffers.add(pool.allocate(each));
      }
      pool.reclaimFrom(this);
    }

    @Override
    public long reclaimableBytes() {
      return each * buffers.size();
    }

    @Override
    public long reclaim(long bytes) {
      if (buffers.isEmpty()) {
        return 0;
      }
      buffers.remove().close();
      return each;
    }
  }

  @Test
  void whereThePluginIsNotNothingIsLookedFor() throws Exception {
    assertThat(Rapids.here()).isEmpty();
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      SparkEnv.get().conf().set("spark.plugins", "org.example.Other");
      assertThat(Rapids.here()).isEmpty();
      // Its classes alone, and on the driver of a cluster, do not make it work here.
      SparkEnv.get().conf().set("spark.plugins", Rapids.PLUGIN);
      rapids.set(
          "com.nvidia.spark.rapids.GpuDeviceManager", "device", scala.Option.<Object>empty());
      assertThat(Rapids.here()).isEmpty();
      rapids.set("com.nvidia.spark.rapids.GpuDeviceManager", "device", scala.Option.apply(0));
      rapids.set(RMM, "initialized", false);
      assertThat(Rapids.here()).isEmpty();
    }
  }

  /** A jar that is missing, or is another version, makes nothing fail. */
  @Test
  void withoutItsClassesItIsNotUsed() {
    SparkEnv.get().conf().set("spark.plugins", Rapids.PLUGIN);
    try {
      assertThat(Rapids.here()).isEmpty();
      assertThat(Rapids.turn()).isSameAs(GpuTurn.NOBODY_ASKED);
    } finally {
      SparkEnv.get().conf().remove("spark.plugins");
    }
  }

  @Test
  void memoryIsOfThePoolAndInItsBounds() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      Rapids here = Rapids.here().orElseThrow();
      assertThat(Rapids.here().orElseThrow()).isSameAs(here);
      assertThat(here.ordinal()).isZero();
      RapidsPool pool = here.pool(0.5);
      assertThat(here.pool(0.7)).as("the same for all").isSameAs(pool);
      assertThat(pool.describe()).contains("RAPIDS", "poolFraction = 0.5");
      assertThat(pool.memory(GPU)).isEqualTo(new MemoryInfo(5_000, 10_000));
      SharedPool.Buffer one = pool.allocate(3_000);
      SharedPool.Buffer two = pool.allocate(1_000);
      assertThat(two.address()).isEqualTo(one.address() + 3_000);
      assertThat(rapids.used()).isEqualTo(4_000);
      assertThat(rapids.get("ai.rapids.cudf.Cuda", "streamWaits")).isEqualTo(2);
      assertThat(pool.memory(GPU)).isEqualTo(new MemoryInfo(1_000, 10_000));
      assertThatThrownBy(() -> pool.allocate(1_001))
          .isInstanceOf(SharedPool.RefusedException.class)
          .hasMessage("4000 of at most 5000 bytes are taken (spark.gpugraph.gpu.poolFraction)");
      one.close();
      one.close();
      assertThat(rapids.used()).isEqualTo(1_000);
      assertThat(pool.taken()).isEqualTo(1_000);
      // What others have taken is not there, unless they can spill it.
      rapids.set(RMM, "used", 8_000L);
      assertThat(pool.memory(GPU).free()).isEqualTo(2_000);
      rapids.track(1_500, bytes -> 0);
      assertThat(pool.memory(GPU).free()).isEqualTo(3_500);
      rapids.set(RMM, "used", 10_000L);
      rapids.set(RMM, "pool", 9_000L);
      assertThat(pool.memory(GPU).free()).isEqualTo(500);
    }
  }

  @Test
  void withoutAPoolTheGpuIsTheBound() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      rapids.set(RMM, "pool", -1L);
      RapidsPool pool = Rapids.here().orElseThrow().pool(0.25);
      assertThat(pool.memory(GPU)).isEqualTo(new MemoryInfo(3_000, 20_000));
      SharedPool.Buffer some = pool.allocate(4_500);
      assertThat(pool.memory(GPU)).isEqualTo(new MemoryInfo(500, 20_000));
      some.close();
    }
  }

  /** RAPIDS asks for memory; what gives way is freed, some at a time, until it has enough. */
  @Test
  void itAsksForWhatNobodyUses() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      RapidsPool pool = Rapids.here().orElseThrow().pool(1);
      Copies copies = new Copies(pool, 8, 1_000);
      assertThat(pool.memory(GPU).free()).as("what is ours is not counted").isEqualTo(2_000);
      RmmBinding others = new RmmBinding(PluginClasses.find());
      Object table = others.allocate(4_500);
      assertThat(copies.buffers).hasSize(5);
      assertThat(pool.taken()).isEqualTo(5_000);
      assertThatThrownBy(() -> others.allocate(5_501))
          .isInstanceOf(SharedPool.RefusedException.class)
          .hasMessageContaining("std::bad_alloc");
      assertThat(copies.buffers).isEmpty();
      assertThat(rapids.spill(1)).isZero();
      // And the other way round: its tables give way to a run.
      rapids.track(
          4_500,
          bytes -> {
            if (rapids.used() >= bytes) {
              others.close(table);
              return bytes;
            }
            return 0;
          });
      assertThat(pool.memory(GPU).free()).isEqualTo(10_000);
      pool.allocate(9_000).close();
    }
  }

  /** A task that is told to wait for others does so, and gives up in the end. */
  @Test
  void aTaskThatIsToWaitTriesAgain() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      RapidsPool pool = Rapids.here().orElseThrow().pool(1);
      @SuppressWarnings("unchecked")
      Deque<RuntimeException> failures = (Deque<RuntimeException>) rapids.get(RMM, "failures");
      failures.add(retry(rapids));
      pool.allocate(100).close();
      assertThat(rapids.get(JNI + "RmmSpark", "waits")).isEqualTo(1);
      List.of(1, 2, 3).forEach(i -> failures.add(retry(rapids)));
      assertThatThrownBy(() -> pool.allocate(100))
          .isInstanceOf(SharedPool.RefusedException.class)
          .hasMessageContaining("later");
      failures.clear();
      failures.add(new IllegalStateException("split"));
      assertThatThrownBy(() -> pool.allocate(100))
          .isInstanceOf(SharedPool.RefusedException.class)
          .hasMessageContaining("split");
      assertThat(pool.taken()).isZero();
      assertThat(rapids.used()).isZero();
    }
  }

  static RuntimeException retry(FakeRapids rapids) {
    try {
      return (RuntimeException)
          rapids.type(JNI + "GpuRetryOOM").getConstructor(String.class).newInstance("later");
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** What is left goes back before the pool goes, and nothing is taken of a pool that is gone. */
  @Test
  void whenItShutsDownItGetsItsMemoryBack() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      Rapids here = Rapids.here().orElseThrow();
      RapidsPool pool = here.pool(1);
      SharedPool.Buffer left = pool.allocate(1_000);
      rapids.shutDown();
      assertThat(rapids.used()).isZero();
      assertThat(pool.taken()).isZero();
      assertThat(rapids.get("ai.rapids.cudf.Cuda", "deviceWaits")).isEqualTo(1);
      left.close();
      assertThat(rapids.used()).isZero();
      assertThat(pool.memory(GPU).free()).isZero();
      assertThatThrownBy(() -> pool.allocate(1)).hasMessage("RAPIDS has shut down");
      assertThat(Rapids.here()).isEmpty();
    }
    try (FakeRapids again = FakeRapids.start(classes)) {
      assertThat(Rapids.here().orElseThrow().pool(1).memory(GPU).free()).isEqualTo(10_000);
    }
  }

  /**
   * Another version may have no such spill framework or semaphore: memory is shared all the same.
   */
  @Test
  void whatAnotherVersionLacksIsDoneWithout() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      ClassLoader shim = (ClassLoader) rapids.get("com.nvidia.spark.rapids.ShimLoader", "shim");
      rapids.set(
          "com.nvidia.spark.rapids.ShimLoader",
          "shim",
          new ClassLoader(shim) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
              if (name.contains(".spill.") || name.contains("Semaphore")) {
                throw new ClassNotFoundException(name);
              }
              return super.loadClass(name, resolve);
            }
          });
      RapidsPool pool = Rapids.here().orElseThrow().pool(1);
      pool.allocate(1_000).close();
      assertThat(pool.describe()).contains("it does not ask for it back");
      assertThat(Rapids.turn()).isSameAs(GpuTurn.NOBODY_ASKED);
    }
  }

  @Test
  void aTaskWaitsForItsTurn(JavaSparkContext sc) throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      assertThat(Rapids.turn()).as("no task").isSameAs(GpuTurn.NOBODY_ASKED);
      @SuppressWarnings("unchecked")
      List<String> said =
          (List<String>) semaphore(rapids).getClass().getField("said").get(semaphore(rapids));
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      LOADER = loader;
      List<Long> tasks =
          new ArrayList<>(
              sc.parallelize(List.of(1), 1)
                  .map(
                      one -> {
                        Thread.currentThread().setContextClassLoader(LOADER);
                        try (GpuTurn turn = Rapids.turn()) {
                          return org.apache.spark.TaskContext.get().taskAttemptId();
                        }
                      })
                  .collect());
      assertThat(said)
          .containsExactly("acquired by " + tasks.get(0), "released by " + tasks.get(0));
    }
  }

  private static volatile ClassLoader LOADER;

  private static Object semaphore(FakeRapids rapids) {
    return rapids.get("com.nvidia.spark.rapids.GpuSemaphore$", "MODULE$");
  }
}
