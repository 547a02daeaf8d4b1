package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.ImprovingSearches;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * The first superstep of programs whose messages depend on edge values leaves out who sends
 * nothing, on any device: against a sequential Pregel, superstep by superstep.
 */
abstract class SendersSuite {
  private static final int VERTICES = 600;

  /**
   * Opens a device, or skips the test with the reason.
   *
   * @param seed of the order in which an emulated one runs its lanes and blocks
   */
  abstract Device openDevice(int seed);

  /** Each search twice on a graph, the second time with what is known of its edges' values. */
  @Test
  void whoSendsNothingIsLeftOut() {
    int seed = 0;
    for (ImprovingSearches.Search search : ImprovingSearches.all()) {
      Random random = new Random(++seed);
      // Missing vertices have zeros, from where the paths would be the shortest.
      boolean holes = search.unreached() <= 0;
      SimpleGraph shape = RandomSimpleGraphs.of(random, VERTICES, 3, false, holes, 1);
      Columns edges =
          ImprovingSearches.column(
              search.edgeKind(),
              shape.sources.length,
              e -> search.edge().applyAsDouble(random.nextDouble()));
      SimpleGraph graph =
          new SimpleGraph(shape.ids, shape.present, shape.sources, shape.destinations, edges);
      Columns attributes =
          ImprovingSearches.column(
              search.kind(),
              VERTICES,
              v ->
                  v % 150 == 3 && (shape.present == null || shape.present[v])
                      ? search.reached().applyAsDouble(random.nextDouble())
                      : search.unreached());
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              new DeviceEngine("any", device, DeviceSettings.DEFAULT.withReserve(0))) {
        check(engine, search, graph, attributes);
        check(engine, search, graph, attributes);
      }
    }
  }

  /**
   * The least and the largest edge value make messages that improve nothing, and values between
   * them one that has overflown and does.
   */
  @Test
  void anOverflowBetweenTheBoundsIsNoticed() {
    ImprovingSearches.Search search = ImprovingSearches.overflow();
    Random random = new Random(5);
    SimpleGraph shape = RandomSimpleGraphs.of(random, VERTICES, 1, false, false, 1);
    int[] values = {0, 16, Integer.MAX_VALUE};
    Columns edges = ImprovingSearches.column(Kind.INT, shape.sources.length, e -> values[e % 3]);
    SimpleGraph graph =
        new SimpleGraph(shape.ids, shape.present, shape.sources, shape.destinations, edges);
    try (Device device = openDevice(1);
        DeviceEngine engine =
            new DeviceEngine("any", device, DeviceSettings.DEFAULT.withReserve(0))) {
      check(engine, search, graph, ImprovingSearches.column(Kind.INT, VERTICES, v -> -20));
    }
  }

  private static final RunSettings ONE_SUPERSTEP =
      new RunSettings(
          null, null, ActiveDirection.EITHER, Gather.ACTIVE, 1, false, KernelChoice.AUTO, 1, null);

  static void check(
      DeviceEngine engine, ImprovingSearches.Search search, SimpleGraph graph, Columns attributes) {
    IrPregelOracle oracle = new IrPregelOracle(graph, search.program(), attributes, ONE_SUPERSTEP);
    oracle.initialise();
    oracle.step();
    List<SuperstepStats> steps = new ArrayList<>();
    try (DeviceRun run =
        engine.open(graph, search.program(), graph.split(attributes), ONE_SUPERSTEP)) {
      SuperstepLoop.run("any", run, ONE_SUPERSTEP, VERTICES, List.of(), steps::add);
      SuperstepStats first = steps.get(1);
      String what = search + ": " + first;
      assertThat(first.verticesRun()).as(what).isEqualTo(oracle.ran);
      if (search.sends()) {
        assertThat(first.kernel().pushes()).as(what).isTrue();
        assertThat(first.edgesEvaluated()).as(what).isLessThan(graph.sources.length / 2);
        assertThat(first.verticesRun()).as(what).isPositive();
      } else {
        assertThat(first.kernel()).as(what).isEqualTo(KernelChoice.DENSE);
      }
      Columns values = run.values(0);
      for (int v = 0; v < VERTICES; v++) {
        if (graph.present == null || graph.present[v]) {
          assertThat(values.get(0, v)).as("%s: vertex %s", what, v).isEqualTo(oracle.values[v][0]);
        }
      }
    }
  }
}
