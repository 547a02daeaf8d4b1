package org.sparkgpugraph.runtime.load;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;

/** Loads graphs in a small heap, one of which is too large for it. */
final class LoadMemoryJob {
  private LoadMemoryJob() {}

  public static void main(String[] args) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("load")
            .set("spark.ui.enabled", "false")
            // What the heap refuses is not to be found elsewhere.
            .set("spark.gpugraph.memory.edges", "heap")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      load(context, 21, false);
      load(context, 20, false);
      load(context, 20, true);
    }
  }

  private static void load(JavaSparkContext context, int scale, boolean weighted) {
    String what = "scale " + scale + (weighted ? " weighted" : "");
    RunOptions options =
        new RunOptions(
            EngineChoice.CPU, null, null, 1, RunOptions.Fallback.NEVER, RunObserver.NONE);
    Class<?> type = weighted ? Double.class : Object.class;
    // As of a file: nobody knows how many edges there are.
    try (ResidentGraph<?, ?> graph =
        GpuPregel.load(
            new RmatGraph(scale, 16, 1).edges(context, 2, weighted, false).map(block -> block),
            type,
            options)) {
      System.out.println(what + " loaded, " + graph.edgeCount() + " edges");
    } catch (GraphMemoryException e) {
      System.out.println(what + " refused, " + e.getMessage());
    }
    if (ExecutorRegistry.buildBytes() != 0) {
      throw new AssertionError(ExecutorRegistry.buildBytes() + " bytes are still reserved");
    }
  }
}
