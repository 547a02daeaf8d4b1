package org.sparkgpugraph.runtime.warm;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.rapids.Rapids;

/**
 * Makes an executor ready for its first run, in threads of its own that end when that is done:
 * opens its GPUs, and runs small programs. Nothing fails for it: what does not work here is tried
 * again, and told, by the run.
 */
public final class WarmUp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /** Code that runs side by side is among what is made ready. */
  private static final int SAMPLE_THREADS = 2;

  /** Classes that are loaded are so for all contexts of a process. */
  private static final AtomicBoolean SAMPLED = new AtomicBoolean();

  private final Thread gpu;
  private final Thread sample;

  private WarmUp(Thread gpu, Thread sample) {
    this.gpu = gpu;
    this.sample = sample;
  }

  /**
   * Starts, unless {@code spark.gpugraph.warmUp} is off or runs use stock GraphX.
   *
   * @param settings of the application
   * @param addresses of the GPUs that Spark gave the executor; empty when it gave none
   */
  public static WarmUp start(SparkConf settings, List<String> addresses) {
    try {
      // RAPIDS opens its GPU itself; one that was open before would not be in its memory pool.
      boolean rapids = Rapids.isAmong(settings.get("spark.plugins", ""));
      return start(GpuGraphConf.of(settings, Map.of()), addresses, !rapids);
    } catch (IllegalArgumentException e) {
      // The first run says which setting is wrong.
      LOG.debug("not made ready", e);
      return new WarmUp(null, null);
    }
  }

  private static WarmUp start(GpuGraphConf conf, List<String> addresses, boolean mayOpen) {
    EngineChoice engine = conf.get(GpuGraphConf.ENGINE);
    if (!conf.get(GpuGraphConf.WARM_UP) || engine == EngineChoice.GRAPHX) {
      return new WarmUp(null, null);
    }
    boolean gpus = mayOpen && (engine == EngineChoice.AUTO || engine == EngineChoice.CUDA);
    int devices = Math.max(addresses.size(), Math.max(1, conf.get(GpuGraphConf.PARTITIONS)));
    return new WarmUp(
        gpus
            ? begin(
                "warm-up: GPU",
                () ->
                    ExecutorRegistry.engines()
                        .open(engine, DeviceConf.of(conf), addresses, devices))
            : null,
        SAMPLED.compareAndSet(false, true)
            ? begin("warm-up: sample", () -> SampleRuns.run(conf, gpus, SAMPLE_THREADS))
            : null);
  }

  private static Thread begin(String what, Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              long start = System.nanoTime();
              try {
                work.run();
              } catch (RuntimeException | LinkageError e) {
                LOG.debug("{} has failed", what, e);
              }
              PhaseTimes.ended(what, start);
            },
            "gpugraph-warm-up");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Waits for the end of all of it. */
  void await() throws InterruptedException {
    for (Thread thread : new Thread[] {gpu, sample}) {
      if (thread != null) {
        thread.join();
      }
    }
  }

  /** Waits until GPUs are open: a process must not end while the driver starts. */
  @Override
  public void close() {
    boolean interrupted = false;
    while (gpu != null && gpu.isAlive()) {
      try {
        gpu.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
