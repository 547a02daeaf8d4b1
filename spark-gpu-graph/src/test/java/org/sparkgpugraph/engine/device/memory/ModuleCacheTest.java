package org.sparkgpugraph.engine.device.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.KernelSource;

/** Which kernels are loaded, and who waits for whom meanwhile. */
@Tag("any-spark")
class ModuleCacheTest {
  private final List<String> loaded = Collections.synchronizedList(new ArrayList<>());
  private final List<String> closed = Collections.synchronizedList(new ArrayList<>());

  /** A device that only loads. */
  private Device device(Consumer<String> loading) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (self, method, arguments) -> {
              String name = ((KernelSource) arguments[0]).name();
              loaded.add(name);
              loading.accept(name);
              return Proxy.newProxyInstance(
                  DeviceModule.class.getClassLoader(),
                  new Class<?>[] {DeviceModule.class},
                  (module, call, nothing) -> closed.add(name));
            });
  }

  private static KernelSource source(String name) {
    return new KernelSource(name, "text of " + name, List.of(), List.of());
  }

  @Test
  void theLeastRecentlyUsedAreUnloadedWhenNobodyUsesThem() {
    ModuleCache cache = new ModuleCache(device(name -> {}), 2);
    ModuleCache.Use a = cache.use(source("a"));
    cache.use(source("b")).close();
    cache.use(source("c")).close();
    assertThat(closed).as("a is older, but in use").containsExactly("b");
    a.close();
    a.close();
    cache.use(source("a")).close();
    assertThat(loaded).containsExactly("a", "b", "c");
    ModuleCache.Use c = cache.use(source("c"));
    cache.close();
    assertThat(closed).containsExactly("b", "a");
    c.close();
    assertThat(closed).containsExactly("b", "a", "c");
    assertThatThrownBy(() -> cache.use(source("a"))).hasMessageContaining("closed");
  }

  @Test
  void aSourceThatFailedIsTriedAgain() {
    boolean[] fails = {true};
    ModuleCache cache =
        new ModuleCache(
            device(
                name -> {
                  if (fails[0]) {
                    throw new IllegalStateException("planted");
                  }
                }),
            2);
    assertThatThrownBy(() -> cache.use(source("a"))).hasMessage("planted");
    assertThat(cache.size()).isZero();
    fails[0] = false;
    cache.use(source("a")).close();
    assertThat(loaded).containsExactly("a", "a");
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  @Timeout(60)
  void severalAreLoadedAtTheSameTime() {
    CountDownLatch together = new CountDownLatch(3);
    ModuleCache cache =
        new ModuleCache(
            device(
                name -> {
                  together.countDown();
                  await(together);
                }),
            4);
    cache.load(List.of(source("a"), source("b"), source("c")));
    assertThat(loaded).containsExactlyInAnyOrder("a", "b", "c");
    cache.use(source("b")).close();
    assertThat(loaded).hasSize(3);
  }

  @Test
  void whatFailsAmongSeveralIsThrown() {
    ModuleCache cache =
        new ModuleCache(
            device(
                name -> {
                  if (name.equals("b")) {
                    throw new IllegalStateException("planted");
                  }
                }),
            4);
    assertThatThrownBy(() -> cache.load(List.of(source("a"), source("b"), source("c"))))
        .hasMessage("planted");
  }

  /**
   * A compilation takes seconds: runs of other programs must not wait for it, those of the same
   * must.
   */
  @Test
  void aCompilationHoldsUpNoOtherProgram() throws Exception {
    CountDownLatch compiling = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ModuleCache cache =
        new ModuleCache(
            device(
                name -> {
                  if (name.equals("slow")) {
                    compiling.countDown();
                    await(go);
                  }
                }),
            8);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      ModuleCache.Use before = cache.use(source("before"));
      Future<ModuleCache.Use> first = threads.submit(() -> cache.use(source("slow")));
      await(compiling);
      Future<ModuleCache.Use> second = threads.submit(() -> cache.use(source("slow")));
      threads
          .submit(
              () -> {
                before.close();
                cache.use(source("quick")).close();
              })
          .get(30, TimeUnit.SECONDS);
      assertThat(first).isNotDone();
      go.countDown();
      assertThat(first.get(30, TimeUnit.SECONDS).module())
          .isSameAs(second.get(30, TimeUnit.SECONDS).module());
      assertThat(loaded).containsExactly("before", "slow", "quick");
    } finally {
      go.countDown();
      threads.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
