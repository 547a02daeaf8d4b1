package org.sparkgpugraph.runtime.load;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.cluster.GpuProfile;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.PinnedRdd;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.rapids.Rapids;

/** Refuses an engine that the executors do not have before a graph is loaded for it. */
public final class EngineCheck {
  private static final String GPUS = "spark.executor.resource.gpu.amount";

  private EngineCheck() {}

  /**
   * RAPIDS takes one GPU of an executor for itself and gives up where there are more.
   *
   * @throws IllegalArgumentException when it is there beside several GPUs per executor
   */
  public static void checkRapids(SparkConf conf, EngineChoice choice) {
    boolean device = choice != EngineChoice.CPU && choice != EngineChoice.GRAPHX;
    int gpus = conf.getInt(GPUS, 0);
    if (device && gpus > 1 && Rapids.isAmong(conf.get("spark.plugins", ""))) {
      throw new IllegalArgumentException(
          ("%s = %s, but spark.plugins has RAPIDS (%s), which works with one GPU per"
                  + " executor only: set %s = 1 and start an executor for each GPU, or leave RAPIDS"
                  + " out")
              .formatted(GPUS, gpus, Rapids.PLUGIN, GPUS));
    }
  }

  /**
   * Asks an executor, whichever Spark takes, for the device that a choice needs.
   *
   * @throws org.sparkgpugraph.engine.device.DeviceUnavailableException when it has none, with the
   *     reason
   */
  static void check(SparkContext sc, RunConf conf) {
    EngineChoice choice = conf.engine();
    checkRapids(sc.getConf(), choice);
    if (choice != EngineChoice.CUDA && choice != EngineChoice.EMULATED) {
      return;
    }
    DeviceConf device = conf.device();
    if (sc.isLocal()) {
      check(choice, device);
      return;
    }
    JobDescription.of(
        sc,
        "looking for a GPU",
        () ->
            OwnerJob.run(
                sc,
                "engine " + choice,
                List.of(),
                () -> {
                  GpuProfile.ask(sc, PinnedRdd.of(sc, 1, null), choice)
                      .foreach(part -> check(choice, device));
                  return null;
                }));
  }

  /** The same in an executor. */
  private static void check(EngineChoice choice, DeviceConf device) {
    ExecutorRegistry.engines().check(choice, device, TaskGpus.addresses());
  }
}
