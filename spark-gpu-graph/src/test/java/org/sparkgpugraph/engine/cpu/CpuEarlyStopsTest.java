package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SpreadingCase;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.cpu.frame.MessageKey;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/** Supersteps whose rows stop early on the CPU engine: the values are those of Pregel. */
@Tag("any-spark")
class CpuEarlyStopsTest {
  private final CpuEngine engine = new CpuEngine(-1, false);

  private List<SuperstepStats> run(
      SpreadingCase program, SimpleGraph graph, Columns values, int threads, List<String> notes) {
    RunSettings settings = program.settings(threads);
    IrPregelOracle oracle = IrPregelOracle.ended(graph, program.program(), values, settings);
    List<SuperstepStats> steps = new ArrayList<>();
    try (EngineRun run = engine.open(graph, program.program(), graph.split(values), settings)) {
      SuperstepLoop.run("cpu", run, settings, graph.ids.length, List.of(), steps::add);
      oracle.check(run, program.name());
      run.notes().stream().filter(note -> note.startsWith("rows stopped")).forEach(notes::add);
    }
    return steps;
  }

  /** Runs that pull and, where rows by source are there, runs that push. */
  @Test
  void valuesAreThoseOfASequentialPregel() {
    int seed = 0;
    int pushed = 0;
    for (SpreadingCase program : SpreadingCase.programs()) {
      List<String> notes = new ArrayList<>();
      for (int which = 0; which < SpreadingCase.GRAPHS; which++) {
        Random random = new Random(++seed);
        SimpleGraph graph = SpreadingCase.graph(which, random);
        for (int threads = 1; threads <= 4; threads += 3) {
          int before = notes.size();
          List<SuperstepStats> steps =
              run(program, graph, program.values(graph, random), threads, notes);
          boolean pushes = steps.stream().anyMatch(s -> s.kernel() == KernelChoice.PUSH);
          pushed += pushes && notes.size() > before ? 1 : 0;
          graph.withTransposes();
        }
      }
      assertThat(notes.isEmpty()).as(program.name()).isEqualTo(!program.stops());
    }
    assertThat(pushed).as("runs that push and stop").isPositive();
  }

  /** A search that reaches most vertices in one superstep evaluates few of the edges. */
  @Test
  void rowsThatHeardTheBoundAreNotWalkedFurther() {
    int n = 4000;
    Random random = new Random(3);
    List<int[]> edges = new ArrayList<>();
    // In place, one thread would reach all in one superstep if rows came behind their neighbours'.
    for (int v = 0; v < n / 2; v++) {
      for (int e = 0; e < 60; e++) {
        edges.add(new int[] {n / 2 + random.nextInt(n / 2 - 1), v});
      }
    }
    for (int v = n / 2; v < n - 1; v++) {
      edges.add(new int[] {n - 1, v});
    }
    SimpleGraph graph = SpreadingCase.graph(n, edges);
    SpreadingCase levels = SpreadingCase.programs().get(0);
    Columns values =
        SpreadingCase.column(Kind.INT, n, Integer.MAX_VALUE, v -> v == n - 1 ? 0 : Double.NaN);
    List<SuperstepStats> steps = run(levels, graph, values, 1, new ArrayList<>());
    // The first superstep looks at all edges.
    assertThat(steps.stream().skip(2).mapToLong(SuperstepStats::edgesEvaluated).sum())
        .isPositive()
        .isLessThan(edges.size() / 10);
  }

