package org.sparkgpugraph.benchmarks.comparison;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.sum;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.files.EdgeLoader;
import org.sparkgpugraph.frame.Pregel;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Programs in column expressions beside the same programs as lambdas, on graphs of the same edges
 * with weights: what a superstep takes, the median and, since other processes only ever make it
 * slower, the best. They take turns.
 *
 * <pre>ColumnProgramsBenchmark [scale = 18] [rounds = 7] [engine = cpu] [partitions = 4]</pre>
 */
public final class ColumnProgramsBenchmark {
  private static final int ITERATIONS = 20;

  /** A vertex's rank and number of edges. */
  public record Ranked(double rank, int degree) implements Serializable {}

  private final Map<String, Consumer<RunOptions>> programs = new LinkedHashMap<>();
  private final RunOptions options = RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);

  private ColumnProgramsBenchmark() {}

  /** Runs it and prints a table; the first round is left out. */
  public static void main(String[] args) throws IOException {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 18;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
    String engine = args.length > 2 ? args[2] : "cpu";
    int partitions = args.length > 3 ? Integer.parseInt(args[3]) : 4;
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[*]")
            .appName("ColumnProgramsBenchmark")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", partitions)
            .config("spark.gpugraph.engine", engine)
            .getOrCreate()) {
      spark.sparkContext().setLogLevel("ERROR");
      Dataset<Row> edges = FrameBenchmark.generated(spark, scale, partitions);
      // Weights that are sums of powers of two.
      Column weight = functions.hash(col("src"), col("dst")).bitwiseAND(255).plus(1).divide(16.0);
      Dataset<Row> weighted = edges.withColumn("weight", weight).cache();
      long count = weighted.count();
      System.out.printf("R-MAT %d: %d edges%n", scale, count);
      new ColumnProgramsBenchmark().run(weighted, rounds, count);
    }
  }

  private void run(Dataset<Row> edges, int rounds, long count) {
    try (ResidentGraph<Object, Double> resident =
        GpuPregel.load(
            EdgeLoader.fromDataset(edges, "src", "dst", "weight"), Double.class, options)) {
      lambdas(resident);
      PropertyGraph plain = PropertyGraph.ofEdges(edges);
      Dataset<Row> vertices =
          plain
              .vertices()
              .join(
                  plain.outDegrees().withColumnRenamed("id", "of"),
                  col("id").equalTo(col("of")),
                  "left_outer")
              .drop("of")
              .cache();
      columns(PropertyGraph.of(vertices, edges));
      measure(rounds, count);
    }
  }

  private void lambdas(ResidentGraph<Object, Double> graph) {
    programs.put(
        "ranks, lambdas",
        run ->
            GpuPregel.on(graph)
                .state((id, none, in, out) -> new Ranked(1.0, out))
                .everyVertex(0.0)
                .maxIterations(ITERATIONS)
                .vertexProgram((id, v, sum) -> new Ranked(0.15 + 0.85 * sum, v.degree()))
                .sendMessage(
                    edge -> edge.sendToDst(edge.srcAttr().rank() / edge.srcAttr().degree()))
                .mergeMessage(Double::sum)
                .result((id, none, v) -> v.rank())
                .options(run)
                .runVertices()
                .close());
    programs.put(
        "distances, lambdas",
        run ->
            GpuPregel.on(graph)
                .state((id, none, in, out) -> id == 0 ? 0.0 : Double.POSITIVE_INFINITY)
                .everyVertex(Double.POSITIVE_INFINITY)
                .maxIterations(ITERATIONS)
                .vertexProgram((id, distance, heard) -> Math.min(distance, heard))
                .sendMessage(edge -> edge.sendToDst(edge.srcAttr() + edge.attr()))
                .mergeMessage(Math::min)
                .options(run)
                .runVertices()
                .close());
    // What SQL's least and min mean: NaN is the largest number.
    programs.put(
        "distances in SQL's order, lambdas",
        run ->
            GpuPregel.on(graph)
                .state((id, none, in, out) -> id == 0 ? 0.0 : Double.POSITIVE_INFINITY)
                .everyVertex(Double.NaN)
                .maxIterations(ITERATIONS)
                .vertexProgram(
                    (id, distance, heard) ->
                        Double.compare(distance, heard) <= 0 ? distance : heard)
                .sendMessage(edge -> edge.sendToDst(edge.srcAttr() + edge.attr()))
                .mergeMessage((a, b) -> Double.compare(a, b) <= 0 ? a : b)
                .options(run)
                .runVertices()
                .close());
    programs.put(
        "labels both ways, lambdas",
        run ->
            GpuPregel.on(graph)
                .state((id, none, in, out) -> id)
                .everyVertex(Long.MAX_VALUE)
                .maxIterations(ITERATIONS)
                .vertexProgram((id, label, heard) -> Math.min(label, heard))
                .sendMessage(
                    edge -> {
                      edge.sendToDst(edge.srcAttr());
                      edge.sendToSrc(edge.dstAttr());
                    })
                .mergeMessage(Math::min)
                .options(run)
                .runVertices()
                .close());
  }

  private void columns(PropertyGraph graph) {
    Column msg = Pregel.msg();
    programs.put(
        "ranks, columns",
        run ->
            graph
                .options(run)
                .pregel()
                .withVertexColumn(
                    "rank", lit(1.0), coalesce(msg, lit(0.0)).multiply(0.85).plus(0.15))
                .sendMessageToDst(Pregel.src("rank").divide(Pregel.src("outDegree")))
                .aggregateMessages(sum(msg))
                .setMaxIterations(ITERATIONS)
                .run());
    programs.put(
        "distances, columns",
        run ->
            graph
                .options(run)
                .pregel()
                .withVertexColumn(
                    "distance",
                    functions.when(col("id").equalTo(0), 0.0).otherwise(Double.POSITIVE_INFINITY),
                    functions.least(col("distance"), msg))
                .sendMessageToDst(Pregel.src("distance").plus(Pregel.edge("weight")))
                .aggregateMessages(min(msg))
                .setMaxIterations(ITERATIONS)
                .run());
    programs.put(
        "labels both ways, columns",
        run ->
            graph
                .options(run)
                .pregel()
                .withVertexColumn("label", col("id"), functions.least(col("label"), msg))
                .sendMessageToDst(Pregel.src("label"))
                .sendMessageToSrc(Pregel.dst("label"))
                .aggregateMessages(min(msg))
                .setMaxIterations(ITERATIONS)
                .run());
  }

  private void measure(int rounds, long edges) {
    Map<String, List<Double>> steps = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (var program : programs.entrySet()) {
        List<Double> millis = new ArrayList<>();
        RunObserver observer =
            new RunObserver() {
              @Override
              public void superstepEnded(SuperstepStats stats) {
                if (stats.superstep() > 0) {
                  millis.add(stats.nanos() / 1e6);
                }
              }
            };
        System.gc();
        program.getValue().accept(options.withObserver(observer));
        if (round > 0) {
          steps
              .computeIfAbsent(program.getKey(), key -> new ArrayList<>())
              .add(Medians.median(millis));
        }
      }
    }
    TextTable table = new TextTable("program", "superstep ms", "best ms", "M edges/s");
    steps.forEach(
        (name, millis) -> {
          double median = Medians.median(millis);
          double best = millis.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
          table.add(List.of(name, format(median), format(best), format(edges / median / 1e3)));
        });
    System.out.print(table);
  }

  private static String format(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
