package org.sparkgpugraph.benchmarks.comparison;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F1;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F2;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.Shapes.CaseClass;
import org.sparkgpugraph.benchmarks.Shapes.Named;
import org.sparkgpugraph.benchmarks.Shapes.Plain;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import scala.Tuple2;
import scala.Tuple2$mcDI$sp;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * One program whose vertex values, edge attributes and messages are a Double and an Int each, as
 * records, case classes, Scala's pairs of numbers and boxed pairs; and as case classes that have a
 * String too, which nothing reads. Prints what a superstep takes, and a whole run from the call to
 * the counted result: the median and, since other processes only ever make it slower, the best. The
 * shapes take turns, so that all meet the same machine.
 *
 * <pre>ShapesBenchmark [scale = 18] [rounds = 7] [edge partitions = 4] [engine = cpu]</pre>
 */
public final class ShapesBenchmark {
  private static final int ITERATIONS = 20;

  private final JavaSparkContext sc;
  private final Graph<Double, Double> graph;
  private final String engine;
  private final Map<String, Supplier<PregelBuilder<?, ?, ?, ?, ?>>> shapes = new LinkedHashMap<>();

  private ShapesBenchmark(JavaSparkContext sc, Graph<Double, Double> graph, String engine) {
    this.sc = sc;
    this.graph = graph;
    this.engine = engine;
  }

  /** Runs it and prints a table; the first round is left out. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 18;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
    int partitions = args.length > 2 ? Integer.parseInt(args[2]) : 4;
    String engine = args.length > 3 ? args[3] : "cpu";
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("ShapesBenchmark")
            .set("spark.ui.enabled", "false")
            .set("spark.gpugraph.engine", engine)
            .set("spark.gpugraph.fallback", "never");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      Graph<Double, Double> graph = RmatGraphX.cached(sc, scale, partitions, true);
      long edges = graph.edges().count();
      System.out.printf(
          "R-MAT %d: %d vertices, %d edges%n", scale, graph.vertices().count(), edges);
      ShapesBenchmark benchmark = new ShapesBenchmark(sc, graph, engine);
      benchmark.prepare();
      benchmark.run(rounds, edges);
    }
  }

  /** Each program is written out: one that made values of any shape would be measured as such. */
  private void prepare() {
    Graph<Plain, Plain> plain =
        shaped(
            Plain.class,
            rank -> new Plain(rank, 1),
            edge -> new Plain(edge.attr(), (int) edge.dstId() & 7));
    shapes.put(
        "records",
        () ->
            GpuPregel.on(plain, Plain.class, Plain.class)
                .initialMessage(new Plain(0, 0))
                .vertexProgram(
                    (id, v, m) -> new Plain(0.15 + 0.85 * m.number(), v.count() + m.count()))
                .sendMessage(
                    e ->
                        e.sendToDst(
                            new Plain(e.srcAttr().number() * e.attr().number(), e.attr().count())))
                .mergeMessage((a, b) -> new Plain(a.number() + b.number(), a.count() + b.count())));
    Graph<CaseClass, CaseClass> cases =
        shaped(
            CaseClass.class,
            rank -> new CaseClass(rank, 1),
            edge -> new CaseClass(edge.attr(), (int) edge.dstId() & 7));
    shapes.put(
        "case classes",
        () ->
            GpuPregel.on(cases, CaseClass.class, CaseClass.class)
                .initialMessage(new CaseClass(0, 0))
                .vertexProgram(
                    (id, v, m) -> new CaseClass(0.15 + 0.85 * m.number(), v.count() + m.count()))
                .sendMessage(
                    e ->
                        e.sendToDst(
                            new CaseClass(
                                e.srcAttr().number() * e.attr().number(), e.attr().count())))
                .mergeMessage(
                    (a, b) -> new CaseClass(a.number() + b.number(), a.count() + b.count())));
    Graph<Named, Named> named =
        shaped(
            Named.class,
            rank -> new Named("vertex", rank, 1),
            edge -> new Named("edge", edge.attr(), (int) edge.dstId() & 7));
    shapes.put(
        "case classes with an unread String",
        () ->
            GpuPregel.on(named, Named.class, Named.class)
                .initialMessage(new CaseClass(0, 0))
                .vertexProgram(
                    (id, v, m) ->
                        new Named(v.name(), 0.15 + 0.85 * m.number(), v.count() + m.count()))
                .sendMessage(
                    e ->
                        e.sendToDst(
                            new CaseClass(
                                e.srcAttr().number() * e.attr().number(), e.attr().count())))
                .mergeMessage(
                    (a, b) -> new CaseClass(a.number() + b.number(), a.count() + b.count())));
    pairs("pairs", true);
    pairs("boxed pairs", false);
  }

