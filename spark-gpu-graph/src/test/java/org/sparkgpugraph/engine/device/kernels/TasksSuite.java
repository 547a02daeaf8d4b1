package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/** Loops that all lanes of a warp share, against a sequential Pregel, on any device. */
abstract class TasksSuite {
  static final DenseTuning SHARED = DenseTuning.SEGMENTATION.withTasks(true);

  static final DeviceSettings SETTINGS =
      DeviceSettings.DEFAULT.withReserve(0).withHubs(40, 33).withTuning(SHARED);

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice(int seed);

  static RunSettings settings(KernelChoice kernel) {
    return new RunSettings(
        new Object[] {1},
        null,
        ActiveDirection.EITHER,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        false,
        kernel,
        1,
        null);
  }

  /** Every program by every kernel that evaluates edges side by side. */
  @Test
  void sharedLoopsFindWhatLoopsFind() {
    int seed = 0;
    for (ProgramInstance program : LoopPrograms.shared()) {
      try (Device device = openDevice(seed);
          DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
        assertThat(engine.describe(program.program(), settings(KernelChoice.AUTO)))
            .contains("loops of edges shared by all lanes of a warp");
        for (KernelChoice kernel :
            List.of(KernelChoice.DENSE, KernelChoice.SPARSE, KernelChoice.PUSH)) {
          check("seed " + seed + ", " + kernel, engine, program, seed++, kernel);
        }
      }
    }
  }

  /** The same where groups of lanes take rows, by waves or as virtual warps. */
  @Test
  void groupsOfLanesShareLoopsToo() {
    int seed = 100;
    ProgramInstance program = LoopPrograms.sums();
    try (Device device = openDevice(seed);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      for (DeviceSettings how :
          List.of(
              SETTINGS.withTuning(DenseTuning.WAVES.withGroups(8).withTasks(true)),
              SETTINGS.withVirtualWarp(4))) {
        check(how.toString(), engine.with(how), program, seed++, KernelChoice.DENSE);
      }
    }
  }

  /** A round of one lane that another one does stops the run in the name of the former's row. */
  @Test
  void aFaultIsThatOfTheOwnersRow() {
    ProgramInstance program = LoopPrograms.lookups(new int[30]);
    int n = 70;
    int[] sources = new int[n];
    int[] destinations = new int[n];
    Arrays.setAll(sources, v -> v);
    Arrays.setAll(destinations, v -> (v + 1) % n);
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> 1000L + v);
    SimpleGraph ring = new SimpleGraph(ids, null, sources, destinations, null);
    Columns attributes = LoopPrograms.attributes(new Random(1), n);
    // After superstep 0 the end is (5 · end + 1) & 63.
    Arrays.fill(attributes.ints(1), 3);
    attributes.ints(1)[41] = 7;
    try (Device device = openDevice(7);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS);
        DeviceRun run =
            engine.open(ring, program, ring.split(attributes), settings(KernelChoice.DENSE))) {
      run.initialise();
      assertThatThrownBy(() -> run.step(new double[0]))
          .isInstanceOfSatisfying(
              ProgramFault.class, fault -> assertThat(fault.getMessage()).contains("1042"));
    }
  }

  /** What is shared and what is not, and why, is told before a run. */
  @Test
  void explainSaysWhetherLoopsAreShared() {
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      RunSettings settings = settings(KernelChoice.AUTO);
      assertThat(engine.describe(LoopPrograms.sums().program(), settings))
          .contains("loops of edges shared by all lanes of a warp");
      assertThat(engine.describe(LoopPrograms.chained().program(), settings))
          .contains("loops of edges not shared by lanes: sendMessage hands a number");
      assertThat(
              engine
                  .with(SETTINGS.withTuning(DenseTuning.DEFAULT))
                  .describe(LoopPrograms.sums().program(), settings))
          .doesNotContain("loops of edges");
    }
  }

  static void check(
      String what, DeviceEngine engine, ProgramInstance program, int seed, KernelChoice kernel) {
    Random random = new Random(seed);
    int n = 1 + random.nextInt(120);
    check(
        what,
        engine,
        program,
        RandomSimpleGraphs.of(random, n, 4, true, seed % 3 == 1, 1),
        random,
        kernel);
  }

  static void check(
      String what,
      DeviceEngine engine,
      ProgramInstance program,
      SimpleGraph graph,
      Random random,
      KernelChoice kernel) {
    int n = graph.ids.length;
    Columns attributes = LoopPrograms.attributes(random, n);
    RunSettings settings = settings(kernel);
    IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
    oracle.initialise();
    try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      SuperstepStats stats = run.initialise();
      for (int step = 0; step < 4 && stats.activeVertices() > 0; step++) {
        oracle.step();
        stats = run.step(new double[0]);
        assertSame(what + ", superstep " + (step + 1), run, graph, oracle);
      }
    }
  }

  static void assertSame(String what, DeviceRun run, SimpleGraph graph, IrPregelOracle oracle) {
    for (int p = 0; p < graph.partitions().size(); p++) {
      Columns values = run.values(p);
      int first = (int) graph.partitions().get(p).firstVertex();
      for (int i = 0; i < graph.partitions().get(p).stored(); i++) {
        int v = first + i;
        for (int c = 0; c < 3 && (graph.present == null || graph.present[v]); c++) {
          assertThat(values.get(c, i))
              .as("%s: column %s of vertex %s", what, c, v)
              .isEqualTo(oracle.values[v][c]);
        }
      }
    }
  }
}
