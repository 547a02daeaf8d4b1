package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings.Choice;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/** Supersteps that walk rows, many of them in one launch, on any device. */
abstract class OutlineSuite {
  /**
   * Opens a device, or skips the test with the reason.
   *
   * @param seed of the order in which an emulated one runs its lanes and blocks
   */
  abstract Device openDevice(int seed);

  static DeviceSettings settings(Choice choice, int supersteps) {
    return DeviceSettings.DEFAULT
        .withReserve(0)
        .withHubs(100, 70)
        .withOutline(new OutlineSettings(choice, 0, supersteps));
  }

  /** What a run did. */
  record Done(List<SuperstepStats> steps, Columns values, List<String> launches) {
    long launched(String kernel) {
      return launches.stream().filter(kernel::equals).count();
    }
  }

  /** Runs to the end, or to its fault. */
  static Done run(
      Device device,
      DeviceSettings how,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    List<String> launches = new ArrayList<>();
    int most = 8 * device.properties().multiprocessors();
    Device counted =
        DeviceProxies.launching(
            device,
            (kernel, blocks) -> {
              assertThat(blocks).as(kernel).isLessThanOrEqualTo(most);
              launches.add(kernel);
            });
    int n = graph.ids.length;
    List<SuperstepStats> steps = new ArrayList<>();
    try (DeviceEngine engine = new DeviceEngine("counted", counted, how);
        DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      SuperstepLoop.run("counted", run, settings, n, program.program().aggregates(), steps::add);
      Columns values = Columns.allocate(program.program().state().columns(), n);
      values.copyFrom(run.values(0), 0, 0, n);
      return new Done(steps, values, launches);
    }
  }

  /** Both runs did the same, superstep by superstep, and have the same bits. */
  static void same(Done wanted, Done found, String what) {
    assertThat(found.steps()).as(what).hasSameSizeAs(wanted.steps());
    for (int i = 0; i < found.steps().size(); i++) {
      SuperstepStats is = found.steps().get(i);
      SuperstepStats should = wanted.steps().get(i);
      String where = what + ", superstep " + i;
      assertThat(is.superstep()).as(where).isEqualTo(i);
      assertThat(is.kernel()).as(where).isEqualTo(should.kernel());
      assertThat(is.verticesRun()).as(where).isEqualTo(should.verticesRun());
      assertThat(is.activeVertices()).as(where).isEqualTo(should.activeVertices());
      assertThat(is.edgesEvaluated()).as(where).isEqualTo(should.edgesEvaluated());
      assertThat(is.aggregates()).as(where).isEqualTo(should.aggregates());
    }
    for (int c = 0; c < wanted.values().width(); c++) {
      for (int v = 0; v < wanted.values().length(); v++) {
        assertThat(found.values().get(c, v))
            .as("%s: column %s of vertex %s", what, c, v)
            .isEqualTo(wanted.values().get(c, v));
      }
    }
  }

