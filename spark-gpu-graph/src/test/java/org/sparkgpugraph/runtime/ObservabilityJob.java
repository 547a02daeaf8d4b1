package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.util.JsonProtocol;
import org.sparkgpugraph.GpuGraphPlugin;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.ScalaCompat;
import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;
import org.sparkgpugraph.runtime.event.GraphRunStarted;
import org.sparkgpugraph.runtime.event.GraphSuperstep;
import org.sparkgpugraph.testing.TestGraph;

/** What Spark shows of runs; in a JVM of its own, run by {@link ObservabilityTest}. */
final class ObservabilityJob {
  private static final String SOURCE = "plugin." + GpuGraphPlugin.class.getName();
  private static final int SIZE = 60;

  private ObservabilityJob() {}

  /**
   * @param arguments the folder of the event log
   */
  public static void main(String[] arguments) throws IOException {
    Path log = Path.of(arguments[0]);
    try (JavaSparkContext context = start(log, "spark.plugins", GpuGraphPlugin.class.getName())) {
      runs(context);
      Map<String, Long> metrics = metrics();
      assertThat(metrics)
          .containsEntry("runsStarted", 3L)
          .containsEntry("job.runsStarted", 3L)
          .containsEntry("runsRunning", 0L)
          .containsEntry("job.runsRunning", 0L)
          .containsEntry("runsFailed", 1L)
          .containsEntry("job.runsFailed", 1L)
          .containsEntry("activeVertices", 0L)
          .containsEntry("deviceBytes", 0L)
          .containsKeys("edgesPerSecond", "kernelMillis", "graphBytes");
      for (String name :
          List.of("supersteps", "edgesEvaluated", "exchangedBytes", "fullExchangeBytes")) {
        assertThat(metrics.get(name)).as(name).isPositive().isEqualTo(metrics.get("job." + name));
      }
      assertThat(metrics.get("exchangedBytes")).isLessThan(metrics.get("fullExchangeBytes"));
      assertThat(metrics).containsEntry("offHeapBytes", 0L).containsEntry("mappedBytes", 0L);
    }
    System.out.println("plugin: done");
    try (JavaSparkContext context = start(log, "spark.gpugraph.executors", "2")) {
      assertThat(metrics()).isEmpty();
      runs(context);
    }
    System.out.println("no plugin: done");
    try (JavaSparkContext context = start(log, "spark.gpugraph.fallback", "always")) {
      ConnectedComponents.run(graph(context, 1));
    }
    System.out.println("stock GraphX: done");
    try (Stream<Path> files = Files.list(log)) {
      List<Path> logs = files.sorted().toList();
      assertThat(logs).hasSize(3);
      checkRuns(events(logs.get(0)), 1);
      checkRuns(events(logs.get(1)), 2);
      checkStock(events(logs.get(2)));
    }
    System.out.println("event log: done");
  }

