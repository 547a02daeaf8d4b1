package io.sparkgpugraph.examples;

import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.lib.HeatSimulation;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** A simulation: heat spreads along a rod whose left end starts hot, as values of the vertices. */
public final class HeatRod {
  private static final int LENGTH = 8;

  private HeatRod() {}

  /** Prints the heat along the rod after 1, 10 and 1000 steps. */
  public static void main(String[] args) {
    run(System.out);
    EmbeddedSpark.end(JobRunner.DONE);
  }

  static void run(PrintStream out) {
    JavaSparkContext sc =
        JavaSparkContext.fromSparkContext(EmbeddedSpark.session("HeatRod").sparkContext());
    List<Tuple2<Object, Double>> starts = new ArrayList<>();
    List<Edge<Double>> edges = new ArrayList<>();
    for (long place = 0; place < LENGTH; place++) {
      starts.add(new Tuple2<>(place, place == 0 ? 80.0 : 0.0));
      if (place > 0) {
        // Heat flows both ways; the attribute is what flows in a step per degree of difference.
        edges.add(new Edge<>(place - 1, place, 0.25));
        edges.add(new Edge<>(place, place - 1, 0.25));
      }
    }
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    Graph<Double, Double> rod =
        Graph.apply(
            sc.parallelize(starts).rdd(),
            sc.parallelize(edges).rdd(),
            0.0,
            level,
            level,
            StockGraphX.DOUBLE,
            StockGraphX.DOUBLE);
    for (int steps : new int[] {1, 10, 1000}) {
      Graph<Double, Double> heat = HeatSimulation.run(rod, 0, steps, RunOptions.DEFAULT);
      StringBuilder line = new StringBuilder("after " + steps + " steps:");
      heat.vertices().toJavaRDD().collect().stream()
          .sorted((a, b) -> Long.compare((Long) a._1(), (Long) b._1()))
          .forEach(place -> line.append(String.format(Locale.ROOT, " %.1f", place._2())));
      out.println(line);
    }
  }
}
