package org.sparkgpugraph.runtime.rapids;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * RAPIDS at work in this process, from its start until it shuts down. What is used of it are public
 * methods: of {@code ai.rapids.cudf}, and of classes that its {@code ShimLoader} finds for the
 * Spark at hand. Thread-safe.
 */
public final class Rapids {
  /** The plugin's class, as {@code spark.plugins} has it. */
  public static final String PLUGIN = "com.nvidia.spark.SQLPlugin";

  private static final Logger LOG = LoggerFactory.getLogger(Rapids.class);
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private static Rapids current;

  private final int ordinal;
  private final RmmBinding rmm;
  private final Optional<SpillFramework> spills;
  private final Optional<GpuSemaphore> semaphore;
  private RapidsPool pool;
  private boolean ended;

  private Rapids(
      int ordinal,
      RmmBinding rmm,
      Optional<SpillFramework> spills,
      Optional<GpuSemaphore> semaphore) {
    this.ordinal = ordinal;
    this.rmm = rmm;
    this.spills = spills;
    this.semaphore = semaphore;
  }

  /** Whether a list of plugins, as {@code spark.plugins} has it, has RAPIDS in it. */
  public static boolean isAmong(String plugins) {
    return Arrays.asList(plugins.trim().split("\\s*,\\s*")).contains(PLUGIN);
  }

  /**
   * RAPIDS, where it is at work in this process: not on the driver of a cluster, nor where it was
   * told not to use the GPU. Where it is and cannot be used, a warning says why, once.
   */
  public static synchronized Optional<Rapids> here() {
    SparkEnv env = SparkEnv.get();
    if (env == null || !isAmong(env.conf().get("spark.plugins", ""))) {
      return Optional.empty();
    }
    try {
      if (current != null && current.hasEnded()) {
        current = null;
      }
      if (current == null) {
        current = find();
      }
      return Optional.ofNullable(current);
    } catch (ReflectiveOperationException | LinkageError e) {
      warn("its memory pool is not shared, so leave room beside it", e);
      return Optional.empty();
    }
  }

  /** Null where it does not use a GPU in this process. */
  private static Rapids find() throws ReflectiveOperationException {
    PluginClasses classes = PluginClasses.find();
    Integer device = device(classes);
    if (device == null) {
      return null;
    }
    RmmBinding rmm = new RmmBinding(classes);
    if (!rmm.isInitialized()) {
      return null;
    }
    Rapids found =
        new Rapids(
            device,
            rmm,
            optional("it cannot ask graphs for memory", () -> new SpillFramework(classes)),
            optional("its GPU semaphore is not asked", () -> new GpuSemaphore(classes)));
    found.spills.ifPresent(framework -> framework.whenItEnds(found::end));
    return found;
  }

  private static Integer device(PluginClasses classes) throws ReflectiveOperationException {
    Class<?> manager = classes.shim("com.nvidia.spark.rapids.GpuDeviceManager");
    Option<?> device = (Option<?>) manager.getMethod("getDeviceId").invoke(null);
    return device.isEmpty() ? null : (Integer) device.get();
  }

  /** A part that RAPIDS is used without where another version has it in another form. */
  private interface Part<T> {
    T get() throws ReflectiveOperationException;
  }

  private static <T> Optional<T> optional(String without, Part<T> part) {
    try {
      return Optional.of(part.get());
    } catch (ReflectiveOperationException | LinkageError e) {
      warn(without, e);
      return Optional.empty();
    }
  }

  private static void warn(String what, Throwable e) {
    if (WARNED.add(what)) {
      LOG.warn("RAPIDS is in this process, but {}: {}", what, e.toString());
      LOG.debug("what of RAPIDS was not found", e);
    }
  }

  private boolean hasEnded() {
    return ended || !rmm.isInitialized();
  }

  /** It shuts down: whatever is left of its memory goes back. */
  private void end() {
    RapidsPool left;
    synchronized (Rapids.class) {
      ended = true;
      left = pool;
    }
    if (left != null) {
      left.end();
    }
  }

  /** The number of the GPU that it works on, as the CUDA driver counts. */
  public int ordinal() {
    return ordinal;
  }

  /**
   * Its memory pool; the same one for all who ask.
   *
   * @param fraction part of it that may be taken at most, above 0, as the first one says who asks
   */
  public RapidsPool pool(double fraction) {
    synchronized (Rapids.class) {
      if (pool == null) {
        pool = new RapidsPool(rmm, spills, fraction);
      }
      return pool;
    }
  }

  /**
   * Waits for the running task's turn on the GPU, of which RAPIDS lets only some tasks use it at a
   * time ({@code spark.rapids.sql.concurrentGpuTasks}); closing it ends the turn. Where RAPIDS is
   * not at work, or no task runs, nothing is waited for.
   */
  public static GpuTurn turn() {
    TaskContext task = TaskContext.get();
    return task == null
        ? GpuTurn.NOBODY_ASKED
        : here()
            .flatMap(rapids -> rapids.semaphore)
            .map(semaphore -> semaphore.acquire(task))
            .orElse(GpuTurn.NOBODY_ASKED);
  }
}
