package org.sparkgpugraph.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.TwoHops;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.Warnings;

/** Operators run on one executor graph and on several, and leave nothing behind. */
@Tag("any-spark")
@ExtendWith(SharedSpark.class)
class OperatorJobTest {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);

  private final JavaSparkContext context;
  private final Graph<Double, Double> graphx;
  private final TestGraph<Double, Double> graph;
  private int heldBefore;

  OperatorJobTest(JavaSparkContext context) {
    this.context = context;
    graph =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 5)
            .withAttributes(new Random(5), Random::nextDouble, Random::nextDouble);
    graphx = graph.toGraphx(context, 2, Double.class, Double.class);
  }

  @BeforeEach
  void count() {
    heldBefore = ExecutorRegistry.size();
  }

  @AfterEach
  void nothingIsLeft() {
    // What other tests have left may go meanwhile.
    assertThat(ExecutorRegistry.size())
        .as("graphs, results, runs held")
        .isLessThanOrEqualTo(heldBefore);
  }

  @Test
  void givesTheSameHoweverTheGraphIsHeld() {
    Map<Long, Long> expected = twoHops();
    for (int executors : new int[] {1, 2, 3}) {
      for (int partitions : new int[] {1, 3}) {
        RunOptions spread = CPU.withExecutors(executors).withPartitions(partitions);
        try (ResidentGraph<Double, Double> held =
            GpuPregel.load(graphx, Double.class, Double.class, spread)) {
          try (VertexResult<Long> result = Internals.run(held, new TwoHops(), CPU)) {
            assertThat(result.collectAsMap()).isEqualTo(expected);
            RunReport report = result.report();
            assertThat(report.engine()).isEqualTo("cpu");
            assertThat(report.summary().supersteps()).hasSize(2);
            long bytes = report.summary().supersteps().get(0).boundaryBytes();
            assertThat(bytes > 0).isEqualTo(executors > 1);
          }
        }
        Graph<Long, Double> result =
            GraphXRuns.run(
                OperatorJob.on(
                    GraphXSource.of(graphx, Double.class, Double.class), new TwoHops(), spread));
        Map<Long, Long> collected = new TreeMap<>();
        result
            .vertices()
            .toJavaRDD()
            .collect()
            .forEach(pair -> collected.put((Long) (Object) pair._1(), pair._2()));
        assertThat(collected).isEqualTo(expected);
        result.unpersist(true);
      }
    }
  }

  @Test
  void startsAgainWhenAShardIsLost() {
    try (ResidentGraph<Double, Double> held =
        GpuPregel.load(graphx, Double.class, Double.class, CPU.withExecutors(2))) {
      AtomicInteger lost = new AtomicInteger();
      RunOptions losing =
          CPU.withObserver(
              new RunObserver() {
                @Override
                public void superstepEnded(SuperstepStats stats) {
                  if (stats.superstep() == 0 && lost.getAndIncrement() == 0) {
                    ExecutorRegistry.dropShard(ExecutorRegistry.shards().iterator().next());
                  }
                }
              });
      try (VertexResult<Long> result = Internals.run(held, new TwoHops(), losing)) {
        assertThat(result.collectAsMap()).isEqualTo(twoHops());
        assertThat(lost.get()).as("times that round 0 was done").isEqualTo(2);
      }
    }
  }

  @Test
  void refusesStockGraphX() {
    GraphSource source = GraphXSource.of(graphx, Double.class, Double.class);
    RunOptions stock = RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX);
    OperatorJob job = OperatorJob.on(source, new TwoHops(), stock);
    assertThatThrownBy(() -> GraphXRuns.run(job))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two hops does not run on stock GraphX");
    assertThat(job.explain())
        .isEqualTo(
            "engine: none: the configuration asks for stock GraphX\n"
                + "operator: two hops, no vertex program\n"
                + "! the operator cannot run on stock GraphX because it is no vertex program; unset"
                + " engine and fallback\n");
  }

  @Test
  void explainsInTheWordsOfPrograms() {
    try (ResidentGraph<Double, Double> held =
        GpuPregel.load(
            graphx, Double.class, Double.class, CPU.withExecutors(2).withPartitions(3))) {
      assertThat(Internals.explain(held, new TwoHops(), CPU))
          .startsWith("engine: cpu (")
          .contains("\noperator: two hops, no vertex program\n")
          .containsPattern("\ngraph: [0-9]+ vertices, [0-9]+ edges, 2 executor graphs, 6 part")
          .containsPattern("\nmemory: [0-9]+ bytes of the heap .*, on the first executor\n")
          .endsWith("\nresult: java.lang.Long [LONG], 8 bytes\n");
    }
  }

  @Test
  void tellsTheLogBeforeItRuns() {
    context.setLocalProperty("spark.gpugraph.explain", "all");
    try (Warnings lines = new Warnings(Explanation.class, Level.INFO);
        ResidentGraph<Double, Double> held =
            GpuPregel.load(graphx, Double.class, Double.class, CPU)) {
      Internals.run(held, new TwoHops(), CPU).close();
      GraphSource source = GraphXSource.of(graphx, Double.class, Double.class);
      GraphXRuns.run(OperatorJob.on(source, new TwoHops(), CPU.withPartitions(3))).unpersist(true);
      assertThat(lines.lines()).hasSize(2).allMatch(text -> text.contains("operator: two hops"));
      assertThat(lines.lines().get(0)).contains("memory: ");
      assertThat(lines.lines().get(1)).contains("graph: not loaded yet; 3 partition(s)\nresult: ");
    } finally {
      context.setLocalProperty("spark.gpugraph.explain", null);
    }
  }

  private Map<Long, Long> twoHops() {
    return gathered(gathered(null));
  }

  private Map<Long, Long> gathered(Map<Long, Long> values) {
    Map<Long, Long> sums = new TreeMap<>();
    for (long id : graph.ids()) {
      sums.put(id, 0L);
    }
    for (int e = 0; e < graph.edgeCount(); e++) {
      long source = graph.sources()[e];
      sums.merge(graph.destinations()[e], values == null ? source : values.get(source), Long::sum);
    }
    return sums;
  }
}
