package org.sparkgpugraph.benchmarks.exchange;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Measures what a superstep over several executors takes beside its work, on a graph that is next
 * to nothing: milliseconds from one superstep's end to the next, where each is a stage of Spark's
 * and where tasks stay for those that follow, against an empty Spark job of two stages with as many
 * tasks. Rounds of all take turns, so that they meet the same machine.
 *
 * <p>How long depends on what else the machine does, so the processor's time of this JVM stands
 * beside it: with a local master all of a superstep where tasks stay.
 *
 * <pre>
 * SuperstepOverhead [master = local[2]] [executors = 2] [supersteps = 60] [rounds = 6] [edges = few]
 * </pre>
 *
 * <p>With {@code few} edges an executor tells about four others something, with {@code all} each
 * vertex has an edge to every other, so that each executor tells all others.
 */
public final class SuperstepOverhead {
  private static final int VERTICES = 64;
  private static final String STANDING = "spark.gpugraph.exchange.standingMillis";

  private SuperstepOverhead() {}

  /** Runs it and prints a line per round and the medians. */
  public static void main(String[] args) {
    String master = args.length > 0 ? args[0] : "local[2]";
    int executors = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    int supersteps = args.length > 2 ? Integer.parseInt(args[2]) : 60;
    int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 6;
    boolean all = args.length > 4 && args[4].equals("all");
    SparkConf conf =
        LocalSpark.conf("SuperstepOverhead", master, "512m")
            .set("spark.gpugraph.fallback", "never")
            .set("spark.gpugraph.engine", "cpu")
            .set("spark.gpugraph.threads", "1");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      LocalSpark.awaitExecutors(sc, executors);
      measure(sc, executors, supersteps, rounds, all);
    }
  }

  private static void measure(
      JavaSparkContext sc, int executors, int supersteps, int rounds, boolean all) {
    TextTable table =
        new TextTable(
            "round",
            "two-stage job ms",
            "a stage each ms",
            "superstep ms",
            "ratio",
            "superstep core ms");
    List<Double> cores = new ArrayList<>();
    List<Double> jobs = new ArrayList<>();
    List<Double> stages = new ArrayList<>();
    List<Double> steps = new ArrayList<>();
    RunOptions spread = RunOptions.DEFAULT.withExecutors(executors);
    try (ResidentGraph<Integer, Integer> graph =
        GpuPregel.load(graph(sc, all), Integer.class, Integer.class, spread)) {
      for (int round = 0; round <= rounds; round++) {
        double job = Medians.median(jobMillis(sc, executors, supersteps));
        sc.setLocalProperty(STANDING, "0");
        double stage = Medians.median(stepMillis(graph, supersteps));
        sc.setLocalProperty(STANDING, null);
        long before = processorNanos();
        double step = Medians.median(stepMillis(graph, supersteps));
        double core = (processorNanos() - before) / 1e6 / supersteps;
        // The first is cold.
        table.add(row(round == 0 ? "cold" : String.valueOf(round), job, stage, step, core));
        if (round > 0) {
          jobs.add(job);
          stages.add(stage);
          steps.add(step);
          cores.add(core);
        }
      }
    }
    table.add(
        row(
            "median",
            Medians.median(jobs),
            Medians.median(stages),
            Medians.median(steps),
            Medians.median(cores)));
    System.out.print(table);
  }

  private static List<String> row(String name, double job, double stage, double step, double core) {
    return List.of(
        name, millis(job), millis(stage), millis(step), millis(step / job), millis(core));
  }

  /** That this JVM has had of all cores. */
  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static String millis(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static Graph<Integer, Integer> graph(JavaSparkContext sc, boolean all) {
    List<Edge<Integer>> edges = new ArrayList<>();
    for (long v = 0; v < VERTICES; v++) {
      for (long u = 0; u < VERTICES; u++) {
        if (all || u == (v + 1) % VERTICES || u == v * 7 % VERTICES) {
          edges.add(new Edge<>(v, u, 1));
        }
      }
    }
    ClassTag<Integer> tag = ClassTag$.MODULE$.apply(Integer.class);
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    return Graph.fromEdges(sc.parallelize(edges, 2).rdd(), 0, level, level, tag, tag);
  }

  /** An empty job of two stages: a shuffle without records. */
  private static List<Double> jobMillis(JavaSparkContext sc, int tasks, int count) {
    List<Double> millis = new ArrayList<>();
    List<Integer> nothing = Arrays.asList(new Integer[0]);
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      sc.parallelize(nothing, tasks)
          .mapToPair(x -> new Tuple2<>(x, x))
          .partitionBy(new HashPartitioner(tasks))
          .count();
      millis.add((System.nanoTime() - start) / 1e6);
    }
    return millis;
  }

  /** From one superstep's end to the next. */
  private static List<Double> stepMillis(ResidentGraph<Integer, Integer> graph, int supersteps) {
    List<Long> ends = new ArrayList<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            ends.add(System.nanoTime());
          }
        };
    GpuPregel.on(graph)
        .everyVertex(0)
        .vertexProgram((id, value, message) -> value + message + 1)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Integer::sum)
        .maxIterations(supersteps)
        .options(RunOptions.DEFAULT.withObserver(observer))
        .runVertices()
        .close();
    return IntStream.range(1, ends.size())
        .mapToObj(i -> (ends.get(i) - ends.get(i - 1)) / 1e6)
        .collect(Collectors.toList());
  }
}
