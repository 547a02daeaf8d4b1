package org.sparkgpugraph.integration;

import java.util.EnumMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;

/**
 * The values of {@link Programs} on one executor, made once for all test classes: by the CPU
 * engine, and equal to those of stock GraphX and of two emulated devices in one process.
 */
final class Expected {
  private static Map<Programs, Map<Long, Object>> values;

  private Expected() {}

  /**
   * The values of every program.
   *
   * @throws IllegalStateException when a SparkContext is there already
   */
  static synchronized Map<Programs, Map<Long, Object>> values() {
    if (values == null) {
      try (JavaSparkContext sc = new JavaSparkContext(conf("local[2]"))) {
        values = make(sc);
      }
    }
    return values;
  }

  /** A local context. */
  static SparkConf conf(String master) {
    return new SparkConf()
        .setMaster(master)
        .setAppName("expected values")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.gpugraph.fallback", "never");
  }

  private static Map<Programs, Map<Long, Object>> make(JavaSparkContext sc) {
    Map<Programs, Map<Long, Object>> cpu = new EnumMap<>(Programs.class);
    Graph<Double, Double> graph = Programs.graph(sc);
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, options)) {
      for (Programs program : Programs.values()) {
        cpu.put(program, program.values(resident, options));
      }
    }
    for (Programs program : Programs.values()) {
      RunOptions stock = RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX);
      program.assertSame("stock GraphX", program.values(graph, stock), cpu.get(program));
    }
    assertLibraryOfGraphX(graph, cpu);
    if (EmulatedDevice.isAvailable()) {
      sc.setLocalProperty("spark.gpugraph.emulated.devices", "2");
      assertEmulated(graph, cpu);
    }
    return cpu;
  }

  private static void assertLibraryOfGraphX(
      Graph<Double, Double> graph, Map<Programs, Map<Long, Object>> cpu) {
    Programs.COMPONENTS.assertSame(
        "GraphX's library",
        Programs.collect(
            org.apache.spark.graphx.lib.ConnectedComponents.run(
                graph, Programs.doubles(), Programs.doubles())),
        cpu.get(Programs.COMPONENTS));
    Programs.RANKS.assertSame(
        "GraphX's library",
        Programs.collect(
            org.apache.spark.graphx.lib.PageRank.run(
                graph,
                Programs.RANK_ITERATIONS,
                org.sparkgpugraph.lib.PageRank.RESET_PROBABILITY,
                Programs.doubles(),
                Programs.doubles())),
        cpu.get(Programs.RANKS));
  }

  private static void assertEmulated(
      Graph<Double, Double> graph, Map<Programs, Map<Long, Object>> cpu) {
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, options)) {
      for (Programs program : Programs.values()) {
        program.assertSame(
            "two emulated devices", program.values(resident, options), cpu.get(program));
      }
    }
  }
}
