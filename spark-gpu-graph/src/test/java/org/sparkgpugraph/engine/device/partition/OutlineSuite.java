package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.sparkgpugraph.engine.device.CountedRun.everyVertex;
import static org.sparkgpugraph.engine.device.CountedRun.same;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
import org.sparkgpugraph.engine.device.CountedRun;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings.Choice;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexMeasure;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.StepSource;
import org.sparkgpugraph.program.fold.FoldedSteps;
import org.sparkgpugraph.program.fold.Folding;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.AggregateAtMost;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.testing.TestProgram;

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

  /** Runs to the end, or to its fault; no launch has more blocks than a device takes at once. */
  static CountedRun run(
      Device device,
      DeviceSettings how,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    int most = 8 * device.properties().multiprocessors();
    return CountedRun.of(
        device,
        how,
        program,
        graph,
        attributes,
        settings,
        (kernel, blocks) -> assertThat(blocks).as(kernel).isLessThanOrEqualTo(most));
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

  /** Even and odd numbers of supersteps, one launch or several, hubs in chunks. */
  @Test
  void ranksTakeOneLaunchWhateverTheirSupersteps() {
    ProgramInstance program = IrPrograms.pageRank(false, 0.85);
    try (Device device = openDevice(1)) {
      SimpleGraph graph = RandomSimpleGraphs.degrees(new Random(1), 1000, 0);
      Columns attributes = ranks(graph);
      for (int iterations : new int[] {2, 7, 20}) {
        RunSettings settings = everyVertex(iterations, 0.0);
        CountedRun one =
            run(device, settings(Choice.OFF, 64), program, graph, attributes, settings);
        for (int most : new int[] {64, 3}) {
          CountedRun found =
              run(device, settings(Choice.ON, most), program, graph, attributes, settings);
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
            CountedRun one =
                run(device, settings(Choice.OFF, 64), program, graph, attributes, settings);
            CountedRun found =
                run(device, settings(Choice.ON, 9), program, graph, attributes, settings);
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

  /** What {@code GraphSteps.repeatWhile} makes: two supersteps a turn, as long as one is busy. */
  @Test
  void mapsRepeatInOneLaunchWhileSomebodyIsBusy() {
    SendMessage<Long, Integer, Long> value = e -> e.sendToDst(e.srcAttr());
    MergeMessage<Long> most = Math::max;
    VertexProgram<Long, Long> less = (id, v, m) -> v <= 0 ? v : v - 1 - (m > 50 ? 1 : 0);
    VertexProgram<Long, Long> pulled = (id, v, m) -> v > 0 && m > 2 * v ? v + 1 : v;
    VertexMeasure<Long> busy = (id, v) -> v > 0 ? 1.0 : 0.0;
    List<StepSource.Step> turn =
        List.of(
            new StepSource.EdgeMap(1, value, most, IrPrograms.LONG, new Object[] {-1L}),
            new StepSource.VertexMap(1, less, 1),
            new StepSource.EdgeMap(2, value, most, IrPrograms.LONG, new Object[] {-1L}),
            new StepSource.VertexMap(2, pulled, 1));
    StepSource source =
        new StepSource(
            IrPrograms.LONG,
            IrPrograms.INT,
            null,
            List.of(new StepSource.Repeat(500, turn)),
            busy,
            null);
    FoldedSteps folded =
        Folding.apply(ProgramLifter.liftSteps(source), AggregateOperation.SUM, true);
    assertThat(folded.measured()).isEqualTo(2);
    SimpleGraph graph = RandomSimpleGraphs.degrees(new Random(5), 1000, 0);
    int n = graph.ids.length;
    Columns attributes = Columns.allocate(List.of(Kind.LONG), n);
    Arrays.setAll(attributes.longs(0), v -> v * 31 % 60);
    RunSettings settings =
        new RunSettings(
            null,
            folded.emptyMessage(),
            ActiveDirection.EITHER,
            Gather.ACTIVE,
            folded.supersteps(),
            false,
            KernelChoice.AUTO,
            1,
            new AggregateAtMost(FoldedSteps.MEASURE, 0, folded.before() + 2, 2));
    try (Device device = openDevice(6)) {
      ProgramInstance program = folded.program();
      CountedRun one = run(device, settings(Choice.OFF, 64), program, graph, attributes, settings);
      CountedRun all = run(device, settings(Choice.ON, 512), program, graph, attributes, settings);
      same(one, all, "turns");
      assertThat(all.steps()).hasSizeBetween(20, 500);
      assertThat(all.launched("outline_all")).isEqualTo(1);
      assertThat(all.launches().subList(1, all.launches().size()))
          .containsOnly("outline_all", "aggregate");
    }
  }

  /** Most frequent labels, of hubs by tables in global memory, until a number says that it ends. */
  @Test
  void frequentLabelsEndByTheirNumberOfChanges() {
    TestProgram<Integer, Integer, Long, Long, Long> labels =
        new TestProgram<Integer, Integer, Long, Long, Long>(
                "labels", Integer.class, Integer.class, Long.class, Long.class)
            .state((id, attribute, in, out) -> id % 40)
            .vertex((id, label, message) -> message == Long.MIN_VALUE ? label : message)
            .send(
                e -> {
                  e.sendToDst(e.srcAttr());
                  e.sendToSrc(e.dstAttr());
                })
            .mergeMode()
            .aggregate(
                "changed",
                AggregateOperation.SUM,
                (id, before, after) -> before.longValue() == after.longValue() ? 0.0 : 1.0);
    ProgramInstance program = ProgramLifter.lift(labels.source());
    SimpleGraph graph = RandomSimpleGraphs.degrees(new Random(7), 5000, 0);
    Columns attributes = Columns.allocate(List.of(Kind.INT), graph.ids.length);
    try (Device device = openDevice(8)) {
      for (boolean every : new boolean[] {true, false}) {
        RunSettings settings =
            new RunSettings(
                every ? null : new Object[] {Long.MIN_VALUE},
                every ? new Object[] {Long.MIN_VALUE} : null,
                ActiveDirection.EITHER,
                Gather.ACTIVE,
                40,
                false,
                every ? KernelChoice.AUTO : KernelChoice.DENSE,
                1,
                new AggregateAtMost("changed", 300, 9, 4));
        CountedRun one =
            run(device, settings(Choice.OFF, 64), program, graph, attributes, settings);
        CountedRun all = run(device, settings(Choice.ON, 64), program, graph, attributes, settings);
        same(one, all, "every vertex " + every);
        assertThat(one.steps()).hasSize(10);
        assertThat(one.launched(every ? "hub_finish_all" : "hub_finish_dense")).isPositive();
        assertThat(all.launched(every ? "outline_all" : "outline_dense")).isEqualTo(1);
        assertThat(all.launched(every ? "gather_all" : "gather_dense")).isZero();
      }
    }
  }

  /** Phases, one launch for all; a fault is that of its superstep, behind those done before it. */
  @Test
  void aFaultIsThatOfItsSuperstep() {
    SimpleGraph graph = RandomSimpleGraphs.degrees(new Random(3), 300, 0);
    int n = graph.ids.length;
    Columns attributes = Columns.allocate(Collections.nCopies(4, Kind.DOUBLE), n);
    for (int c = 0; c < 4; c++) {
      double times = c + 0.5;
      Arrays.setAll(attributes.doubles(c), v -> (v * 37 % 100) * times);
    }
    RunSettings settings = everyVertex(30, -1.0, -1.0, -1.0, -1.0);
    try (Device device = openDevice(3)) {
      CountedRun one =
          run(device, settings(Choice.OFF, 10), IrPrograms.phased(99), graph, attributes, settings);
      CountedRun all =
          run(device, settings(Choice.ON, 64), IrPrograms.phased(99), graph, attributes, settings);
      same(one, all, "phases");
      assertThat(all.launches()).containsExactly("initialise", "outline_all");
      for (int last : new int[] {1, 2, 12, 20, 21}) {
        ProgramInstance program = IrPrograms.phased(last);
        List<Integer> done = new ArrayList<>();
        try (DeviceEngine engine = new DeviceEngine("faulty", device, settings(Choice.ON, 10));
            DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
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
              .hasMessageContaining("too late")
              .hasMessageContaining(String.valueOf(graph.ids[0]));
          assertThat(done).hasSize(last);
          assertThatThrownBy(() -> run.values(0))
              .hasMessageContaining("failed in superstep " + last);
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