  /** Pairs that the graph holds as Scala makes them where it knows that they are of numbers. */
  @SuppressWarnings("unchecked")
  private void pairs(String name, boolean specialised) {
    Class<Tuple2<Double, Integer>> pair = (Class<Tuple2<Double, Integer>>) (Class<?>) Tuple2.class;
    Graph<Tuple2<Double, Integer>, Tuple2<Double, Integer>> pairs =
        specialised
            ? shaped(
                pair,
                rank -> (Tuple2<Double, Integer>) (Object) new Tuple2$mcDI$sp(rank, 1),
                edge ->
                    (Tuple2<Double, Integer>)
                        (Object) new Tuple2$mcDI$sp(edge.attr(), (int) edge.dstId() & 7))
            : shaped(
                pair,
                rank -> new Tuple2<>(rank, 1),
                edge -> new Tuple2<>(edge.attr(), (int) edge.dstId() & 7));
    shapes.put(
        name,
        () ->
            GpuPregel.on(pairs, pair, pair)
                .initialMessage(new Tuple2<>(0.0, 0))
                .vertexProgram((id, v, m) -> new Tuple2<>(0.15 + 0.85 * m._1(), v._2() + m._2()))
                .sendMessage(
                    e -> e.sendToDst(new Tuple2<>(e.srcAttr()._1() * e.attr()._1(), e.attr()._2())))
                .mergeMessage((a, b) -> new Tuple2<>(a._1() + b._1(), a._2() + b._2())));
  }

  private <V> Graph<V, V> shaped(Class<V> type, F1<Double, V> vertex, F1<Edge<Double>, V> edge) {
    ClassTag<V> tag = ClassTag$.MODULE$.apply(type);
    F2<Object, Double, V> values = (id, rank) -> vertex.apply(rank);
    Graph<V, V> shaped = graph.mapVertices(values, tag, null).mapEdges(edge, tag).cache();
    shaped.vertices().count();
    shaped.edges().count();
    return shaped;
  }

  private void run(int rounds, long edges) {
    Map<String, List<Double>> steps = new LinkedHashMap<>();
    Map<String, List<Double>> wholes = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (var shape : shapes.entrySet()) {
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
        long start = System.nanoTime();
        Graph<?, ?> result =
            shape
                .getValue()
                .get()
                .maxIterations(ITERATIONS)
                .options(RunOptions.DEFAULT.withObserver(observer))
                .run();
        result.vertices().count();
        double whole = (System.nanoTime() - start) / 1e6;
        result.unpersist(true);
        if (round > 0) {
          steps.computeIfAbsent(shape.getKey(), k -> new ArrayList<>()).addAll(millis);
          wholes.computeIfAbsent(shape.getKey(), k -> new ArrayList<>()).add(whole);
        }
      }
    }
    System.out.printf(
        "engine %s, %d iterations, %d cores; shares of the records' best%n",
        engine, ITERATIONS, sc.defaultParallelism());
    TextTable table =
        new TextTable(
            "shape", "superstep ms", "best ms", "M edges/s", "share", "run ms", "best ms", "share");
    double step = Collections.min(steps.get("records"));
    double whole = Collections.min(wholes.get("records"));
    for (String shape : shapes.keySet()) {
      double bestStep = Collections.min(steps.get(shape));
      double bestWhole = Collections.min(wholes.get(shape));
      table.add(
          List.of(
              shape,
              format("%.2f", Medians.median(steps.get(shape))),
              format("%.2f", bestStep),
              format("%.0f", edges / bestStep / 1e3),
              format("%.2f", step / bestStep),
              format("%.0f", Medians.median(wholes.get(shape))),
              format("%.0f", bestWhole),
              format("%.2f", whole / bestWhole)));
    }
    System.out.print(table);
  }

  private static String format(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
