package org.sparkgpugraph.integration;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;

/** A driver with two executors, for {@link DriverDeathTest}: prints what it does. */
public final class DriverJob {
  private DriverJob() {}

  /**
   * Runs.
   *
   * @param arguments folder for its files, checkpoint directory
   */
  public static void main(String[] arguments) {
    try (Cluster cluster =
        Cluster.of(2)
            .set("spark.gpugraph.executors", "2")
            .set("spark.gpugraph.checkpointInterval", "3")
            .start(Path.of(arguments[0]))) {
      cluster.context().setCheckpointDir(arguments[1]);
      RunOptions options =
          RunOptions.DEFAULT
              .withEngine(EngineChoice.CPU)
              .withObserver(
                  new RunObserver() {
                    @Override
                    public void superstepEnded(SuperstepStats stats) {
                      System.out.println("superstep " + stats.superstep());
                    }
                  });
      try (ResidentGraph<Double, Double> graph =
          GpuPregel.load(Programs.graph(cluster.context()), Double.class, Double.class, options)) {
        Map<Long, Object> ranks = new TreeMap<>(Programs.RANKS.values(graph, options));
        System.out.println("result " + ranks.size() + " " + ranks.hashCode());
      }
    }
  }
}
