package org.sparkgpugraph.runtime.transparent;

import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;

/** Another driver plugin, with transparent mode where it is asked for. */
public final class TransparentDriverPlugin implements DriverPlugin {
  private final DriverPlugin plugin;
  private boolean transparent;

  /**
   * @param plugin what else the driver does
   */
  public TransparentDriverPlugin(DriverPlugin plugin) {
    this.plugin = plugin;
  }

  @Override
  public Map<String, String> init(SparkContext context, PluginContext own) {
    Map<String, String> forExecutors = plugin.init(context, own);
    transparent = TransparentMode.start(context);
    return forExecutors;
  }

  @Override
  public void registerMetrics(String application, PluginContext own) {
    plugin.registerMetrics(application, own);
  }

  @Override
  public Object receive(Object message) throws Exception {
    return plugin.receive(message);
  }

  @Override
  public void shutdown() {
    if (transparent) {
      TransparentMode.stop();
    }
    plugin.shutdown();
  }
}