  static Columns ranks(SimpleGraph graph) {
    int n = graph.ids.length;
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE, Kind.DOUBLE), n);
    Arrays.fill(attributes.doubles(0), 1.0);
    double[] degrees = new double[n];
    for (int source : graph.sources) {
      degrees[source]++;
    }
    Arrays.setAll(attributes.doubles(1), v -> 1 / Math.max(1, degrees[v]));
    return attributes;
  }

  static RunSettings everyVertex(Object empty, int iterations) {
    return new RunSettings(
        null,
        new Object[] {empty},
        ActiveDirection.OUT,
        Gather.ACTIVE,
        iterations,
        false,
        KernelChoice.AUTO,
        1,
        null);
  }

  /** Even and odd numbers of supersteps, one launch or several, hubs in chunks. */
  @Test
  void ranksTakeOneLaunchWhateverTheirSupersteps() {
    ProgramInstance program = IrPrograms.pageRank(false, 0.85);
    try (Device device = openDevice(1)) {
      SimpleGraph graph = RandomSimpleGraphs.degrees(new Random(1), 1000, 0);
      Columns attributes = ranks(graph);
      for (int iterations : new int[] {2, 7, 20}) {
        RunSettings settings = everyVertex(0.0, iterations);
        Done one = run(device, settings(Choice.OFF, 64), program, graph, attributes, settings);
        for (int most : new int[] {64, 3}) {
          Done found = run(device, settings(Choice.ON, most), program, graph, attributes, settings);
          String what = iterations + " iterations, up to " + most + " a launch";
          same(one, found, what);
          assertThat(found.launched("outline_all"))
              .as(what)
              .isEqualTo((iterations + most - 1) / most);
          assertThat(found.launches()).as(what).allMatch(k -> k.matches("initialise|outline_all"));
        }
        IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
        oracle.initialise();
        for (int step = 0; step < iterations; step++) {
          oracle.step();
        }
        for (int v = 0; v < graph.ids.length; v++) {
          assertThat((double) one.values().get(0, v))
              .isCloseTo((double) oracle.values[v][0], within(1e-9));
        }
      }
    }
  }

  /** Walked densely, and by candidates, to the end: nobody is active. */
  @Test
  void labelsSpreadUntilNobodyIsActive() {
    ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);
    try (Device device = openDevice(2)) {
      for (KernelChoice kernel :
          List.of(KernelChoice.DENSE, KernelChoice.SPARSE, KernelChoice.AUTO)) {
        for (boolean inPlace : new boolean[] {false, true}) {
          for (int seed = 0; seed < 2; seed++) {
            Random random = new Random(seed);
            SimpleGraph graph =
                seed == 0
                    ? RandomSimpleGraphs.degrees(random, 1000, 0)
                    : RandomSimpleGraphs.of(random, 333, 3, true, true, 1);
            Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, graph.ids.length);
            RunSettings settings =
                new RunSettings(
                    new Object[] {Integer.MAX_VALUE},
                    null,
                    ActiveDirection.OUT,
                    Gather.ACTIVE,
                    inPlace ? Integer.MAX_VALUE : 40,
                    inPlace,
                    kernel,
                    1,
                    null);
            Done one = run(device, settings(Choice.OFF, 64), program, graph, attributes, settings);
            Done found = run(device, settings(Choice.ON, 9), program, graph, attributes, settings);
            String what = kernel + ", in place " + inPlace + ", seed " + seed;
            if (inPlace) {
              // Who is faster decides in which superstep a label comes.
              assertThat(found.values().ints(0)).as(what).isEqualTo(one.values().ints(0));
            } else {
              same(one, found, what);
            }
            if (kernel != KernelChoice.AUTO) {
              long launched =
                  found.launched(kernel == KernelChoice.DENSE ? "outline_dense" : "outline_sparse");
              // The first superstep evaluates all edges, in a launch of its own.
              long behind = found.steps().size() - 2;
              assertThat(launched).as(what).isEqualTo((behind + 8) / 9);
            }
          }
        }
      }
    }
  }

  /** A fault is that of its superstep, behind those that were done before it. */
  @Test
  void aFaultIsThatOfItsSuperstep() {
    int n = 400;
    SimpleGraph path = path(n);
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    RunSettings settings =
        new RunSettings(
            new Object[] {0},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            100,
            false,
            KernelChoice.DENSE,
            1,
            null);
    try (Device device = openDevice(3)) {
      for (int limit : new int[] {1, 2, 12, 13, 20, 21}) {
        ProgramInstance program = IrPrograms.faulty(limit);
        List<Integer> done = new ArrayList<>();
        try (DeviceEngine engine = new DeviceEngine("faulty", device, settings(Choice.ON, 10));
            DeviceRun run = engine.open(path, program, path.split(attributes), settings)) {
          assertThatThrownBy(
                  () ->
                      SuperstepLoop.run(
                          "faulty",
                          run,
                          settings,
                          n,
                          List.of(),
                          stats -> done.add(stats.superstep())))
              .isInstanceOf(ProgramFault.class)
              .hasMessageContaining("too far");
          assertThat(done).hasSize(limit);
          assertThatThrownBy(() -> run.values(0))
              .hasMessageContaining("failed in superstep " + limit);
        }
      }
    }
  }

  static SimpleGraph path(int n) {
    int[] sources = new int[n - 1];
    int[] destinations = new int[n - 1];
    Arrays.setAll(sources, v -> v);
    Arrays.setAll(destinations, v -> v + 1);
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    return new SimpleGraph(ids, null, sources, destinations, null);
  }
}
