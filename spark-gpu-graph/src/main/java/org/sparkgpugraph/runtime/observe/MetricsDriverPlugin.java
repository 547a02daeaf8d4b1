package org.sparkgpugraph.runtime.observe;

import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.sparkgpugraph.runtime.cluster.SparkLines;
import org.sparkgpugraph.runtime.ui.GraphUi;

/** The driver's half of {@code GpuGraphPlugin}. */
public final class MetricsDriverPlugin implements DriverPlugin {
  /** What the driver's metrics begin with: with a local master the executor's are in one list. */
  static final String PREFIX = "job.";

  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    SparkLines.check();
    GraphUi.attach(context);
    return Map.of();
  }

  @Override
  public void registerMetrics(String application, PluginContext plugin) {
    RunMetrics.driver().register(plugin.metricRegistry(), PREFIX);
  }

  /** Takes what executors say of their supersteps; there is nothing to answer. */
  @Override
  public Object receive(Object message) {
    if (message instanceof SuperstepMessage superstep) {
      RunWatch.superstepOnExecutor(superstep);
    }
    return null;
  }
}
