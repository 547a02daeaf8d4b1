package org.sparkgpugraph.adapter.transparent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.Pregel$;
import org.sparkgpugraph.GpuGraphPlugin;
import org.sparkgpugraph.lib.TriangleCount;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;

/**
 * Contexts with transparent mode and without it, one after the other; in a JVM of its own, run by
 * {@link TransparentModeTest}.
 */
final class TransparentModeJob {
  private TransparentModeJob() {}

  /**
   * @param arguments {@code late} uses GraphX's Pregel before the first context
   */
  public static void main(String[] arguments) {
    Configurator.setLevel("org.sparkgpugraph.adapter.transparent", Level.INFO);
    if (Arrays.asList(arguments).contains("late")) {
      assertThat(Pregel$.MODULE$).isNotNull();
      String[] lines = run(true, "--- late");
      System.out.println("late: " + lines.length + " results");
      return;
    }
    String[] ours = run(true, "--- transparent");
    String[] stock = run(false, "--- without");
    assertThat(ours).containsExactly(stock);
    System.out.println("same results: " + ours.length);
    System.out.println(String.join("\n", stock));
    SparkContext sc = context(true);
    System.err.println("--- keys");
    sc.setLocalProperty("spark.gpugraph.transparent.pageRank", "false");
    Graph<Object, Object> graph = graph(sc);
    graph.ops().staticPageRank(1, 0.15);
    sc.setLocalProperty("spark.gpugraph.transparent", "false");
    graph.ops().connectedComponents();
    System.err.println("--- options");
    sc.setLocalProperty("spark.gpugraph.transparent", null);
    TriangleCount.run(graph, RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX));
    sc.setLocalProperty("spark.gpugraph.fallback", "always");
    graph.ops().triangleCount();
    System.err.println("--- end");
    sc.stop();
    // A wrong key leaves a warning and stock GraphX.
    System.setProperty("spark.gpugraph.transparent.pageRank", "perhaps");
    context(true).stop();
  }

  @SuppressWarnings("unchecked") // Scala's Int and Double are Objects to Java
  private static Graph<Object, Object> graph(SparkContext sc) {
    return (Graph<Object, Object>) (Graph<?, ?>) GraphXJob.graph(sc);
  }

  private static String[] run(boolean transparent, String title) {
    System.err.println(title);
    SparkContext sc = context(transparent);
    try {
      return GraphXJob.run(sc);
    } finally {
      sc.stop();
    }
  }

  private static SparkContext context(boolean transparent) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("transparent")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.gpugraph.engine", "cpu")
            .set("spark.plugins", GpuGraphPlugin.class.getName());
    if (transparent) {
      conf.set("spark.gpugraph.transparent", "true");
    }
    SparkContext sc = SparkContext.getOrCreate(conf);
    sc.setLogLevel("WARN");
    Configurator.setLevel("org.sparkgpugraph.adapter.transparent", Level.INFO);
    return sc;
  }
}
