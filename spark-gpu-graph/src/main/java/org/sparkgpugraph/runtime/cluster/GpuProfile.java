package org.sparkgpugraph.runtime.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.run.EngineChoice;

/**
 * Asks Spark for an executor's GPUs for the tasks that run programs, and for no others: with {@code
 * spark.executor.resource.gpu.amount} set and {@code spark.task.resource.gpu.amount} not, plain
 * tasks keep all cores and a program's task has all GPUs of its executor to itself.
 */
public final class GpuProfile {
  private static final Logger LOG = LoggerFactory.getLogger(GpuProfile.class);
  private static final String EXECUTOR = "spark.executor.resource.gpu.amount";
  private static final String TASK = "spark.task.resource.gpu.amount";

  /** A context keeps every profile for ever, so each gets one. */
  private static final Map<SparkContext, ResourceProfile> PROFILES =
      Collections.synchronizedMap(new WeakHashMap<>());

  private GpuProfile() {}

  /** The same RDD, its tasks asking for GPUs where they can. */
  public static <T> JavaRDD<T> ask(SparkContext sc, JavaRDD<T> rdd, EngineChoice choice) {
    int gpus = toAskFor(sc.isLocal(), sc.getConf());
    if (gpus == 0 || choice == EngineChoice.CPU) {
      return rdd;
    }
    ResourceProfile profile =
        PROFILES.computeIfAbsent(
            sc,
            context ->
                new ResourceProfileBuilder()
                    .require(
                        new TaskResourceRequests()
                            .cpus(context.getConf().getInt("spark.task.cpus", 1))
                            .resource(TaskGpus.RESOURCE, gpus))
                    .build());
    try {
      return rdd.withResources(profile);
    } catch (Exception e) {
      // A SparkException, which is checked though withResources does not declare it: this cluster
      // manager has no profiles for tasks alone.
      LOG.warn(
          "tasks get no GPU of their own ({}): set {}, or several executors of a host may take the"
              + " same GPU",
          e.getMessage(),
          TASK);
      return rdd;
    }
  }

  /** How many GPUs to ask for; 0: none, or the default profile asks for them already. */
  public static int toAskFor(boolean local, SparkConf conf) {
    boolean dynamic = conf.getBoolean("spark.dynamicAllocation.enabled", false);
    return local || dynamic || conf.contains(TASK) ? 0 : conf.getInt(EXECUTOR, 0);
  }
}
