package org.sparkgpugraph.runtime.serial;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.GraphXUtils;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.Neighborhoods;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.MinimumSpanningForest.Joined;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.lib.LabelPropagation;
import org.sparkgpugraph.lib.MaximalMatching;
import org.sparkgpugraph.lib.MinimumSpanningForest;
import org.sparkgpugraph.lib.SVDPlusPlus;
import org.sparkgpugraph.lib.ShortestPaths;
import org.sparkgpugraph.lib.StronglyConnectedComponents;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.Neighborhood;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.RandomPrograms.Hop;
import org.sparkgpugraph.testing.TestGraph;
import scala.reflect.ClassTag$;

/** A record graph under a given serializer, in a JVM of its own; run by {@link KryoJobTest}. */
final class KryoJob {
  private KryoJob() {}

  /**
   * @param args settings of Spark, {@code key=value}
   */
  public static void main(String[] args) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("kryo")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    for (String setting : args) {
      conf.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
    }
    // What GraphX asks of its users under registrationRequired.
    GraphXUtils.registerKryoClasses(conf);
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      TestGraph<Hop, Float> test =
          RandomGraphs.of(RandomGraphs.Shape.UNIFORM, 7)
              .withAttributes(
                  new Random(7),
                  r -> new Hop(r.nextInt(3) == 0 ? 0 : Double.POSITIVE_INFINITY, -1, 0),
                  r -> 1f + r.nextInt(5));
      if (!conf.getBoolean("spark.test.recordsOnly", false)) {
        scalars(context);
        tables(context);
        modes(context);
        factors(context);
        forests(context);
      }
      // GraphX's own, which they are compared with, would need pairs of Scala to be registered.
      if (!conf.getBoolean("spark.kryo.registrationRequired", false)) {
        algorithms(context);
      }
      neighborhoods(context);
      if (conf.getBoolean("spark.test.scalarsOnly", false)) {
        return;
      }
      Graph<Hop, Float> graph = test.toGraphx(context, 2, Hop.class, Float.class);
      Map<Long, Hop> engine = run(graph, EngineChoice.CPU);
      Map<Long, Hop> graphx = run(graph, EngineChoice.GRAPHX);
      if (!engine.equals(graphx) || engine.isEmpty()) {
        throw new AssertionError(engine + " is not " + graphx);
      }
      System.out.println("same results: " + engine.size());
    }
  }

  /** Without records the library needs no registrator. */
  private static void scalars(JavaSparkContext context) {
    TestGraph<Long, Integer> test =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 8)
            .withAttributes(new Random(8), r -> (long) r.nextInt(100), r -> 1);
    Graph<Long, Integer> result =
        GpuPregel.on(
                test.toGraphx(context, 2, Long.class, Integer.class), Long.class, Integer.class)
            .initialMessage(Long.MAX_VALUE)
            .vertexProgram((id, value, message) -> Math.min(value, message))
            .sendMessage(
                edge -> {
                  if (edge.srcAttr() < edge.dstAttr()) {
                    edge.sendToDst(edge.srcAttr());
                  }
                })
            .mergeMessage(Math::min)
            .options(RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER))
            .run();
    System.out.println("scalars: " + Compare.vertices(result).size());
  }

  /** A captured array of each kind that goes by a broadcast, and a map. */
  private static void tables(JavaSparkContext context) {
    int n = 1 << 17;
    double[] doubles = new double[n];
    float[] floats = new float[n];
    long[] longs = new long[n];
    int[] ints = new int[n];
    boolean[] flags = new boolean[n];
    Arrays.fill(longs, 3);
    scala.collection.mutable.HashMap<Long, Double> map = new scala.collection.mutable.HashMap<>();
    for (long id = 0; id < 1000; id++) {
      map.put(id, 0.5);
    }
    TestGraph<Double, Integer> test =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 12)
            .withAttributes(new Random(12), r -> 1.0, r -> 1);
    Graph<Double, Integer> result =
        GpuPregel.on(
                test.toGraphx(context, 2, Double.class, Integer.class), Double.class, Integer.class)
            .initialMessage(0.0)
            .maxIterations(2)
            .vertexProgram(
                (id, value, message) -> value + (map.contains(id) ? map.apply(id) : message))
            .sendMessage(
                edge -> {
                  int at = (int) edge.srcId() & n - 1;
                  double told = doubles[at] + floats[at] + longs[at] + ints[at];
                  edge.sendToDst(flags[at] ? 0 : told);
                })
            .mergeMessage(Math::max)
            .options(RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER))
            .run();
    System.out.println("tables: " + Compare.vertices(result).size());
  }

  /** Stock GraphX shuffles bags of messages here. */
  private static void modes(JavaSparkContext context) {
    TestGraph<Long, Integer> test =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 9)
            .withAttributes(new Random(9), r -> 0L, r -> 1);
    Graph<Long, Integer> graph = test.toGraphx(context, 2, Long.class, Integer.class);
    Map<Long, Long> engine = labels(graph, EngineChoice.CPU);
    Map<Long, Long> graphx = labels(graph, EngineChoice.GRAPHX);
    if (!engine.equals(graphx) || engine.isEmpty()) {
      throw new AssertionError(engine + " is not " + graphx);
    }
    System.out.println("modes: " + engine.size());
  }

  private static Map<Long, Long> labels(Graph<Long, Integer> graph, EngineChoice engine) {
    return Compare.vertices(LabelPropagation.run(graph, 4, RunOptions.DEFAULT.withEngine(engine)));
  }

  /** Ratings from even to odd ids; every user rates every item. */
  private static void factors(JavaSparkContext context) {
    List<Edge<Double>> ratings = new ArrayList<>();
    for (long user = 0; user < 20; user += 2) {
      for (long item = 1; item < 20; item += 2) {
        ratings.add(new Edge<>(user, item, (double) ((user + item) % 5)));
      }
    }
    double expected = ratings.stream().mapToDouble(Edge::attr).average().orElseThrow();
    var result =
        SVDPlusPlus.run(
            context.parallelize(ratings, 2).rdd(),
            new SVDPlusPlus.Conf(2, 2, 0.0, 5.0, 0.007, 0.007, 0.005, 0.015),
            1,
            RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER));
    if (result._2() != expected) {
      throw new AssertionError(result._2() + " is not " + expected);
    }
    System.out.println("factors: " + Compare.vertices(result._1()).size());
  }

  /** Graphs that an algorithm loads for itself, whose edge values are records of the library. */
  private static void forests(JavaSparkContext context) {
    TestGraph<Double, Double> test =
        RandomGraphs.of(RandomGraphs.Shape.UNIFORM, 12)
            .withAttributes(new Random(12), r -> 0.0, r -> r.nextDouble());
    Graph<Double, Double> graph = test.toGraphx(context, 2, Double.class, Double.class);
    RunOptions options = RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);
    List<Double> weights = new ArrayList<>();
    for (int executors : new int[] {1, 2}) {
      try (ResidentGraph<Object, Double> held =
              GpuPregel.loadWithEdgeAttributes(
                  graph, Object.class, Double.class, options.withExecutors(executors));
          VertexResult<Joined> forest = MinimumSpanningForest.run(held, options);
          VertexResult<Long> pairs = MaximalMatching.run(held, 1, options)) {
        weights.add(MinimumSpanningForest.weight(forest) + pairs.collectAsMap().size());
      }
    }
    if (!weights.get(0).equals(weights.get(1))) {
      throw new AssertionError("forests of " + weights);
    }
    System.out.println("forests: " + weights.get(0));
  }

  /** Algorithms whose values are records of the library, which say how Kryo is to write them. */
  private static void algorithms(JavaSparkContext context) {
    TestGraph<Long, Integer> test =
        RandomGraphs.of(RandomGraphs.Shape.UNIFORM, 11)
            .withAttributes(new Random(11), r -> 0L, r -> 1);
    Graph<Long, Integer> graph = test.toGraphx(context, 2, Long.class, Integer.class);
    RunOptions ours = RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);
    Map<Long, Long> components = Compare.vertices(StronglyConnectedComponents.run(graph, 9, ours));
    Map<?, ?> expected =
        Compare.vertices(
            org.apache.spark.graphx.lib.StronglyConnectedComponents.run(
                graph, 9, ClassTag$.MODULE$.apply(Long.class), ClassTag$.MODULE$.apply(int.class)));
    if (!components.equals(expected)) {
      throw new AssertionError(components + " is not " + expected);
    }
    long[] landmarks = {components.keySet().iterator().next()};
    int reached = Compare.vertices(ShortestPaths.run(graph, landmarks, ours)).size();
    System.out.println("algorithms: " + reached);
  }

  /** An operator whose result is a record of the library: refused without the registrator. */
  private static void neighborhoods(JavaSparkContext context) {
    TestGraph<Long, Integer> test =
        RandomGraphs.of(RandomGraphs.Shape.UNIFORM, 10)
            .withAttributes(new Random(10), r -> 0L, r -> 1);
    Graph<Long, Integer> graph = test.toGraphx(context, 2, Long.class, Integer.class);
    RunOptions options = RunOptions.DEFAULT;
    try (ResidentGraph<Long, Integer> held =
        GpuPregel.load(graph, Long.class, Integer.class, options)) {
      if (!context.getConf().contains("spark.kryo.registrator")) {
        refused(() -> Neighborhoods.run(graph, options));
        refused(() -> Neighborhoods.run(held, options));
        return;
      }
      Map<Long, Neighborhood> collected = Compare.vertices(Neighborhoods.run(graph, options));
      try (VertexResult<Neighborhood> result = Neighborhoods.run(held, options)) {
        Map<Long, Neighborhood> pairs = new TreeMap<>(result.collectAsMap());
        Map<Long, Neighborhood> shuffled =
            new TreeMap<>(result.toPairs().repartition(3).collectAsMap());
        if (!collected.equals(pairs) || !collected.equals(shuffled) || pairs.isEmpty()) {
          throw new AssertionError(collected + " is not " + pairs + " or not " + shuffled);
        }
        System.out.println("neighborhoods: " + pairs.size());
      }
    }
  }

  private static void refused(Runnable run) {
    try {
      run.run();
    } catch (IllegalStateException e) {
      if (e.getMessage().contains(Neighborhood.class.getName())
          && e.getMessage().contains("spark.kryo.registrator=")) {
        System.out.println("refused: neighborhoods");
        return;
      }
      throw e;
    }
    throw new AssertionError("a record result was not refused");
  }

  private static Map<Long, Hop> run(Graph<Hop, Float> graph, EngineChoice engine) {
    MergeMessage<Hop> nearer = (a, b) -> a.distance() <= b.distance() ? a : b;
    return Compare.vertices(
        GpuPregel.on(graph, Hop.class, Float.class)
            .initialMessage(new Hop(Double.POSITIVE_INFINITY, 0, 0))
            .activeDirection(EdgeDirection.Out())
            .vertexProgram(
                (id, value, message) -> message.distance() < value.distance() ? message : value)
            .sendMessage(
                edge -> {
                  double distance = edge.srcAttr().distance() + edge.attr();
                  if (distance < edge.dstAttr().distance()) {
                    edge.sendToDst(new Hop(distance, 0, 1));
                  }
                })
            .mergeMessage(nearer)
            .options(RunOptions.DEFAULT.withEngine(engine).withFallback(RunOptions.Fallback.AUTO))
            .run());
  }
}
