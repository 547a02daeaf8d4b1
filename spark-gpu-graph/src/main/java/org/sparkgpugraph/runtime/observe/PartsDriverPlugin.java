package org.sparkgpugraph.runtime.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;

/** Another driver plugin, with the {@linkplain DriverPart parts} that this jar has. */
public final class PartsDriverPlugin implements DriverPlugin {
  private final DriverPlugin plugin;
  private final List<DriverPart> started = new ArrayList<>();

  /**
   * @param plugin what else the driver does
   */
  public PartsDriverPlugin(DriverPlugin plugin) {
    this.plugin = plugin;
  }

  @Override
  public Map<String, String> init(SparkContext context, PluginContext own) {
    Map<String, String> forExecutors = plugin.init(context, own);
    for (DriverPart part :
        ServiceLoader.load(DriverPart.class, PartsDriverPlugin.class.getClassLoader())) {
      if (part.start(context)) {
        started.add(part);
      }
    }
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
    started.forEach(DriverPart::stop);
    plugin.shutdown();
  }
}
