package io.sparkgpugraph.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Brings the metrics of runs into Spark's metrics system, shows on the driver's console how a run
 * on one executor goes, and ends executors whose GPU cannot be used any more: {@code
 * spark.plugins=io.sparkgpugraph.spark.GpuGraphPlugin}. Everything else works without it. {@code
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
