package org.sparkgpugraph.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.Sssp;
import org.sparkgpugraph.files.generate.GeneratedGraph;
import org.sparkgpugraph.files.generate.LatticeGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.SharedSpark;

/** How many supersteps executors run between two exchanges. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class LocalHorizonTest {
  private static final String KEY = "spark.gpugraph.localSupersteps";
  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);

  private final JavaSparkContext context;

  LocalHorizonTest(JavaSparkContext context) {
    this.context = context;
  }

  private static SuperstepStats stats(int number, long active, long edges) {
    return new SuperstepStats(number, KernelChoice.SPARSE, 0, active, edges, 0, new double[0]);
  }

  // ---- the rule -------------------------------------------------------------------------------

  @Test
  void aSettingBoundsTheSuperstepsWhateverTheyWalk() {
    LocalHorizon three = new LocalHorizon(3, 1, 10, 10);
    assertThat(three.allowsAnother(stats(1, 10, 1000))).isTrue();
    assertThat(three.allowsAnother(stats(2, 10, 1000))).isTrue();
    assertThat(three.allowsAnother(stats(3, 10, 1000))).isFalse();
    assertThat(new LocalHorizon(1, 1, 10, 10).allowsAnother(stats(1, 1, 1))).isFalse();
  }

  @Test
  void nothingIsDoneWhenNothingIsActive() {
    assertThat(new LocalHorizon(3, 1, 10, 10).allowsAnother(stats(1, 0, 1))).isFalse();
    assertThat(new LocalHorizon(0, 20, 10, 10).allowsAnother(stats(1, 0, 1))).isFalse();
  }

  @Test
  void theBudgetLeavesTheFirstSuperstepOutAndCountsTheOthersAndTheNext() {
    // 1024 edges and 256 vertices, 4 edges each: 20 before the first exchange.
    LocalHorizon chosen = new LocalHorizon(0, 1, 1024, 256);
    assertThat(chosen.allowsAnother(stats(1, 4, 1_000_000))).isTrue();
    assertThat(chosen.allowsAnother(stats(2, 2, 10))).isTrue();
    assertThat(chosen.allowsAnother(stats(3, 1, 6))).isFalse();
    assertThat(new LocalHorizon(0, 1, 1024, 256).allowsAnother(stats(1, 5, 0))).isFalse();
  }

  @Test
  void theBudgetDoublesWithEveryExchangeAndEnds() {
    assertThat(new LocalHorizon(0, 7, 1024, 256).allowsAnother(stats(1, 256, 0))).isTrue();
    assertThat(new LocalHorizon(0, 6, 1024, 256).allowsAnother(stats(1, 129, 0))).isFalse();
    assertThat(new LocalHorizon(0, 6, 1024, 256).allowsAnother(stats(1, 128, 0))).isTrue();
    for (int exchange : new int[] {20, 21, 1000, Integer.MAX_VALUE}) {
      LocalHorizon late = new LocalHorizon(0, exchange, 1024, 256);
      assertThat(late.allowsAnother(stats(1, 1, 0))).isTrue();
      assertThat(late.allowsAnother(stats(2, 1, (1L << 20) * 10 - 5))).isTrue();
      assertThat(late.allowsAnother(stats(3, 1, 1))).as("exchange %d", exchange).isFalse();
    }
  }

  @Test
  void whatMayBeBegunAtOnceIsWhatIsLeft() {
    LocalHorizon three = new LocalHorizon(3, 1, 10, 10);
    assertThat(three.supersteps()).isEqualTo(3);
    three.allowsAnother(stats(1, 10, 1000));
    assertThat(three.supersteps()).isEqualTo(2);
    LocalHorizon chosen = new LocalHorizon(0, 7, 1024, 256);
    assertThat(chosen.supersteps()).isEqualTo(1);
    chosen.allowsAnother(stats(1, 10, 1000));
    assertThat(chosen.supersteps()).isEqualTo(25);
    chosen.allowsAnother(stats(2, 300, 1000));
    assertThat(chosen.supersteps()).isEqualTo(1);
  }

  @Test
  void aRelaxationWithoutSuperstepsHasWhatIsLeftAndIsTheLast() {
    LocalHorizon chosen = new LocalHorizon(0, 1, 1024, 256);
    assertThat(chosen.work()).isEqualTo(20);
    chosen.allowsAnother(stats(1, 1, 1_000_000));
    chosen.allowsAnother(stats(2, 1, 13));
    assertThat(chosen.work()).isEqualTo(7);
    chosen.allowsAnother(stats(3, 1, 100));
    assertThat(chosen.work()).isZero();
    LocalHorizon three = new LocalHorizon(3, 1, 1024, 256);
    assertThat(three.work()).isEqualTo(2 * 1280);
    three.allowsAnother(stats(1, 1, 1));
    assertThat(three.work()).isEqualTo(1280);
    assertThat(new LocalHorizon(1, 1, 1024, 256).work()).isZero();
    SuperstepStats relaxed = new SuperstepStats(1, KernelChoice.ASYNC, 9, 9, 9, 0, new double[0]);
    assertThat(new LocalHorizon(0, 20, 1024, 256).allowsAnother(relaxed)).isFalse();
    assertThat(new LocalHorizon(3, 1, 1024, 256).allowsAnother(relaxed)).isFalse();
  }

  @Test
  void anExecutorGraphWithoutVerticesOrEdgesIsNoSpecialCase() {
    assertThat(new LocalHorizon(0, 5, 0, 0).allowsAnother(stats(1, 0, 0))).isFalse();
    assertThat(new LocalHorizon(0, 5, 0, 4).allowsAnother(stats(1, 1, 0))).isTrue();
  }

  @Test
  void theReportSaysHowManySuperstepsThereWere() {
    assertThat(LocalHorizon.note(List.of(stats(0, 9, 0)))).isEqualTo("executors exchanged nothing");
    assertThat(LocalHorizon.note(List.of(stats(0, 9, 0), stats(4, 1, 0), stats(5, 0, 0))))
        .isEqualTo(
            "executors exchanged 2 times; before each 1 to 4 local supersteps, 2.5 on average");
  }

  // ---- runs -----------------------------------------------------------------------------------

  /** What a run over two executors did. */
  private record Ran(List<Double> distances, int exchanges, long edges, List<String> notes) {}

  private Ran run(ResidentGraph<?, Double> graph, long source, String setting) {
    return run(graph, source, setting, CPU);
  }

  private Ran run(ResidentGraph<?, Double> graph, long source, String setting, RunOptions options) {
    context.setLocalProperty(KEY, setting);
    try (VertexResult<Double> result = Sssp.run(graph, source, options)) {
      List<SuperstepStats> steps = result.report().summary().supersteps();
      return new Ran(
          List.copyOf(new TreeMap<>(result.collectAsMap()).values()),
          steps.size() - 1,
          steps.stream().mapToLong(SuperstepStats::edgesEvaluated).sum(),
          result.report().notes());
    } finally {
      context.setLocalProperty(KEY, null);
    }
  }

  private ResidentGraph<?, Double> load(GeneratedGraph graph, int executors) {
    return ResidentGraph.load(
        graph.edges(context, 2, true, false), Double.class, CPU.withExecutors(executors));
  }

  @Test
  void aLatticeIsSearchedWithFewExchangesUnlessSettingsSayOtherwise() {
    try (var graph = load(new LatticeGraph(96, 96, 1), 2)) {
      Ran each = run(graph, 0, "1");
      Ran chosen = run(graph, 0, null);
      assertThat(chosen.distances()).isEqualTo(each.distances());
      assertThat(each.exchanges()).isGreaterThan(48);
      assertThat(chosen.exchanges()).isLessThanOrEqualTo(20);
      assertThat(chosen.notes())
          .last()
          .asString()
          .startsWith("executors exchanged " + chosen.exchanges() + " times; before each 1 to ");
      assertThat(each.notes())
          .last()
          .asString()
          .endsWith("1 to 1 local supersteps, 1.0 on average");
    }
  }

  /** On a thread each: several that race pull more often than others, and exchange less for it. */
  @Test
  void anOrderOfPrioritySparesEdgesAndNeedsNoMoreExchanges() {
    context.setLocalProperty(GpuGraphConf.THREADS.key(), "1");
    try (var graph = load(new LatticeGraph(120, 120, 1), 2)) {
      Ran pulled = run(graph, 0, null, CPU.withKernel(KernelChoice.SPARSE));
      Ran relaxed = run(graph, 0, null);
      assertThat(relaxed.distances()).isEqualTo(pulled.distances());
      assertThat(relaxed.exchanges()).isLessThanOrEqualTo(pulled.exchanges());
      assertThat(relaxed.edges()).isLessThan(pulled.edges() * 3 / 4);
    } finally {
      context.setLocalProperty(GpuGraphConf.THREADS.key(), null);
    }
  }

  @Test
  void aGraphOfSmallDiameterIsWalkedHardlyMoreThanWithAnExchangeBehindEverySuperstep() {
    try (var graph = load(new RmatGraph(11, 16, 42), 2)) {
      long source = 0;
      Ran each = run(graph, source, "1");
      while (each.exchanges() < 5) {
        each = run(graph, ++source, "1");
      }
      Ran chosen = run(graph, source, null);
      Ran all = run(graph, source, "1000000");
      assertThat(chosen.distances()).isEqualTo(each.distances());
      assertThat(all.distances()).isEqualTo(each.distances());
      assertThat(chosen.exchanges()).isLessThanOrEqualTo(each.exchanges() + 1);
      assertThat(chosen.edges()).isLessThan(each.edges() * 6 / 5);
      // The test would be idle if running on as long as possible cost nothing either.
      assertThat(all.edges()).isGreaterThan(each.edges() * 6 / 5);
    }
  }

  @Test
  void explainSaysHowFarExecutorsRun() {
    try (var graph = load(new LatticeGraph(4, 4, 1), 2);
        var single = load(new LatticeGraph(4, 4, 1), 1)) {
      assertThat(Sssp.explain(graph, 0, Integer.MAX_VALUE, CPU))
          .contains("runs to local quiescence, or as far as a budget allows")
          .contains("(spark.gpugraph.localSupersteps = 0)");
      context.setLocalProperty(KEY, "7");
      assertThat(Sssp.explain(graph, 0, Integer.MAX_VALUE, CPU))
          .contains("an executor runs at most 7 supersteps (spark.gpugraph.localSupersteps = 7)");
      context.setLocalProperty(KEY, "1");
      assertThat(Sssp.explain(graph, 0, Integer.MAX_VALUE, CPU))
          .contains("an executor runs 1 superstep (spark.gpugraph.localSupersteps = 1)");
      assertThat(Sssp.explain(single, 0, Integer.MAX_VALUE, CPU)).doesNotContain(KEY);
      assertThat(Sssp.explain(graph, 0, 3, CPU)).doesNotContain(KEY);
    } finally {
      context.setLocalProperty(KEY, null);
    }
  }
}
