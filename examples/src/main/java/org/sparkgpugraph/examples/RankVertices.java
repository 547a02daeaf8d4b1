package org.sparkgpugraph.examples;

import java.io.PrintStream;
import java.io.Serializable;
import java.util.Comparator;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.lib.Betweenness;
import org.sparkgpugraph.lib.Graphalytics;
import org.sparkgpugraph.lib.Hits;
import org.sparkgpugraph.lib.Katz;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.WeightedPageRank;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;

/** Who matters: centralities of a graph that is loaded once and never was a GraphX graph. */
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
      try (VertexResult<Hits.Scores> scores = Hits.run(graph, 20, options)) {
        print(
            out,
            "authority in HITS",
            scores.toPairs().mapToPair(v -> new Tuple2<>(v._1(), v._2().authority())));
      }
      top(
          out,
          "PageRank as Graphalytics defines it",
          Graphalytics.pageRank(graph, 20, Graphalytics.DAMPING, options));
    }
    try (ResidentGraph<Object, Double> graph =
        GpuPregel.load(new RmatGraph(10, 8, 1).edges(sc, 4, true, false), Double.class, options)) {
      top(
          out,
          "PageRank by weights",
          WeightedPageRank.run(graph, 20, PageRank.RESET_PROBABILITY, options));
    }
  }

  private static void top(PrintStream out, String what, VertexResult<Double> values) {
    try (values) {
      print(out, what, values.toPairs());
    }
  }

  private static void print(PrintStream out, String what, JavaPairRDD<Long, Double> values) {
    var best =
        values.takeOrdered(
            5,
            (Comparator<Tuple2<Long, Double>> & Serializable)
                (a, b) -> Double.compare(b._2(), a._2()));
    out.println(what + ": " + best);
  }
}
