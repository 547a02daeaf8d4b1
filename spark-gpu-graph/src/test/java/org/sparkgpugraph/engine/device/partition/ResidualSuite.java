package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.sparkgpugraph.engine.device.partition.ResidualPrograms.DAMPING;
import static org.sparkgpugraph.engine.device.partition.ResidualPrograms.PAGE_RANK;
import static org.sparkgpugraph.run.KernelChoice.ASYNC;
import static org.sparkgpugraph.run.KernelChoice.AUTO;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.partition.ResidualPrograms.Form;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Residuals without supersteps, on any device. What is left of the equation is held against the
 * bound: no vertex keeps more than the tolerance, of which its out-edges lack DAMPING times that.
 */
abstract class ResidualSuite {
  /** What floating point adds to the bound, for each vertex: a few units of its value. */
  private static final double ROUNDING = 1e-12;

  private static final double FLOAT_ROUNDING = 1e-4;

  abstract Device openDevice(int seed);

  /** Degrees around the sizes of warps and items, loops, parallel edges, ends without edges. */
  @Test
  void whatIsLeftIsWithinTheBound() {
    int seed = 0;
    for (Form form : ResidualPrograms.FORMS) {
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              new DeviceEngine("emulated", device, AsyncSuite.device(AsyncSuite.SMALL))) {
        for (double tolerance : new double[] {0.2, 1e-2, 1e-4}) {
          Random random = new Random(seed++);
          SimpleGraph graph =
              seed % 2 == 1
                  ? RandomSimpleGraphs.degrees(random, 1000, -400)
                  : RandomSimpleGraphs.of(random, 1 + random.nextInt(300), 3, true, false, 1);
          check(engine, form, form.absolute(), tolerance, graph, "seed " + (seed - 1));
        }
      }
    }
  }

  /** Against a direct solution: the error is the residual's, multiplied by at most 1 / (1 − c). */
  @Test
  void valuesAreAsNearToTheExactOnesAsPromised() {
    double tolerance = 1e-3;
    SimpleGraph graph = RandomSimpleGraphs.of(new Random(5), 250, 4, true, false, 1);
    try (Device device = openDevice(5);
        DeviceEngine engine =
            new DeviceEngine("emulated", device, AsyncSuite.device(AsyncSuite.SMALL))) {
      Ran ran = check(engine, PAGE_RANK, false, tolerance, graph, "seed 5");
      double[] exact = ResidualPrograms.exact(graph, PAGE_RANK, ran.values());
      double error = 0;
      for (int v = 0; v < exact.length; v++) {
        double value = ResidualPrograms.number(ran.values(), 0, v);
        assertThat(value).as("vertex " + v).isLessThan(exact[v] + ROUNDING);
        error += exact[v] - value;
      }
      double bound = DAMPING / (1 - DAMPING) * tolerance * exact.length;
      assertThat(error).isPositive().isLessThan(bound);
    }
  }

  /**
   * Supersteps leave out what is within the tolerance each time, this once: they would have to go
   * on for as good values. Sums that wait are said in one message for several.
   */
  @Test
  void itIsLessWorkThanSuperstepsForValuesAsGood() {
    double tolerance = 1e-2;
    SimpleGraph graph = RandomSimpleGraphs.of(new Random(7), 2000, 4, true, false, 1);
    AsyncSettings how = AsyncSuite.SMALL.withBlocks(2).withPool(5, 1 << 20);
    try (Device device = openDevice(7);
        DeviceEngine engine = new DeviceEngine("emulated", device, AsyncSuite.device(how))) {
      Ran steps = run(engine, PAGE_RANK, false, tolerance / 3, graph, AUTO);
      Ran none = check(engine, PAGE_RANK, false, tolerance, graph, "seed 7");
      assertThat(none.edges()).isLessThan(steps.edges());
      assertThat(ResidualPrograms.residual(graph, PAGE_RANK, none.values()))
          .isLessThan(ResidualPrograms.residual(graph, PAGE_RANK, steps.values()));
    }
  }

  /** One edge says something, which is within the tolerance where it arrives. */
  @Test
  void whatIsWithinTheToleranceIsAdded() {
    try (Device device = openDevice(0);
        DeviceEngine engine =
            new DeviceEngine("emulated", device, AsyncSuite.device(AsyncSuite.SMALL))) {
      checkEdge(engine);
    }
  }

  static void checkEdge(DeviceEngine engine) {
    SimpleGraph edge = new SimpleGraph(new long[] {3, 5}, null, new int[] {0}, new int[] {1}, null);
    Columns values = check(engine, PAGE_RANK, false, 0.14, edge, "one edge").values();
    assertThat(ResidualPrograms.number(values, 0, 1)).isCloseTo(0.15 * 1.85, within(ROUNDING));
  }

  /** A pool of a few blocks, of which a hub's parts and what they reach take all. */
  @Test
  void whatAFullPoolDoesNotTakeIsNotLost() {
    SimpleGraph graph = RandomSimpleGraphs.of(new Random(1), 2000, 4, true, false, 1);
    AsyncSettings how = AsyncSuite.SMALL.withBlocks(2);
    try (Device device = openDevice(1);
        DeviceEngine engine = new DeviceEngine("emulated", device, AsyncSuite.device(how))) {
      Ran ran = check(engine, PAGE_RANK, false, 1e-2, graph, "seed 1");
      assertThat(ran.steps().size()).as("launches").isGreaterThan(2);
    }
  }

  /** Buckets take 10 MB: where these are not there supersteps push by the same additions. */
  @Test
  void whereThereIsNoRoomForBucketsSuperstepsPush() {
    SimpleGraph graph = RandomSimpleGraphs.of(new Random(3), 500, 4, true, false, 1);
    try (Device device = openDevice(3);
        DeviceEngine wide =
            new DeviceEngine("emulated", device, AsyncSuite.device(AsyncSuite.SMALL));
        DeviceEngine narrow =
            new DeviceEngine(
                "emulated",
                DeviceProxies.limited(device, 2 << 20),
                AsyncSuite.device(AsyncSettings.DEFAULT))) {
      Ran gathered = run(wide, PAGE_RANK, false, 1e-3, graph, AUTO);
      Ran pushed = run(narrow, PAGE_RANK, false, 1e-3, graph, ASYNC);
      assertThat(pushed.steps().get(2).kernel()).isEqualTo(KernelChoice.OUTLINED);
      for (int v = 0; v < graph.ids.length; v++) {
        assertThat(ResidualPrograms.number(pushed.values(), 0, v))
            .as("vertex " + v)
            .isCloseTo(ResidualPrograms.number(gathered.values(), 0, v), within(ROUNDING * 1000));
      }
    }
  }

  /** Of a program that says on what is above a tolerance negative messages have no bound. */
  @Test
  void aResidualThatShrinksIsRefusedWhereOnlyItsSizeWouldDo() {
    SimpleGraph graph = RandomSimpleGraphs.of(new Random(2), 100, 4, true, false, 1);
    try (Device device = openDevice(2);
        DeviceEngine engine =
            new DeviceEngine("emulated", device, AsyncSuite.device(AsyncSuite.SMALL))) {
      assertThatThrownBy(() -> run(engine, PAGE_RANK, true, 1e-3, graph, ASYNC))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("Math.abs");
    }
  }

  /** What it does and why not is told before it runs. */
  @Test
  void explainSaysWhetherAndWhyNot() {
    try (Device device = openDevice(0);
        DeviceEngine engine =
            new DeviceEngine("emulated", device, AsyncSuite.device(AsyncSuite.SMALL))) {
      assertThat(
              engine.describe(
                  ResidualPrograms.of(PAGE_RANK, 1e-3).program(),
                  ResidualPrograms.settings(PAGE_RANK, ASYNC)))
          .contains("residuals into slots", "asynchronously, first come, first served (forced)");
      assertThat(
              engine.describe(
                  ResidualPrograms.of(PAGE_RANK, 1e-3).program(),
                  ResidualPrograms.settings(PAGE_RANK, AUTO)))
          .doesNotContain("asynchronously");
      assertThat(
              engine.describe(
                  IrPrograms.pageRank(false, DAMPING).program(),
                  ResidualPrograms.settings(PAGE_RANK, ASYNC)))
          .contains("not by residuals either: no value grows by what is sent");
    }
  }

  /**
   * A run.
   *
   * @param values at its end
   */
  record Ran(Columns values, List<SuperstepStats> steps) {
    long edges() {
      return steps.stream().mapToLong(SuperstepStats::edgesEvaluated).sum();
    }
  }

  static Ran check(
      DeviceEngine engine,
      Form form,
      boolean signed,
      double tolerance,
      SimpleGraph graph,
      String what) {
    Ran ran = run(engine, form, signed, tolerance, graph, ASYNC);
    for (SuperstepStats step :
        ran.steps().subList(Math.min(2, ran.steps().size()), ran.steps().size())) {
      assertThat(step.kernel()).as(what).isEqualTo(ASYNC);
    }
    int n = graph.ids.length;
    double rounding = form.kind() == Kind.FLOAT ? FLOAT_ROUNDING : ROUNDING;
    assertThat(ResidualPrograms.unexplained(graph, form, ran.values(), tolerance))
        .as("%s, %s, tolerance %s, %s vertices", what, form, tolerance, n)
        .isLessThanOrEqualTo(n * rounding);
    // What superstep 0 has made of the value is left, too, where that is within the tolerance.
    double most = 0.15 > tolerance ? tolerance : 0.15 + tolerance;
    double left = ResidualPrograms.residual(graph, form, ran.values());
    assertThat(left)
        .as("%s, %s, tolerance %s, %s vertices", what, form, tolerance, n)
        .isLessThanOrEqualTo(n * (DAMPING * most + rounding));
    return ran;
  }

  static Ran run(
      DeviceEngine engine,
      Form form,
      boolean signed,
      double tolerance,
      SimpleGraph graph,
      KernelChoice kernel) {
    RunSettings settings = ResidualPrograms.settings(form, kernel);
    List<SuperstepStats> steps = new ArrayList<>();
    Columns attributes = ResidualPrograms.attributes(graph, form, signed);
    try (DeviceRun run =
        engine.open(
            graph, ResidualPrograms.of(form, tolerance), graph.split(attributes), settings)) {
      RunSummary summary =
          SuperstepLoop.run("emulated", run, settings, graph.ids.length, List.of(), steps::add);
      assertThat(summary.stopped()).isEqualTo(RunSummary.Stopped.CONVERGED);
      return new Ran(run.values(0), steps);
    }
  }
}
