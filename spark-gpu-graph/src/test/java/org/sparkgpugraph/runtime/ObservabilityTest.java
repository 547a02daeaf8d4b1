package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskKilled;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.util.JsonProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.run.EdgeBytes;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.run.HeapUse;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.conf.ProgressMode;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;
import org.sparkgpugraph.runtime.event.GraphSuperstep;
import org.sparkgpugraph.runtime.observe.ConsoleLine;
import org.sparkgpugraph.runtime.observe.ConsoleProgress;
import org.sparkgpugraph.runtime.observe.LoadProgress;
import org.sparkgpugraph.runtime.observe.MetricsExecutorPlugin;
import org.sparkgpugraph.runtime.observe.RunMetrics;
import org.sparkgpugraph.runtime.observe.RunWatch;
import org.sparkgpugraph.runtime.observe.SuperstepEvents;
import org.sparkgpugraph.testing.JobProcess;
import org.sparkgpugraph.testing.SharedSpark;
import scala.collection.immutable.Nil$;

/** Metrics, events and progress, without Spark but for the first test. */
class ObservabilityTest {
  private long now;

  @Test
  void runsAreInTheEventLogAndInSparksMetrics(@TempDir Path log) throws Exception {
    JobProcess.Ended ended = JobProcess.run(ObservabilityJob.class, log.toString());
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output())
        .contains("plugin: done", "no plugin: done", "stock GraphX: done", "event log: done");
  }

  private static SuperstepStats stats(int superstep, long active, long edges, long bytes) {
    return new SuperstepStats(
            superstep, KernelChoice.DENSE, 7, active, edges, 2_000_000, new double[0])
        .exchanging(3, bytes, ExchangeVolume.NONE);
  }

  @Test
  void everySuperstepIsAnEventUntilTheyAreTooMany() {
    List<GraphSuperstep> posted = new ArrayList<>();
    SuperstepEvents events =
        new SuperstepEvents("run", event -> posted.add((GraphSuperstep) event), () -> now);
    for (int i = 0; i < SuperstepEvents.BURST; i++) {
      events.add(stats(i, 10, 100, 8), 64, 1_000);
    }
    assertThat(posted).hasSize(SuperstepEvents.BURST).allMatch(e -> e.supersteps() == 1);
    assertThat(posted.get(3))
        .isEqualTo(
            new GraphSuperstep(
                "run", 3, 1, "DENSE", 7, 10, 100, 50_000, 3, 8, 64, 0.002, 0.002, 0, 0.002, 1e-6));
    posted.clear();
    // A superstep takes 1 ms, an event may be posted every 10.
    for (int i = 0; i < 1000; i++) {
      now += 1_000_000;
      events.add(stats(SuperstepEvents.BURST + i, 1000 - i, 100, 8), 64, 1_000);
    }
    events.flush();
    assertThat(posted).hasSizeBetween(99, 102);
    assertThat(posted.stream().mapToInt(GraphSuperstep::supersteps).sum()).isEqualTo(1000);
    assertThat(posted.stream().mapToLong(GraphSuperstep::exchangedBytes).sum()).isEqualTo(8000);
    assertThat(posted.stream().mapToLong(GraphSuperstep::fullExchangeBytes).sum())
        .isEqualTo(64_000);
    GraphSuperstep last = posted.get(posted.size() - 1);
    assertThat(last.superstep()).isEqualTo(SuperstepEvents.BURST + 999);
    assertThat(last.activeVertices()).isEqualTo(1);
    events.flush();
    assertThat(posted).last().isSameAs(last);
  }

  /** Logs of earlier versions lack what is new, and those of later ones have more. */
  @Test
  void eventsOfOtherVersionsAreRead() {
    String event = GraphSuperstep.class.getName();
    Object read =
        JsonProtocol.sparkEventFromJson(
            ("{\"Event\":\"%s\",\"run\":\"r\",\"superstep\":5,\"supersteps\":1,\"kernel\":\"SPARSE\","
                    + "\"verticesRun\":3,\"activeVertices\":2,\"edgesEvaluated\":9,\"seconds\":0.5,"
                    + "\"ofTheFuture\":[1]}")
                .formatted(event));
    assertThat(read)
        .isEqualTo(new GraphSuperstep("r", 5, 1, "SPARSE", 3, 2, 9, 0, 0, 0, 0, 0.5, 0, 0, 0, 0));
    Object executor =
        JsonProtocol.sparkEventFromJson(
            "{\"Event\":\"%s\",\"run\":\"r\"}".formatted(GraphRunExecutor.class.getName()));
    assertThat(((GraphRunExecutor) executor).devices()).isEmpty();
    assertThat(((GraphRunExecutor) executor).memory()).isNull();
    GraphRunExecutor told =
        new GraphRunExecutor(
            "r",
            1,
            "3 on h",
            "cuda",
            4,
            5,
            6,
            0.25,
            0.5,
            0.75,
            List.of(new GraphRunExecutor.Device("GPU 0", 7, 8, 1.5)),
            new ExecutorMemory(
                "3 on h", new HeapUse(9, 10, 11, 12), new EdgeBytes(13, 14, 15), 16, 17),
            18);
    String log =
        ("{\"Event\":\"%s\",\"run\":\"r\",\"shard\":1,\"executor\":\"3 on h\",\"engine\":\"cuda\","
                + "\"vertices\":4,\"edges\":5,\"graphBytes\":6,\"transferSeconds\":0.25,"
                + "\"kernelSeconds\":0.5,\"exchangeSeconds\":0.75,\"devices\":[{\"name\":\"GPU 0\","
                + "\"totalBytes\":7,\"heldBytes\":8,\"kernelSeconds\":1.5}],\"memory\":{"
                + "\"executor\":\"3 on h\",\"heap\":{\"most\":9,\"forGraphs\":10,\"loadPeak\":11,"
                + "\"runPeak\":12},\"edges\":{\"onHeap\":13,\"offHeap\":14,\"mapped\":15},"
                + "\"offHeapLimit\":16,\"diskFree\":17},\"time\":18}")
            .formatted(GraphRunExecutor.class.getName());
    assertThat(JsonProtocol.sparkEventFromJson(log)).isEqualTo(told);
  }

  /** A long run neither floods Spark's queues nor fills its log. */
  @Test
  void aHundredThousandSuperstepsAreAFewThousandEvents() {
    List<GraphSuperstep> posted = new ArrayList<>();
    SuperstepEvents events =
        new SuperstepEvents("run", event -> posted.add((GraphSuperstep) event), () -> now);
    for (int i = 0; i < 100_000; i++) {
      now += 15_000_000;
      events.add(stats(i, 10, 100, 8), 64, 0);
    }
    events.flush();
    assertThat(posted).hasSizeBetween(SuperstepEvents.FREE, 7000);
    assertThat(posted.stream().mapToInt(GraphSuperstep::supersteps).sum()).isEqualTo(100_000);
    assertThat(posted.stream().mapToInt(GraphSuperstep::supersteps).max().orElseThrow())
        .isBetween(90, 110);
    // Slow supersteps are told one by one, or nobody could follow them.
    posted.clear();
    for (int i = 100_000; i < 100_010; i++) {
      now += 11_000_000_000L;
      events.add(stats(i, 10, 100, 8), 64, 0);
    }
    assertThat(posted).hasSize(10);
  }

  @Test
  void aRunThatStartsAgainIsNotAddedUpWithWhatItDidBefore() {
    List<GraphSuperstep> posted = new ArrayList<>();
    SuperstepEvents events =
        new SuperstepEvents("run", event -> posted.add((GraphSuperstep) event), () -> now);
    for (int i = 0; i < SuperstepEvents.BURST + 5; i++) {
      events.add(stats(i, 10, 100, 8), 64, 1_000);
    }
    posted.clear();
    events.add(stats(0, 10, 100, 8), 0, 1_000);
    assertThat(posted).singleElement().matches(e -> e.supersteps() == 5);
    events.flush();
    assertThat(posted).last().matches(e -> e.superstep() == 0 && e.supersteps() == 1);
  }

  @Test
  void metricsAddUpOverRunsAndForgetWhatIsActiveWhenTheyEnd() {
    RunMetrics metrics = new RunMetrics();
    MetricRegistry registry = new MetricRegistry();
    metrics.register(registry, "p.");
    try (RunMetrics.Meter one = metrics.begin();
        RunMetrics.Meter two = metrics.begin()) {
      one.superstep(stats(1, 10, 100, 8), 64, 3_000_000);
      two.superstep(stats(1, 5, 400, 8), 64, 1_500_000);
      one.superstep(stats(2, 4, 100, 0), 64, 1_000_000);
      two.fail();
      assertThat(value(registry, "p.activeVertices")).isEqualTo(9);
      assertThat(value(registry, "p.runsRunning")).isEqualTo(2);
      assertThat(value(registry, "p.edgesPerSecond")).isEqualTo(50_000);
    }
    assertThat(value(registry, "p.activeVertices")).isZero();
    assertThat(value(registry, "p.runsRunning")).isZero();
    assertThat(value(registry, "p.runsStarted")).isEqualTo(2);
    assertThat(value(registry, "p.runsFailed")).isEqualTo(1);
    assertThat(value(registry, "p.supersteps")).isEqualTo(3);
    assertThat(value(registry, "p.edgesEvaluated")).isEqualTo(600);
    assertThat(value(registry, "p.boundaryUpdates")).isEqualTo(9);
    assertThat(value(registry, "p.exchangedBytes")).isEqualTo(16);
    assertThat(value(registry, "p.fullExchangeBytes")).isEqualTo(192);
    assertThat(value(registry, "p.kernelMillis")).isEqualTo(5);
  }

  private static double value(MetricRegistry registry, String name) {
    Gauge<?> gauge = registry.getGauges().get(name);
    assertThat(gauge).as(name).isNotNull();
    return ((Number) gauge.getValue()).doubleValue();
  }

  private static ConsoleProgress progress(
      ByteArrayOutputStream text, boolean rewrite, String name, int most, LongSupplier clock) {
    PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
    return new ConsoleProgress(
        new ConsoleLine(out, rewrite, 200, true, text, () -> {}), name, most, clock);
  }

  @Test
  void progressOfABoundedRunSaysHowFarItIsAndWhatIsLeft() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    ConsoleProgress progress = progress(text, false, "PageRank", 100, () -> now);
    for (int i = 1; i <= 60; i++) {
      now += 100_000_000;
      progress.superstepEnded(stats(i, 60 - i, 1000, 0));
    }
    assertThat(text.toString(StandardCharsets.UTF_8).lines())
        .element(1)
        .isEqualTo(
            "PageRank: [####------] superstep 40 of 100, 20 active vertices, 500.0 k edges/s,"
                + " 6 s left ████▇▇▇▇▆▆▆▆▅▅▅▄▄▄▄▃");
  }

  @Test
  void aLineIsNoLongerThanTheTerminalIsWide() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    ConsoleLine line =
        new ConsoleLine(
            new PrintStream(text, true, StandardCharsets.UTF_8), true, 72, false, text, () -> {});
    ConsoleProgress progress = new ConsoleProgress(line, "PageRank", 100, () -> now);
    now += 600_000_000;
    for (int i = 1; i <= 9; i++) {
      now += 200_000_000;
      progress.superstepEnded(stats(i, 1_000_000_000L * i, 1000, 0));
    }
    String[] shown = text.toString(StandardCharsets.UTF_8).split("\r");
    assertThat(shown).hasSize(10).allMatch(one -> one.length() <= 71);
    assertThat(shown[9]).startsWith("PageRank: [----------] superstep 9 of 100, 9,000,000,000 act");
    // A short one has room for the trend, in ASCII here.
    text.reset();
    ConsoleProgress shorter = new ConsoleProgress(line, "Bfs", Integer.MAX_VALUE, () -> now);
    now += 600_000_000;
    shorter.superstepEnded(stats(1, 0, 1000, 0));
    shorter.superstepEnded(stats(2, 3, 1000, 0));
    now += 600_000_000;
    shorter.superstepEnded(stats(3, 9, 1000, 0));
    assertThat(text.toString(StandardCharsets.UTF_8).strip())
        .endsWith("Bfs: superstep 3, 9 active vertices, 500.0 k edges/s  :#");
  }

  /** A bar that rewrites its line from a thread of its own, as Spark's does. */
  @Test
  void sparksOwnBarIsNotTorn() throws Exception {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
    Object bar = new Object();
    Runnable clear = () -> out.print("\r" + " ".repeat(20) + "\r");
    AtomicBoolean done = new AtomicBoolean();
    Thread spark =
        new Thread(
            () -> {
              while (!done.get()) {
                synchronized (bar) {
                  out.print("\r[Stage 1:");
                  Thread.yield();
                  out.print("====> (1 + 1)]");
                }
              }
            });
    spark.start();
    try {
      ConsoleLine line = new ConsoleLine(out, false, 80, true, bar, clear);
      ConsoleProgress progress =
          new ConsoleProgress(line, "Bfs", Integer.MAX_VALUE, () -> now += 2_000_000_000L);
      for (int i = 1; i <= 200; i++) {
        progress.superstepEnded(stats(i, 0, 1000, 0));
      }
    } finally {
      done.set(true);
      spark.join();
    }
    String[] lines = text.toString(StandardCharsets.UTF_8).split("\n");
    assertThat(lines).hasSizeBetween(200, 201);
    for (int i = 0; i < 200; i++) {
      // What a reader sees: all behind the last return.
      assertThat(lines[i].substring(lines[i].lastIndexOf('\r') + 1))
          .matches("Bfs: superstep [\\d,]+, 0 active vertices, .*");
    }
  }

  @Test
  void aLoadThatTookLongIsToldWithItsRate() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (ConsoleProgress progress = progress(text, false, "load", Integer.MAX_VALUE, () -> now)) {
      now += 1_000_000_000;
      progress.loaded(10, 20);
      assertThat(text.size()).isZero();
      now += 3_000_000_000L;
      progress.loaded(1_000_000, 20_000_000);
    }
    assertThat(text.toString(StandardCharsets.UTF_8).strip())
        .isEqualTo("load: 1,000,000 vertices and 20,000,000 edges in 4.00 s, 5.0 M edges/s");
  }

  /** Spark's UI shows what each job does. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void jobsOfALoadAreNamed(int executors) throws Exception {
    JavaSparkContext context = SharedSpark.context();
    List<String> names = Collections.synchronizedList(new ArrayList<>());
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart start) {
            names.add(String.valueOf(start.properties().get("spark.job.description")));
          }
        };
    context.sc().addSparkListener(listener);
    try {
      JavaRDD<EdgeBlock> edges =
          context.parallelize(
              List.of(
                  new GlobalEdgeBlock(3, new long[] {1, 2, 3}, new long[] {2, 3, 1}, null),
                  new GlobalEdgeBlock(1, new long[] {4}, new long[] {1}, null)),
              2);
      try (ResidentGraph<Object, Object> graph =
          GpuPregel.load(edges, Object.class, RunOptions.DEFAULT.withExecutors(executors))) {
        assertThat(graph.edgeCount()).isEqualTo(4);
      }
      context.sc().listenerBus().waitUntilEmpty();
    } finally {
      context.sc().removeSparkListener(listener);
    }
    assertThat(names).isNotEmpty().doesNotContain("null");
    assertThat(names)
        .filteredOn(name -> name.startsWith("load: "))
        .hasSizeGreaterThanOrEqualTo(2)
        .anyMatch(name -> name.startsWith("load: reading edges"));
  }

  @Test
  void progressRewritesOneLineOfATerminalAndRemovesIt() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    ConsoleProgress progress = progress(text, true, "PageRank", Integer.MAX_VALUE, () -> now);
    now += 400_000_000;
    progress.superstepEnded(stats(1, 2_000_000, 100_000, 0));
    assertThat(text.toString(StandardCharsets.UTF_8)).as("short runs show nothing").isEmpty();
    now += 100_000_000;
    progress.superstepEnded(stats(2, 2_000_000, 100_000, 0));
    String line = "PageRank: superstep 2, 2,000,000 active vertices, 50.0 M edges/s ██";
    assertThat(text.toString(StandardCharsets.UTF_8)).isEqualTo("\r" + line);
    text.reset();
    now += 200_000_000;
    progress.superstepEnded(stats(3, 9, 2_000, 0));
    String shorter = "PageRank: superstep 3, 9 active vertices, 1.0 M edges/s ██▁";
    assertThat(text.toString(StandardCharsets.UTF_8))
        .isEqualTo("\r" + shorter + " ".repeat(line.length() - shorter.length()));
    text.reset();
    progress.close();
    assertThat(text.toString(StandardCharsets.UTF_8))
        .isEqualTo("\r" + " ".repeat(shorter.length()) + "\r");
  }

  @Test
  void progressIsALineNowAndThenElsewhere() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (ConsoleProgress progress = progress(text, false, "Bfs", Integer.MAX_VALUE, () -> now)) {
      for (int i = 1; i <= 50; i++) {
        now += 100_000_000;
        progress.superstepEnded(stats(i, i, 1000, 0));
      }
    }
    assertThat(text.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "Bfs: superstep 20, 20 active vertices, 500.0 k edges/s ▁▁▂▂▂▃▃▄▄▄▅▅▆▆▆▇▇███",
            "Bfs: superstep 40, 40 active vertices, 500.0 k edges/s ▁▁▂▂▂▃▃▄▄▄▅▅▆▆▆▇▇███");
    assertThat(ConsoleProgress.of(ProgressMode.FALSE, "Bfs", 9, null)).isNull();
    assertThat(ConsoleProgress.of(ProgressMode.TRUE, "Bfs", 9, null)).isNotNull();
  }

  @Test
  void progressShowsHowFarALoadIs() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (ConsoleProgress progress = progress(text, false, "load", Integer.MAX_VALUE, () -> now)) {
      progress.loading(0, 8, 1_000_000);
      now += 2_000_000_000;
      progress.loading(3, 8, 5_000_000);
      progress.loading(3, 8, 5_100_000);
      now += 2_000_000_000;
      progress.step("making rows of 20,000,000 edges");
    }
    assertThat(text.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "load: [###-------] reading edges, 3 of 8 tasks done, 5,000,000 edges, 2.5 M edges/s,"
                + " 3 s left",
            "load: making rows of 20,000,000 edges");
  }

  /** With a task each, in this JVM as with a local master, then as tasks elsewhere tell it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tasksThatReadTellHowFarTheyAre(boolean local) {
    JavaSparkContext context = SharedSpark.context();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    AtomicLong time = new AtomicLong();
    ConsoleProgress console =
        progress(text, false, "load", Integer.MAX_VALUE, () -> time.addAndGet(2_000_000_000L));
    try (LoadProgress.Watch watch =
        LoadProgress.begin(context.sc(), "app/graph", 3, local, console)) {
      LoadProgress counter = watch.counter();
      context
          .parallelize(List.of(10, 20, 0), 3)
          .foreachPartition(
              some -> {
                counter.begun();
                some.forEachRemaining(edges -> counter.edges(edges));
              });
    }
    List<String> lines = text.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).last().isEqualTo("load: making rows of 30 edges");
    assertThat(lines)
        .anyMatch(line -> line.startsWith("load: [######----] reading edges, 2 of 3 tasks done, "));
    // Tasks in this JVM tell of each block.
    assertThat(lines).hasSize(local ? 6 : 3);
  }

  @Test
  void theEndOfALongRunIsToldWithItsParts() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (ConsoleProgress progress =
        progress(text, false, "PageRank", Integer.MAX_VALUE, () -> now)) {
      progress.ended(report(0.1));
      assertThat(text.toString(StandardCharsets.UTF_8)).as("short runs show nothing").isEmpty();
      progress.ended(report(1.5));
    }
    assertThat(text.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "PageRank: 2.30 s in all: lift 0.05 s, load 1.50 s, run 0.50 s, collect 0.25 s");
  }

  private static RunReport report(double load) {
    return new RunReport(
        "cpu", "", null, 0.05, load, 0.5, 0, 0.4, 0.25, 10, 20, 0, List.of(), List.of());
  }

  @Test
  void aProgramIsNamedByTheClassItWasWrittenIn() {
    Runnable lambda = () -> {};
    assertThat(RunWatch.programName(lambda)).isEqualTo(ObservabilityTest.class.getName());
    assertThat(RunWatch.programName(new ArrayList<>())).isEqualTo("java.util.ArrayList");
  }

  @Test
  void anExecutorEndsWhenItsGpuIsLostAndForNothingElse() {
    AtomicInteger exits = new AtomicInteger();
    MetricsExecutorPlugin plugin = new MetricsExecutorPlugin(exits::incrementAndGet);
    Throwable lost =
        new IllegalStateException(
            new DeviceLostException("superstep 3 on GPU 0", "CUDA_ERROR_ILLEGAL_ADDRESS"));
    // Without an executor's context: a local master.
    plugin.onTaskFailed(failure(lost));
    assertThat(exits).hasValue(0);
    plugin.init(new Context("1"), Map.of());
    try {
      plugin.onTaskFailed(failure(new IllegalStateException("an edge weight is negative")));
      plugin.onTaskFailed(new TaskKilled("cancelled", none(), none(), none()));
      assertThat(exits).hasValue(0);
      plugin.onTaskFailed(failure(lost));
      assertThat(exits).hasValue(1);
    } finally {
      plugin.shutdown();
    }
  }

  private static ExceptionFailure failure(Throwable error) {
    return new ExceptionFailure(error, none());
  }

  /** Scala's empty list, which is a Seq of either Scala line. */
  @SuppressWarnings("unchecked")
  private static <T> scala.collection.immutable.List<T> none() {
    return (scala.collection.immutable.List<T>) (Object) Nil$.MODULE$;
  }

  /** What Spark gives a plugin. */
  private record Context(String executorID) implements PluginContext {
    @Override
    public MetricRegistry metricRegistry() {
      return new MetricRegistry();
    }

    @Override
    public SparkConf conf() {
      return new SparkConf(false);
    }

    @Override
    public String hostname() {
      return "localhost";
    }

    @Override
    public Map<String, ResourceInformation> resources() {
      return Map.of();
    }

    @Override
    public void send(Object message) {}

    @Override
    public Object ask(Object message) {
      return null;
    }
  }
}
