package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sparkgpugraph.engine.device.CountedRun.everyVertex;
import static org.sparkgpugraph.engine.device.run.HotVerticesSuite.RANKS;
import static org.sparkgpugraph.engine.device.run.HotVerticesSuite.ranks;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.plan.SuperstepChain;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.HotVertices;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.jvm.IrBuilder;

/** Supersteps that follow each other without a wait on the emulated device, and which may not. */
@Tag("any-spark")
class SuperstepChainTest extends SuperstepChainSuite {
  private static final int ITERATIONS = 6;
  private static final DeviceSettings SETTINGS =
      HotVerticesSuite.settings(HotVerticesSuite.FEW.with(HotVertices.Choice.OFF));

  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  private int waits(ProgramInstance program, SimpleGraph graph, Columns attributes, Object empty) {
    RunSettings settings = everyVertex(ITERATIONS, empty);
    try (Device device = openDevice(2)) {
      return run(device, SETTINGS, program, graph, attributes, settings, true).waits();
    }
  }

  /** What a superstep tells is asked for before the next one begins. */
  @Test
  void whatIsToldInBetweenIsWaitedFor() {
    Random random = new Random(3);
    SimpleGraph graph = RandomSimpleGraphs.of(random, 60, 4, true, false, 1);
    Columns ranks = ranks(graph, random);
    assertThat(waits(RANKS, graph, ranks, 0.0)).isEqualTo(2);
    IrBuilder rank = new IrBuilder("rank");
    rank.returns(rank.parameter(Role.AFTER, 0, Kind.DOUBLE));
    IrFunction measure = rank.build(Kind.DOUBLE);
    Aggregate most = new Aggregate("most", AggregateOperation.MAX, measure);
    assertThat(
            waits(
                new ProgramInstance(
                    RANKS.program().with().aggregates(List.of(most)).build(), List.of()),
                graph,
                ranks,
                0.0))
        .isEqualTo(ITERATIONS);
    SimpleGraph parts = RandomSimpleGraphs.of(random, 60, 4, true, false, 2);
    assertThat(waits(RANKS, parts, ranks(parts, random), 0.0)).isEqualTo(ITERATIONS);
    Columns numbers = Columns.allocate(List.of(Kind.INT), graph.ids.length);
    assertThat(waits(IrPrograms.faulty(1000), graph, numbers, 0)).isEqualTo(ITERATIONS);
  }

  /** A fault is told in its own superstep, and no superstep behind it is done. */
  @Test
  void aProgramThatMayFailIsNotChained() {
    SimpleGraph graph = RandomSimpleGraphs.of(new Random(4), 60, 4, true, false, 1);
    Columns numbers = Columns.allocate(List.of(Kind.INT), graph.ids.length);
    assertThatThrownBy(() -> waits(IrPrograms.faulty(0), graph, numbers, 0))
        .isInstanceOf(ProgramFault.class);
  }

  /** By how long supersteps take: what is launched cannot be taken back. */
  @Test
  void lengths() {
    assertThat(SuperstepChain.length(100, 0)).isEqualTo(1);
    assertThat(SuperstepChain.length(100, 1000)).isEqualTo(SuperstepChain.MOST);
    assertThat(SuperstepChain.length(5, 1000)).isEqualTo(5);
    assertThat(SuperstepChain.length(100, 4_000_000)).isEqualTo(5);
    assertThat(SuperstepChain.length(100, 20_000_001)).isEqualTo(1);
    assertThat(SuperstepChain.length(1, 1000)).isEqualTo(1);
  }

  /** Between two chains. */
  @Test
  void aRunIsInterrupted() {
    Random random = new Random(5);
    SimpleGraph graph = RandomSimpleGraphs.of(random, 60, 4, true, false, 1);
    RunSettings settings = everyVertex(100, 0.0);
    try (Device device = openDevice(3);
        DeviceEngine engine =
            new DeviceEngine("chained", DeviceProxies.taking(device, 1000), SETTINGS);
        DeviceRun run = engine.open(graph, RANKS, graph.split(ranks(graph, random)), settings)) {
      run.initialise();
      run.runAhead();
      run.step(new double[0]);
      run.step(new double[0]);
      assertThat(run.isAhead()).isTrue();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> run.step(new double[0]))
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("superstep 2");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