  /** Two hubs, of which one is reached anew while several threads push along its row. */
  @Test
  void aSearchPushesItsFirstVerticesInParts() {
    int leaves = 40_000;
    int other = leaves + 1;
    int n = 2 * leaves + 2;
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < leaves; v++) {
      edges.add(new int[] {leaves, v});
      edges.add(new int[] {other, other + 1 + v});
    }
    edges.add(new int[] {leaves, other});
    SimpleGraph graph = SpreadingCase.graph(n, edges).withTransposes();
    Columns values =
        SpreadingCase.column(
            Kind.INT,
            n,
            Integer.MAX_VALUE,
            v -> v == leaves ? 0 : v == other || v == n - 1 ? 5 : Double.NaN);
    List<SuperstepStats> steps =
        run(SpreadingCase.of("levels"), graph, values, 4, new ArrayList<>());
    assertThat(steps.get(1).kernel()).isEqualTo(KernelChoice.PUSH);
    // Most of the three that say something do not say the best, and nobody else says anything.
    assertThat(steps.get(1).edgesEvaluated()).isEqualTo(edges.size());
  }

  /** Some ranges of vertices, which tell that most of all speak, have no value that is so bad. */
  @Test
  void whatASampleSaysOfTheWorstValueHoldsOfTheSampleOnly() {
    int range = VertexBitmap.SUMMARY_SPAN;
    int n = 10 * range;
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < 2000; v++) {
      edges.add(new int[] {2 * range + 2 * v + 1, range + 2000 + v});
      edges.add(new int[] {range + 2000 + v, range + v});
    }
    SimpleGraph graph = SpreadingCase.graph(n, edges).withTransposes();
    Columns values =
        SpreadingCase.column(
            Kind.INT,
            n,
            Integer.MAX_VALUE,
            v -> v / range == 1 ? Double.NaN : v % 2 == 0 ? 0 : 1000);
    run(SpreadingCase.of("levels"), graph, values, 1, new ArrayList<>());
  }

  /** In place, rows behind each other would take as many supersteps as there are. */
  @Test
  void aLongWayDoesNotGoLevelByLevel() {
    int n = 3000;
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < n - 1; v++) {
      edges.add(new int[] {v, v + 1});
    }
    SimpleGraph graph = SpreadingCase.graph(n, edges).withTransposes();
    Columns values =
        SpreadingCase.column(Kind.INT, n, Integer.MAX_VALUE, v -> v == 0 ? 0 : Double.NaN);
    List<SuperstepStats> steps =
        run(SpreadingCase.of("levels"), graph, values, 1, new ArrayList<>());
    assertThat(steps).hasSizeBetween(10, 25);
  }

  /** Without a neutral element there is nothing in a row's message before the first one came. */
  @Test
  void aRowStopsAtAMessageThatCame() {
    int k = 100;
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < k; v++) {
      edges.add(new int[] {k + v, v});
      edges.add(new int[] {2 * k + v, v});
      edges.add(new int[] {3 * k, k + v});
      edges.add(new int[] {3 * k + 1, 2 * k + v});
    }
    SimpleGraph graph = SpreadingCase.graph(3 * k + 2, edges);
    Columns values =
        SpreadingCase.column(
            Kind.INT,
            3 * k + 2,
            Integer.MAX_VALUE,
            v -> v < k || v == 3 * k ? 5 : v == 3 * k + 1 ? 2 : Double.NaN);
    List<String> notes = new ArrayList<>();
    run(SpreadingCase.of("levels by a branch"), graph, values, 1, notes);
    assertThat(notes).isNotEmpty();
  }

  @Test
  void keysHaveTheOrderOfMinAndMax() {
    double[] ascending = {
      Double.NEGATIVE_INFINITY,
      -Double.MAX_VALUE,
      -1,
      -Double.MIN_VALUE,
      -0.0,
      0.0,
      1e-300,
      7,
      Double.POSITIVE_INFINITY
    };
    for (int i = 1; i < ascending.length; i++) {
      double less = ascending[i - 1];
      double more = ascending[i];
      assertThat(MessageKey.ofMost(less)).isLessThan(MessageKey.ofMost(more));
      assertThat(MessageKey.ofLeast(less)).isGreaterThan(MessageKey.ofLeast(more));
      if (less != (float) more) {
        assertThat(MessageKey.ofMost((float) less))
            .isLessThanOrEqualTo(MessageKey.ofMost((float) more));
      }
    }
    assertThat(MessageKey.ofLeast(-0.0f)).isGreaterThan(MessageKey.ofLeast(0.0f));
    assertThat(MessageKey.ofLeast(Integer.MIN_VALUE))
        .isGreaterThan(MessageKey.ofLeast(Integer.MAX_VALUE));
    assertThat(MessageKey.ofMost(Long.MAX_VALUE)).isGreaterThan(MessageKey.ofMost(-5L));
    assertThat(MessageKey.ofLeast(5L)).isGreaterThan(MessageKey.NONE);
  }

  @Test
  void keysGiveTheirValuesBack() {
    for (double value : new double[] {Double.NEGATIVE_INFINITY, -2.5, -0.0, 0.0, 1e-30, 3}) {
      assertThat(MessageKey.doubleOfMost(MessageKey.ofMost(value))).isEqualTo(value);
      assertThat(MessageKey.doubleOfLeast(MessageKey.ofLeast(value))).isEqualTo(value);
      float narrow = (float) value;
      assertThat(MessageKey.floatOfMost(MessageKey.ofMost(narrow))).isEqualTo(narrow);
      assertThat(MessageKey.floatOfLeast(MessageKey.ofLeast(narrow))).isEqualTo(narrow);
    }
    for (long value : new long[] {Long.MIN_VALUE, Integer.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
      assertThat(MessageKey.longOfMost(MessageKey.ofMost(value))).isEqualTo(value);
      assertThat(MessageKey.longOfLeast(MessageKey.ofLeast(value))).isEqualTo(value);
      int narrow = (int) value;
      assertThat(MessageKey.intOfMost(MessageKey.ofMost(narrow))).isEqualTo(narrow);
      assertThat(MessageKey.intOfLeast(MessageKey.ofLeast(narrow))).isEqualTo(narrow);
    }
  }

  @Test
  void aKeyIsBelowAnother() {
    long[] keys = {Long.MIN_VALUE, -5, 0, 1, Long.MAX_VALUE};
    for (long key : keys) {
      for (long other : keys) {
        assertThat(MessageKey.isBelow(key, other)).isEqualTo(key < other ? 1 : 0);
      }
    }
  }
}
