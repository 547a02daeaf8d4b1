package org.sparkgpugraph.runtime.cluster;

import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/** The GPUs that Spark has given to the running task. */
public final class TaskGpus {
  /** Name of the resource, as in {@code spark.executor.resource.gpu.amount}. */
  public static final String RESOURCE = "gpu";

  private TaskGpus() {}

  /** Their addresses as the discovery script gave them; empty when Spark gave none. */
  public static List<String> addresses() {
    TaskContext context = TaskContext.get();
    if (context == null) {
      return List.of();
    }
    Map<String, ResourceInformation> resources = context.resourcesJMap();
    ResourceInformation gpus = resources.get(RESOURCE);
    return gpus == null ? List.of() : List.of(gpus.addresses());
  }
}
