package org.sparkgpugraph.benchmarks.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.EdgeContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.TripletFields;
import org.apache.spark.graphx.VertexRDD;
import org.sparkgpugraph.GpuMessages;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.adapter.fallback.GraphXEdge;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F1;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F2;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

/**
 * {@code aggregateMessages} of stock GraphX, of the library on a GraphX graph, and of the library
 * on a resident graph, each from the call to the counted result; one cached R-MAT graph with
 * weights.
 *
 * <pre>MessagesBenchmark [scale = 18] [repetitions = 5] [edge partitions = 4]</pre>
 */
public final class MessagesBenchmark {
  private static final RunOptions OURS = RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);

  private final Graph<Double, Double> graph;
  private final ResidentGraph<Double, Double> resident;
  private final int repetitions;
  private final TextTable table =
      new TextTable("messages", "GraphX s", "library s", "times", "resident s", "times");

  private MessagesBenchmark(
      Graph<Double, Double> graph, ResidentGraph<Double, Double> resident, int repetitions) {
    this.graph = graph;
    this.resident = resident;
    this.repetitions = repetitions;
  }

  /** Runs it and prints a table of medians; the first run of each is left out. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 18;
    int repetitions = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    int partitions = args.length > 2 ? Integer.parseInt(args[2]) : 4;
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("MessagesBenchmark")
            .set("spark.ui.enabled", "false");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("WARN");
      Graph<Double, Double> graph = RmatGraphX.cached(sc, scale, partitions, true);
      System.out.printf(
          "R-MAT %d: %d vertices, %d edges%n",
          scale, graph.vertices().count(), graph.edges().count());
      try (ResidentGraph<Double, Double> resident =
          GpuPregel.loadWithEdgeAttributes(graph, Double.class, Double.class, RunOptions.DEFAULT)) {
        new MessagesBenchmark(graph, resident, repetitions).run();
      }
    }
  }

  private void run() {
    measure(
        "degrees (Int to both ends, no attributes)",
        StockGraphX.INT,
        edge -> {
          edge.sendToSrc(1);
          edge.sendToDst(1);
        },
        Integer::sum,
        TripletFields.None);
    measure(
        "sum (Double, attribute of the source and the edge)",
        StockGraphX.DOUBLE,
        edge -> edge.sendToDst((edge.srcAttr() + 1) * edge.attr()),
        Double::sum,
        TripletFields.All);
    measure(
        "mean (pair of Double and Int, both attributes)",
        ClassTag$.MODULE$.<Tuple2<Double, Integer>>apply(Tuple2.class),
        edge -> {
          if (edge.srcAttr() <= edge.dstAttr()) {
            edge.sendToDst(new Tuple2<>(edge.attr(), 1));
          }
        },
        (a, b) -> new Tuple2<>(a._1() + b._1(), a._2() + b._2()),
        TripletFields.All);
    System.out.print(table);
  }

  private <A> void measure(
      String name,
      ClassTag<A> tag,
      SendMessage<Double, Double, A> send,
      MergeMessage<A> merge,
      TripletFields fields) {
    F1<EdgeContext<Double, Double, A>, BoxedUnit> sending =
        edge -> {
          send.send(new GraphXEdge<>(edge));
          return BoxedUnit.UNIT;
        };
    F2<A, A, A> merging = merge::merge;
    double stock = median(() -> graph.aggregateMessages(sending, merging, fields, tag));
    double ours =
        median(
            () ->
                GpuMessages.aggregate(
                    graph, Double.class, Double.class, send, merge, fields, OURS));
    double held = median(() -> GpuMessages.aggregate(resident, send, merge, fields, OURS));
    table.add(
        List.of(
            name,
            seconds(stock),
            seconds(ours),
            times(stock / ours),
            seconds(held),
            times(stock / held)));
  }

  private <A> double median(Supplier<VertexRDD<A>> call) {
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i <= repetitions; i++) {
      long start = System.nanoTime();
      VertexRDD<A> messages = call.get();
      messages.count();
      if (i > 0) {
        seconds.add((System.nanoTime() - start) / 1e9);
      }
      messages.unpersist(true);
    }
    return Medians.median(seconds);
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, "%.1f", ratio);
  }
}
