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

  /** What is loaded beside a run is there when its source is asked for; failures are told there. */
  @Test
  void whatIsLoadedLaterIsThereForAll() throws Exception {
    ModuleCache cache =
        new ModuleCache(
            device(
                name -> {
                  if (name.equals("b")) {
                    throw new IllegalStateException("planted");
                  }
                }),
            4);
    assertThat(cache.later(() -> "a", ModuleCacheTest::source).get()).isEqualTo("a");
    cache.use(source("a")).close();
    assertThat(loaded).containsExactly("a");
    Future<String> fails = cache.later(() -> "b", ModuleCacheTest::source);
    assertThatThrownBy(fails::get).hasRootCauseMessage("planted");
    cache.close();
    assertThatThrownBy(cache.later(() -> "c", ModuleCacheTest::source)::get)
        .hasMessageContaining("closed");
    assertThat(loaded).containsExactly("a", "b");
  }

  /** Behind the end of the cache that of its device may come: nothing may be compiling then. */
  @Test
  @Timeout(60)
  void theEndWaitsForWhatIsLoadedLater() {
    CountDownLatch compiling = new CountDownLatch(1);
    boolean[] told = new boolean[2];
    ModuleCache cache =
        new ModuleCache(
            device(
                name -> {
                  compiling.countDown();
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    told[0] = true;
                  }
                  // A compiler in the process does not stop when it is told to.
                  told[1] = true;
                }),
            4);
    Future<String> first = cache.later(() -> "a", ModuleCacheTest::source);
    Future<String> second = cache.later(() -> "b", ModuleCacheTest::source);
    await(compiling);
    cache.close();
    assertThat(told).containsOnly(true);
    assertThat(first).isDone();
    assertThat(second.isDone()).as("not begun").isFalse();
    assertThat(loaded).containsExactly("a");
    assertThat(closed).as("nobody will use it").containsExactly("a");
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
