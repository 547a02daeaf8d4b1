package org.sparkgpugraph.examples;

import java.io.PrintStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.lib.CircuitSimulation;
import org.sparkgpugraph.lib.HeatSimulation;
import org.sparkgpugraph.lib.NeuralNetwork;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;
import scala.runtime.AbstractFunction2;

/**
 * Simulations whose state are the vertices' values: heat spreads along a rod whose left end starts
 * hot; the same rod as a circuit, and as neurons.
 */
public final class HeatRod {
  private static final int LENGTH = 8;
  private static final RunOptions OPTIONS = RunOptions.DEFAULT;

  private HeatRod() {}

  /** Prints the heat along the rod after 1, 10 and 1000 steps, then voltages and activities. */
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
      print(out, "after " + steps + " steps:", HeatSimulation.run(rod, 0, steps, OPTIONS));
    }
    // The same edges as conductances: 80 volts at the left end, the right one grounded.
    Graph<Double, Double> circuit = rod.mapVertices(new Ends(), StockGraphX.DOUBLE, null);
    print(out, "volts:", CircuitSimulation.run(circuit, 1e-9, 10_000, OPTIONS));
    // And as a network of neurons, whose activity dies down with such small weights.
    print(out, "neurons:", NeuralNetwork.run(rod, 1e-9, 10_000, OPTIONS));
  }

  private static void print(PrintStream out, String what, Graph<Double, Double> values) {
    StringBuilder line = new StringBuilder(what);
    values.vertices().toJavaRDD().collect().stream()
        .sorted((a, b) -> Long.compare((Long) a._1(), (Long) b._1()))
        .forEach(place -> line.append(String.format(Locale.ROOT, " %.1f", place._2())));
    out.println(line);
  }

  private static final class Ends extends AbstractFunction2<Object, Double, Double>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Double apply(Object id, Double heat) {
      long place = (Long) id;
      return place == 0 ? 80.0 : place == LENGTH - 1 ? 0.0 : CircuitSimulation.FREE;
    }
  }
}
