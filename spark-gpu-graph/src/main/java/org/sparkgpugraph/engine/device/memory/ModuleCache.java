package org.sparkgpugraph.engine.device.memory;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;

/**
 * The kernels that are loaded on a device, by their source, so that the runs of one program share
 * them. The least recently used that no run needs are unloaded once there are too many.
 * Thread-safe: a source is compiled once, whoever asks for another one meanwhile does not wait.
 */
public final class ModuleCache implements AutoCloseable {
  /** Of one process: each takes some hundred megabytes beside the heap. */
  private static final int COMPILERS = 4;

  private static final String CLOSED = "the device engine is closed";

  private final Device device;
  private final int most;
  private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  /** Compiles beside runs, one after the other; its thread ends when there is nothing to do. */
  private final ThreadPoolExecutor beside =
      new ThreadPoolExecutor(
          1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), ModuleCache::compiler);

  /**
   * @param most modules to keep
   */
  ModuleCache(Device device, int most) {
    this.device = device;
    this.most = most;
    beside.allowCoreThreadTimeOut(true);
  }

  /** One source. Uses are counted under the cache's lock, the module is loaded under its own. */
  private static final class Entry {
    private volatile DeviceModule module;
    private int uses;

    /** Compiles and loads, unless another thread has. */
    synchronized void load(Device device, KernelSource source) {
      if (module == null) {
        module = device.load(source);
      }
    }
  }

  /** A use of a module; closing it leaves the module loaded. */
  public final class Use implements AutoCloseable {
    private final Entry entry;
    private boolean open = true;

    private Use(Entry entry) {
      this.entry = entry;
    }

    public DeviceModule module() {
      return entry.module;
    }

    @Override
    public void close() {
      synchronized (ModuleCache.this) {
        if (open) {
          open = false;
          entry.uses--;
          trim();
        }
      }
    }
  }

  /**
   * Finds the kernels, or compiles and loads them.
   *
   * @throws KernelCompilationException when they do not compile
   * @throws CompilerUnavailableException when nothing can compile them
   */
  public Use use(KernelSource source) {
    Use use = begin(source);
    boolean loaded = false;
    try {
      use.entry.load(device, source);
      loaded = true;
      return use;
    } finally {
      if (!loaded) {
        use.close();
      }
    }
  }

  /**
   * Loads several that are used soon. Compilers take a second or more for each, so some work at the
   * same time.
   *
   * @throws KernelCompilationException when one does not compile
   * @throws CompilerUnavailableException when nothing can compile them
   */
  void load(List<KernelSource> sources) {
    if (sources.size() < 2) {
      sources.forEach(source -> use(source).close());
      return;
    }
    int threads = Math.min(sources.size(), COMPILERS);
    ExecutorService compilers = Executors.newFixedThreadPool(threads, ModuleCache::compiler);
    try {
      List<Future<?>> loads = new ArrayList<>();
      for (KernelSource source : sources) {
        loads.add(compilers.submit(() -> use(source).close()));
      }
      for (Future<?> load : loads) {
        load.get();
      }
    } catch (InterruptedException e) {
      // Whoever uses the others compiles them, if the run goes on.
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause(); // a Runnable's
    } finally {
      compilers.shutdownNow();
    }
  }

  /**
   * Loads kernels that may be used later, while a run goes on by others.
   *
   * @param <T> what says which kernels these are
   * @param kernels finds or makes them
   * @param source their source
   * @return is done when they are loaded, and fails where {@link #use} would
   */
  <T> Future<T> later(Supplier<T> kernels, Function<T, KernelSource> source) {
    try {
      return beside.submit(
          () -> {
            T made = kernels.get();
            use(source.apply(made)).close();
            return made;
          });
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new IllegalStateException(CLOSED, e));
    }
  }

  /** Waits for all that was begun by {@link #later}, however it ends. */
  void awaitLater() {
    try {
      // There is one thread: it comes to this when it has done the others.
      beside.submit(() -> {}).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | RejectedExecutionException e) {
      throw new IllegalStateException(CLOSED, e);
    }
  }

  private static Thread compiler(Runnable work) {
    Thread thread = new Thread(work, "compiler of kernels");
    thread.setDaemon(true);
    return thread;
  }

  private synchronized Use begin(KernelSource source) {
    if (closed) {
      throw new IllegalStateException(CLOSED);
    }
    Entry entry = entries.computeIfAbsent(source.text(), text -> new Entry());
    entry.uses++;
    trim();
    return new Use(entry);
  }

  /** Takes out what failed to load and what there is too much of, as far as nobody uses it. */
  private void trim() {
    entries.values().removeIf(entry -> entry.uses == 0 && entry.module == null);
    Iterator<Entry> oldest = entries.values().iterator();
    int over = closed ? entries.size() : entries.size() - most;
    while (over > 0 && oldest.hasNext()) {
      Entry entry = oldest.next();
      if (entry.uses == 0) {
        oldest.remove();
        over--;
        entry.module.close();
      }
    }
  }

  /** Whether kernels are loaded now. Never waits. */
  synchronized boolean isLoaded(KernelSource source) {
    Entry entry = entries.get(source.text());
    return entry != null && entry.module != null;
  }

  /** Number of modules that are loaded, or being loaded. */
  synchronized int size() {
    return entries.size();
  }

  /**
   * Unloads everything that no run uses; what is in use is unloaded when its run ends. Waits for a
   * compiler that is at work, which is told to stop: whoever closes this may close the device next.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    beside.shutdownNow();
    boolean interrupted = false;
    for (boolean ended = false; !ended; ) {
      try {
        ended = beside.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      trim();
    }
  }
}
