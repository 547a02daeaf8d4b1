package io.sparkgpugraph.examples;

import io.sparkgpugraph.GpuPregel;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.io.RmatGraph;
import io.sparkgpugraph.lib.Betweenness;
import io.sparkgpugraph.lib.Katz;
import io.sparkgpugraph.lib.PageRank;
import java.io.PrintStream;
import java.io.Serializable;
import java.util.Comparator;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Who matters: three centralities of a graph that is loaded once and never was a GraphX graph. */
public final class RankVertices {
  private RankVertices() {}

  /** Prints the most important vertices. */
  public static void main(String[] args) {
    run(System.out);
    EmbeddedSpark.end(JobRunner.DONE);
  }

  static void run(PrintStream out) {
    JavaSparkContext sc =
        JavaSparkContext.fromSparkContext(EmbeddedSpark.session("RankVertices").sparkContext());
    RunOptions options = RunOptions.DEFAULT;
    try (ResidentGraph<Object, Object> graph =
        GpuPregel.load(new RmatGraph(10, 8, 1).edges(sc, 4, false, false), Object.class, options)) {
      top(out, "PageRank", PageRank.run(graph, 20, PageRank.RESET_PROBABILITY, options));
      top(out, "Katz", Katz.run(graph, 0.001, 1.0, 1e-9, 100, options));
      top(out, "betweenness, from 20 sources", Betweenness.sampled(graph, 20, 1, options));
    }
  }

  private static void top(PrintStream out, String what, VertexResult<Double> values) {
    try (values) {
      var best =
          values
              .toPairs()
              .takeOrdered(
                  5,
                  (Comparator<Tuple2<Long, Double>> & Serializable)
                      (a, b) -> Double.compare(b._2(), a._2()));
      out.println(what + ": " + best);
    }
  }
}
