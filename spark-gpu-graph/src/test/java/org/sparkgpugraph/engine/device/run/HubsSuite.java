package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.VertexGrouping;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.runtime.EngineTrial;
import org.sparkgpugraph.runtime.HubPrograms;
import org.sparkgpugraph.runtime.ShardedTrial;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Shards on devices, and on devices and CPUs in turn, that tell each other's hubs partial messages
 * give what the reference gives, to the bit. {@code -DhubDeviceCases=N} tries more.
 */
abstract class HubsSuite {
  private static final int CASES = Integer.getInteger("hubDeviceCases", 24);

  /** Where every vertex runs there is one for all. */
  private static final List<KernelChoice> KERNELS =
      List.of(KernelChoice.SPARSE, KernelChoice.AUTO, KernelChoice.DENSE, KernelChoice.AUTO);

  /** Opens a device. */
  abstract Device openDevice(int seed);

  /** What some cases did together. */
  static final class Seen {
    long messages;
    int restored;
    int mixed;
  }

  static DeviceEngine engine(Device device) {
    return new DeviceEngine("hubs", device, DeviceSettings.DEFAULT.withReserve(0));
  }

  /** Rows of more than 32 edges are cut into pieces, and candidates may be groups of vertices. */
  static DeviceEngine inPieces(DeviceEngine engine, long seed) {
    List<Integer> ratios = VertexGrouping.RATIOS;
    DeviceSettings settings =
        DeviceSettings.DEFAULT
            .withReserve(0)
            .withGrouping(ratios.get((int) (seed / 3 % ratios.size())));
    return engine.with(seed % 2 == 0 ? settings : settings.withHubs(32, 7));
  }

  static <VD, ED, S, A, R> void check(
      TestProgram<VD, ED, S, A, R> program, long seed, Engine device, Seen seen) {
    KernelChoice kernel = KERNELS.get((int) (seed / 2 % KERNELS.size()));
    check(program, seed, device, seen, kernel, OptionalInt.empty());
  }

  static <VD, ED, S, A, R> void check(
      TestProgram<VD, ED, S, A, R> program,
      long seed,
      Engine device,
      Seen seen,
      KernelChoice kernel,
      OptionalInt restoreAfter) {
    Random random = new Random(seed * 7919);
    TestGraph<VD, ED> graph =
        program.on(
            random.nextInt(4) == 0
                ? RandomGraphs.any(random.nextLong())
                : HubPrograms.graph(random),
            seed);
    PregelOracle.Run<R> expected = PregelOracle.run(graph, program);
    ProgramInstance lifted = EngineTrial.instance(program, seed);
    ShardedTrial any = ShardedTrial.any(random, KernelChoice.AUTO);
    int shards = 1 + random.nextInt(4);
    ShardedTrial trial =
        new ShardedTrial(
            shards,
            shards + random.nextInt(3),
            kernel,
            any.threads(),
            any.inPlaceIfAllowed(),
            ExchangeMode.REFINED,
            any.encoding(),
            any.localSupersteps(),
            restoreAfter.orElse(any.restoreAfter()),
            any.seed(),
            List.of(1, 2, 5, 31, 1000).get(random.nextInt(5)));
    boolean mixed = seed % 3 == 2;
    String how = "seed " + seed + ", " + trial + (mixed ? ", CPU and device" : "");
    ShardedTrial.Run<R> run;
    try {
      run =
          trial.run(
              mixed ? List.of(new CpuEngine(), device) : List.of(device), lifted, program, graph);
    } catch (RuntimeException | LinkageError e) {
      throw new AssertionError(how + ": " + program + " on " + graph.describe(), e);
    }
    Compare.assertSame(expected.result(), run.result(), graph, program, how);
    if (!run.inPlace()) {
      ShardedTrial.assertSameSteps(expected.steps(), run.epochs(), how + " " + program);
    }
    boolean activeSourcesSpeak =
        program.direction == ActiveDirection.OUT && trial.kernel() == KernelChoice.SPARSE;
    if (!mixed
        && !run.inPlace()
        && !run.epochs().isEmpty()
        && (program.emptyMessage != null || activeSourcesSpeak)) {
      // Each edge is evaluated where its source is, or where its destination is.
      for (int step = 1; step < run.epochs().size(); step++) {
        assertThat(run.epochs().get(step).edgesEvaluated())
            .as(how + ", edges of superstep " + step)
            .isEqualTo(expected.steps().get(step).edges());
      }
    }
    seen.messages += run.messages();
    seen.restored += run.messages() > 0 && trial.restoreAfter() >= 0 ? 1 : 0;
    seen.mixed += run.messages() > 0 && mixed && shards > 1 ? 1 : 0;
  }

  private Seen check(HubPrograms.Kind kind, int cases) {
    Seen seen = new Seen();
    try (Device device = openDevice(kind.ordinal());
        DeviceEngine engine = engine(device)) {
      for (int seed = 0; seed < cases; seed++) {
        check(HubPrograms.of(kind, new Random(seed)), seed, inPieces(engine, seed), seen);
      }
    }
    return seen;
  }

  /** Runs of which a superstep was told, but then done again. */
  @Test
  void edgesBeforeARestoreDoNotCount() {
    Seen seen = new Seen();
    try (Device device = openDevice(1);
        DeviceEngine engine = engine(device)) {
      for (int seed = 0; seed < 40; seed++) {
        check(
            HubPrograms.of(HubPrograms.Kind.ACTIVE_WHEN, new Random(seed)),
            seed,
            inPieces(engine, seed),
            seen,
            KernelChoice.SPARSE,
            OptionalInt.of(1 + seed % 3));
      }
    }
    assertThat(seen.restored).isGreaterThan(5);
  }

  private void areTold(HubPrograms.Kind kind) {
    Seen seen = check(kind, CASES);
    assertThat(seen.messages).as("partial messages").isGreaterThan(100);
    assertThat(seen.restored).as("runs that were restored").isGreaterThan(2);
    assertThat(seen.mixed).as("runs of CPUs and devices").isGreaterThan(2);
  }

  @Test
  void hubsOfProgramsThatRunEveryVertexAreTold() {
    areTold(HubPrograms.Kind.EVERY_VERTEX);
  }

  @Test
  void valuesOfEdgesAndTwoColumnsOfMessagesAreMerged() {
    areTold(HubPrograms.Kind.EVERY_VERTEX_EDGES);
  }

  /** Of programs in which not every vertex runs. */
  @ParameterizedTest
  @EnumSource(
      value = HubPrograms.Kind.class,
      names = {"LEAST", "LEAST_EITHER", "ACTIVE_SUM", "ACTIVE_WHEN", "FADING"})
  void hubsAreToldWhatActiveVerticesSay(HubPrograms.Kind kind) {
    areTold(kind);
  }

  /** Devices push what such programs say, so nobody tells hubs anything where one takes part. */
  @Test
  void programsInPlaceRunAsWithoutHubs() {
    assertThat(check(HubPrograms.Kind.LEVELS, 6).messages).isZero();
  }
}
