package org.sparkgpugraph;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;
import org.sparkgpugraph.runtime.observe.MetricsDriverPlugin;
import org.sparkgpugraph.runtime.observe.MetricsExecutorPlugin;
import org.sparkgpugraph.runtime.observe.PartsDriverPlugin;
import org.sparkgpugraph.runtime.warm.WarmingExecutorPlugin;

/**
 * Brings the metrics of runs into Spark's metrics system, shows on the driver's console how a run
 * on one executor goes, ends executors whose GPU cannot be used any more, makes executors ready for
 * their first run while Spark starts, and makes unchanged GraphX jars run on the engines where
 * {@code spark.gpugraph.transparent=true}: {@code spark.plugins=org.sparkgpugraph.GpuGraphPlugin}.
 * Everything else works without it. {@code docs/observability.md} names the metrics.
 */
public final class GpuGraphPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new PartsDriverPlugin(new MetricsDriverPlugin());
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new WarmingExecutorPlugin(new MetricsExecutorPlugin());
  }
}
