package io.sparkgpugraph.spark;

import io.sparkgpugraph.EngineChoice;
import java.util.List;
import org.apache.spark.SparkContext;

/** Refuses an engine that the executors do not have before a graph is loaded for it. */
final class EngineCheck {
  private EngineCheck() {}

  /**
   * Asks an executor, whichever Spark takes, for the device that a choice needs.
   *
   * @throws io.sparkgpugraph.engine.device.DeviceUnavailableException when it has none, with the
   *     reason
   */
  static void check(SparkContext sc, RunConf conf) {
    EngineChoice choice = conf.engine();
    if (choice != EngineChoice.CUDA && choice != EngineChoice.EMULATED) {
      return;
    }
    DeviceConf device = conf.device();
    if (sc.isLocal()) {
      Running.check(choice, device);
      return;
    }
    OwnerJob.run(
        sc,
        "engine " + choice,
        List.of(),
        () -> {
          GpuProfile.ask(sc, PinnedRdd.of(sc, 1, null), choice)
              .foreach(part -> Running.check(choice, device));
          return null;
        });
  }
}
