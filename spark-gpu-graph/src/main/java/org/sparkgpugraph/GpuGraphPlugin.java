package org.sparkgpugraph;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;
import org.sparkgpugraph.runtime.observe.MetricsDriverPlugin;
import org.sparkgpugraph.runtime.observe.MetricsExecutorPlugin;

/**
 * Brings the metrics of runs into Spark's metrics system, shows on the driver's console how a run
 * on one executor goes, and ends executors whose GPU cannot be used any more: {@code
 * spark.plugins=org.sparkgpugraph.GpuGraphPlugin}. Everything else works without it. {@code
 * docs/observability.md} names the metrics.
 */
public final class GpuGraphPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new MetricsDriverPlugin();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new MetricsExecutorPlugin();
  }
}