  private static JavaSparkContext start(Path log, String key, String value) {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("observability")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.eventLog.enabled", "true")
            .set("spark.eventLog.dir", log.toUri().toString())
            .set("spark.eventLog.rolling.enabled", "false")
            .set("spark.eventLog.compress", "false")
            .set("spark.gpugraph.partitions", "3")
            // A heap as small as this one's leaves edges of several executors to mapped files.
            .set("spark.gpugraph.memory.edges", "heap")
            // An event for each superstep, on several executors too.
            .set("spark.gpugraph.localSupersteps", "1")
            .set(key, value));
  }

  private static org.apache.spark.graphx.Graph<Integer, Double> graph(
      JavaSparkContext context, double weight) {
    return TestGraph.ring(SIZE, weight).toGraphx(context, 3, Integer.class, Double.class);
  }

  /** PageRank, shortest paths, and a program that fails. */
  private static void runs(JavaSparkContext context) {
    try (ResidentGraph<Integer, Double> ring =
        GpuPregel.load(graph(context, 1), Integer.class, Double.class)) {
      try (VertexResult<Double> ranks = PageRank.run(ring, 4, 0.15, RunOptions.DEFAULT)) {
        assertThat(ranks.report().summary().iterations()).isEqualTo(4);
      }
      try (VertexResult<Double> distances = Sssp.run(ring, 0, RunOptions.DEFAULT)) {
        assertThat(distances.collectAsMap()).hasSize(SIZE);
      }
    }
    assertThatThrownBy(
            () ->
                GpuPregel.on(graph(context, -1), Integer.class, Double.class)
                    .initialMessage(0)
                    .vertexProgram((id, value, message) -> Math.max(value, message))
                    .sendMessage(
                        edge -> {
                          if (edge.attr() < 0) {
                            throw new IllegalArgumentException("an edge weight is negative");
                          }
                          edge.sendToDst(edge.srcAttr());
                        })
                    .mergeMessage(Math::max)
                    .run())
        .hasMessageContaining("an edge weight is negative");
  }

  private static Map<String, Long> metrics() {
    Map<String, Long> values = new TreeMap<>();
    for (Object source :
        ScalaCompat.asJava(SparkEnv.get().metricsSystem().getSourcesByName(SOURCE))) {
      ((Source) source)
          .metricRegistry()
          .getGauges()
          .forEach((name, gauge) -> values.put(name, ((Number) gauge.getValue()).longValue()));
    }
    return values;
  }

  /** The library's events, read by Spark's own reader. */
  private static List<SparkListenerEvent> events(Path log) throws IOException {
    List<SparkListenerEvent> events = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      if (line.contains("\"org.sparkgpugraph.")) {
        events.add(JsonProtocol.sparkEventFromJson(line));
      }
    }
    return events;
  }

  private static <T> List<T> of(List<SparkListenerEvent> events, Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static void checkRuns(List<SparkListenerEvent> events, int executors) {
    List<GraphRunStarted> started = of(events, GraphRunStarted.class);
    List<GraphRunEnded> ended = of(events, GraphRunEnded.class);
    assertThat(started).hasSize(3);
    assertThat(ended).hasSize(3);
    assertThat(started)
        .extracting(GraphRunStarted::program)
        .containsExactly(
            org.sparkgpugraph.algorithm.PageRank.class.getName(),
            org.sparkgpugraph.algorithm.Sssp.class.getName(),
            ObservabilityJob.class.getName());
    assertThat(ended)
        .extracting(GraphRunEnded::outcome)
        .containsExactly("MAX_ITERATIONS", "CONVERGED", "FAILED");
    for (int i = 0; i < 3; i++) {
      GraphRunStarted start = started.get(i);
      GraphRunEnded end = ended.get(i);
      assertThat(start.run()).isEqualTo(end.run());
      assertThat(start.engine()).isEqualTo("auto");
      assertThat(start.vertices()).isEqualTo(SIZE);
      assertThat(start.edges()).isEqualTo(2 * SIZE);
      assertThat(start.graphBytes()).isPositive();
      assertThat(start.executors()).isEqualTo(executors);
      assertThat(start.partitions()).isGreaterThan(1);
      assertThat(start.rowBytes()).isPositive();
      assertThat(start.time()).isLessThanOrEqualTo(end.time()).isPositive();
      List<GraphSuperstep> supersteps =
          of(events, GraphSuperstep.class).stream()
              .filter(s -> s.run().equals(start.run()))
              .toList();
      long full = (long) SIZE * (start.partitions() - 1) * start.rowBytes();
      for (GraphSuperstep superstep : supersteps) {
        assertThat(superstep.supersteps()).isEqualTo(1);
        assertThat(superstep.kernel()).isIn("DENSE", "SPARSE");
        assertThat(superstep.fullExchangeBytes()).isEqualTo(superstep.superstep() == 0 ? 0 : full);
        assertThat(superstep.seconds()).isPositive();
      }
      assertThat(supersteps.stream().mapToLong(GraphSuperstep::exchangedBytes).sum())
          .isEqualTo(end.exchangedBytes());
      assertThat(supersteps.stream().mapToLong(GraphSuperstep::edgesEvaluated).sum())
          .isEqualTo(end.edgesEvaluated());
      if (end.outcome().equals("FAILED")) {
        assertThat(end.error()).contains("an edge weight is negative");
        continue;
      }
      checkMemory(events, start, executors);
      assertThat(end.error()).isEmpty();
      assertThat(end.engine()).isEqualTo("cpu");
      assertThat(end.reason()).contains("no usable GPU");
      assertThat(end.seconds()).isPositive();
      assertThat(supersteps)
          .extracting(GraphSuperstep::superstep)
          .containsExactlyElementsOf(IntStream.rangeClosed(0, end.supersteps()).boxed().toList());
    }
    assertThat(ended.get(0).supersteps()).isEqualTo(4);
    assertThat(ended.get(0).exchangedBytes())
        .isPositive()
        .isLessThan(ended.get(0).fullExchangeBytes());
  }

  /** Of executors that are one process, with all edges on its heap. */
  private static void checkMemory(
      List<SparkListenerEvent> events, GraphRunStarted run, int executors) {
    List<GraphRunExecutor> told =
        of(events, GraphRunExecutor.class).stream().filter(e -> e.run().equals(run.run())).toList();
    assertThat(told).hasSize(executors);
    long most = Runtime.getRuntime().maxMemory();
    for (GraphRunExecutor executor : told) {
      ExecutorMemory memory = executor.memory();
      assertThat(memory.executor()).isEqualTo(executor.executor()).startsWith("driver on ");
      assertThat(memory.heap().most()).isEqualTo(most);
      assertThat(memory.heap().forGraphs()).isEqualTo((long) (0.8 * most));
      assertThat(memory.heap().loadPeak()).isBetween(1L << 20, most);
      assertThat(memory.heap().runPeak()).isBetween(1L << 20, most);
      // A row for each vertex and a neighbour for each edge, at least.
      assertThat(memory.edges().onHeap())
          .isBetween(4 * (executor.vertices() + executor.edges()), executor.graphBytes());
      assertThat(memory.edges().offHeap() + memory.edges().mapped()).isZero();
      assertThat(memory.offHeapLimit()).isZero();
      assertThat(memory.diskFree()).isPositive();
    }
  }

  private static void checkStock(List<SparkListenerEvent> events) {
    List<GraphRunStarted> started = of(events, GraphRunStarted.class);
    List<GraphRunEnded> ended = of(events, GraphRunEnded.class);
    assertThat(started).singleElement().matches(s -> s.engine().equals("graphx"));
    assertThat(ended).singleElement().matches(e -> e.engine().equals("graphx"));
    assertThat(ended.get(0).reason()).isEqualTo("the configuration asks for it");
  }
}
