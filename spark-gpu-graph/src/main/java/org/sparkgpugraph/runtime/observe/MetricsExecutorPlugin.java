package org.sparkgpugraph.runtime.observe;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.held.EdgeHomes;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;

/** The executor's half of {@code GpuGraphPlugin}. */
public final class MetricsExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsExecutorPlugin.class);

  /** Exit status of an executor whose GPU is lost. */
  static final int GPU_LOST = 20;

  /** Between two messages to the driver. */
  private static final long MESSAGE_NANOS = 500_000_000L;

  /** Time for the failed task's message to leave. */
  private static final long EXIT_MILLIS = 1000;

  private static volatile PluginContext driver;
  private static final AtomicLong LAST_MESSAGE = new AtomicLong(System.nanoTime());

  private final Runnable exit;

  public MetricsExecutorPlugin() {
    this(MetricsExecutorPlugin::exitSoon);
  }

  /**
   * @param exit ends the process
   */
  public MetricsExecutorPlugin(Runnable exit) {
    this.exit = exit;
  }

  @Override
  public void init(PluginContext context, Map<String, String> extra) {
    RunMetrics.executor().register(context.metricRegistry(), "");
    RunMetrics.gauge(
        context.metricRegistry(), "deviceBytes", () -> ExecutorRegistry.engines().deviceBytes());
    RunMetrics.gauge(context.metricRegistry(), "graphBytes", ExecutorRegistry::bytes);
    RunMetrics.gauge(
        context.metricRegistry(),
        "offHeapBytes",
        () -> EdgeHomes.bytes() - EdgeHomes.mappedBytes());
    RunMetrics.gauge(context.metricRegistry(), "mappedBytes", EdgeHomes::mappedBytes);
    // With a local master the driver hears of supersteps in the same process.
    if (!"driver".equals(context.executorID())) {
      driver = context;
    }
  }

  @Override
  public void shutdown() {
    driver = null;
  }

  /**
   * A context that a GPU has lost stays lost as long as the process lives: a new executor gets a
   * new one. (Under engine auto such a run goes on, on the CPU, and its task does not fail.)
   */
  @Override
  public void onTaskFailed(TaskFailedReason reason) {
    if (reason instanceof ExceptionFailure failure
        && failure.toErrorString().contains(DeviceLostException.class.getName())) {
      LOG.error("a GPU of this executor is lost, the executor ends: {}", failure.description());
      if (driver != null) {
        exit.run();
      }
    }
  }

  private static void exitSoon() {
    Thread exit =
        new Thread(
            () -> {
              try {
                Thread.sleep(EXIT_MILLIS);
              } catch (InterruptedException e) {
                LOG.debug("not waiting longer", e);
              }
              System.exit(GPU_LOST);
            },
            "gpu-lost");
    exit.setDaemon(true);
    exit.start();
  }

  /** Tells the driver of a superstep now and then, if the plugin is there. */
  public static void tell(String run, SuperstepStats stats) {
    PluginContext context = driver;
    long last = LAST_MESSAGE.get();
    long now = System.nanoTime();
    if (context == null || now - last < MESSAGE_NANOS || !LAST_MESSAGE.compareAndSet(last, now)) {
      return;
    }
    try {
      context.send(new SuperstepMessage(run, stats));
    } catch (IOException e) {
      // Only the progress line misses it; the driver may be on its way down.
      LOG.debug("could not tell the driver of superstep {}", stats.superstep(), e);
    }
  }
}
