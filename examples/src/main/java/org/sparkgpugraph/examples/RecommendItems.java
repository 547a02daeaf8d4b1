package org.sparkgpugraph.examples;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.lib.SVDPlusPlus;
import org.sparkgpugraph.run.RunOptions;

/**
 * Recommendations: SVD++ learns from ratings that users gave to films of two kinds. Half of the
 * users like one kind, half the other; nobody has seen everything.
 */
public final class RecommendItems {
  private static final int USERS = 20;
  private static final int FILMS = 12;

  private RecommendItems() {}

  /** Learns and prints the error of the predictions. */
  public static void main(String[] args) {
    run(System.out);
    EmbeddedSpark.end(JobRunner.DONE);
  }

  static void run(PrintStream out) {
    JavaSparkContext sc =
        JavaSparkContext.fromSparkContext(EmbeddedSpark.session("RecommendItems").sparkContext());
    // Users have the ids 0 to 19, films 1000 to 1011: no id may be both.
    List<Edge<Double>> ratings = new ArrayList<>();
    for (long user = 0; user < USERS; user++) {
      for (long film = 0; film < FILMS; film++) {
        if ((user + film) % 5 != 0) {
          ratings.add(new Edge<>(user, 1000 + film, user % 2 == film % 2 ? 5.0 : 1.0));
        }
      }
    }
    SVDPlusPlus.Conf conf = new SVDPlusPlus.Conf(4, 100, 1.0, 5.0, 0.005, 0.005, 0.005, 0.015);
    var model = SVDPlusPlus.run(sc.parallelize(ratings).rdd(), conf, 7, RunOptions.DEFAULT);
    // An item's last component is the sum of the squares of its errors.
    double squares =
        model
            ._1()
            .vertices()
            .toJavaRDD()
            .filter(vertex -> (Long) vertex._1() >= 1000)
            .map(vertex -> vertex._2()._4())
            .reduce(Double::sum);
    out.printf(
        Locale.ROOT,
        "%d ratings, mean %.2f; root mean squared error %.2f%n",
        ratings.size(),
        model._2(),
        Math.sqrt(squares / ratings.size()));
  }
}
