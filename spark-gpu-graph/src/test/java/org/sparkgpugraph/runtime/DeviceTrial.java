package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Random programs on random graphs on a device engine, against sequential Pregel and, superstep by
 * superstep, against the CPU engine. A case is a seed. Used by the tests on the emulated device and
 * on GPUs, and by {@link #main} under sanitizers.
 */
public final class DeviceTrial {
  private static final CpuEngine CPU = new CpuEngine();
  private static final int[] GROUPINGS = {1, 1, 0, 2, 4, 32, 64};
  private static final int[] HUB_DEGREES = {1, 5, 40, 1024};
  private static final DeviceExchange[] EXCHANGES = DeviceExchange.values();

  private DeviceTrial() {}

  /** What an engine says of a program, none of whose values is looked at. */
  public static String described(DeviceEngine engine, TestProgram<?, ?, ?, ?, ?> program) {
    Object[] none = {null};
    return engine.describe(
        ProgramLifter.lift(program.source()).program(),
        new RunSettings(
            none,
            program.emptyMessage == null ? null : none,
            program.direction,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.AUTO,
            1,
            null));
  }

  /** Tries one case. */
  public static void check(DeviceEngine engine, long seed) {
    check(engine, RandomPrograms.any(seed), seed);
  }

  public static <VD, ED, S, A, R> void check(
      DeviceEngine engine, TestProgram<VD, ED, S, A, R> program, long seed) {
    check(engine, program, program.on(RandomGraphs.any(seed * 7 + 3), seed), seed);
  }

  public static <VD, ED, S, A, R> void check(
      DeviceEngine engine,
      TestProgram<VD, ED, S, A, R> program,
      TestGraph<VD, ED> graph,
      long seed) {
    check(engine, program, graph, seed, OutlineSettings.DEFAULT);
  }

  /** Tries one case whose supersteps are outlined where that is legal, on one partition. */
  public static <VD, ED, S, A, R> void checkOutlined(
      DeviceEngine engine, TestProgram<VD, ED, S, A, R> program, int supersteps, long seed) {
    check(
        engine,
        program,
        program.on(RandomGraphs.any(seed * 7 + 3), seed),
        seed,
        new OutlineSettings(OutlineSettings.Choice.ON, 0, supersteps));
  }

  private static <VD, ED, S, A, R> void check(
      DeviceEngine engine,
      TestProgram<VD, ED, S, A, R> program,
      TestGraph<VD, ED> graph,
      long seed,
      OutlineSettings outline) {
    PregelOracle.Run<R> expected = PregelOracle.run(graph, program);
    ProgramInstance lifted = EngineTrial.instance(program, seed);
    Random random = new Random(seed);
    // Partitions decide whether kernels exchange: one choice a case, to compile once.
    int partitions = random.nextBoolean() ? 1 : 2 + random.nextInt(4);
    boolean inPlace = random.nextBoolean();
    boolean lanes = random.nextInt(4) == 0;
    if (outline.choice() == OutlineSettings.Choice.ON) {
      partitions = 1;
      lanes = false;
    }
    for (KernelChoice kernel : KernelChoice.values()) {
      EngineTrial trial = new EngineTrial(partitions, kernel, 1, inPlace);
      DeviceSettings settings =
          DeviceSettings.DEFAULT
              .withReserve(0)
              .withOutline(outline)
              .withGrouping(GROUPINGS[random.nextInt(GROUPINGS.length)])
              .withVirtualWarp(lanes ? 1 << random.nextInt(6) : 0)
              .withHubs(HUB_DEGREES[random.nextInt(HUB_DEGREES.length)], 1 + random.nextInt(100))
              .withExchange(EXCHANGES[random.nextInt(EXCHANGES.length)]);
      String how = "seed " + seed + ", " + trial + ", " + settings;
      EngineTrial.Run<R> run;
      try {
        run = trial.run(engine.with(settings), lifted, program, graph);
      } catch (RuntimeException | LinkageError e) {
        throw new AssertionError(how + ": " + program + " on " + graph.describe(), e);
      }
      Compare.assertSame(expected.result(), run.result(), graph, program, how);
      if (!run.inPlace()) {
        EngineTrial.Run<R> cpu = trial.run(CPU, lifted, program, graph);
        assertSameSteps(
            cpu.summary().supersteps(),
            run.summary().supersteps(),
            settings.grouping(),
            how + " " + program);
        for (int i = 0; settings.grouping() == 1 && i < expected.steps().size(); i++) {
          EdgeCounts.check(
              expected.steps().get(i),
              null,
              lifted.program(),
              program,
              List.of(run.summary().supersteps().get(i)),
              how + " " + program + ", superstep " + i);
        }
      }
    }
  }

  private static void assertSameSteps(
      List<SuperstepStats> expected, List<SuperstepStats> actual, int grouping, String how) {
    assertThat(actual).as(how).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      String where = how + ", superstep " + i;
      SuperstepStats wanted = expected.get(i);
      SuperstepStats stats = actual.get(i);
      assertThat(stats.superstep()).as(where).isEqualTo(i);
      assertThat(stats.verticesRun()).as(where + ": vertices run").isEqualTo(wanted.verticesRun());
      assertThat(stats.activeVertices())
          .as(where + ": active vertices")
          .isEqualTo(wanted.activeVertices());
      assertThat(stats.aggregates()).as(where + ": aggregates").isEqualTo(wanted.aggregates());
      if (grouping == 1 && stats.kernel() == wanted.kernel()) {
        // The paper's work efficiency: the edges of the rows that an active vertex reaches.
        assertThat(stats.edgesEvaluated()).as(where + ": edges").isEqualTo(wanted.edgesEvaluated());
      }
    }
  }

  /**
   * Tries cases FROM … TO − 1 on the emulated device with sanitizers: FROM TO. Ends with status 0
   * when all are right; a sanitizer ends the process otherwise.
   */
  public static void main(String[] args) {
    long from = Long.parseLong(args[0]);
    long to = Long.parseLong(args[1]);
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withSanitizers(true));
        DeviceEngine engine = new DeviceEngine("emulated", device, DeviceSettings.DEFAULT)) {
      for (long seed = from; seed < to; seed++) {
        check(engine, seed);
      }
    }
    System.out.println("cases " + from + " to " + (to - 1) + " are right");
  }
}
