package org.sparkgpugraph.runtime.warm;

import java.util.List;
import java.util.Map;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.sparkgpugraph.runtime.cluster.TaskGpus;

/** Another executor plugin, beside which the executor is made ready for its first run. */
public final class WarmingExecutorPlugin implements ExecutorPlugin {
  private final ExecutorPlugin plugin;
  private WarmUp warmUp;

  /**
   * @param plugin what else the executor does
   */
  public WarmingExecutorPlugin(ExecutorPlugin plugin) {
    this.plugin = plugin;
  }

  @Override
  public void init(PluginContext context, Map<String, String> extra) {
    plugin.init(context, extra);
    ResourceInformation gpus = context.resources().get(TaskGpus.RESOURCE);
    warmUp = WarmUp.start(context.conf(), gpus == null ? List.of() : List.of(gpus.addresses()));
  }

  @Override
  public void shutdown() {
    if (warmUp != null) {
      warmUp.close();
    }
    plugin.shutdown();
  }

  @Override
  public void onTaskStart() {
    plugin.onTaskStart();
  }

  @Override
  public void onTaskSucceeded() {
    plugin.onTaskSucceeded();
  }

  @Override
  public void onTaskFailed(TaskFailedReason reason) {
    plugin.onTaskFailed(reason);
  }
}
