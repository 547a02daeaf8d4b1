package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.PartialExchange;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.EngineTrial;
import org.sparkgpugraph.runtime.HubPrograms;
import org.sparkgpugraph.runtime.ShardedTrial;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.ShardGraphs;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Shards that tell each other's hubs partial messages give, to the bit, what {@link PregelOracle}
 * gives: programs of every kind that may, over 1 to 4 shards of 1 to 3 partitions, with every
 * kernel and snapshots in the middle. More cases: {@code -DpropertyCases=100000}.
 */
@Tag("any-spark")
class PartialMessagesTest {
  private static final int CASES = Integer.getInteger("propertyCases", 40);
  private static final Engine ENGINE = new CpuEngine();

  /** The usual one, one whose loops call the functions, one with copies and many threads. */
  private static final List<Engine> ENGINES =
      List.of(ENGINE, new CpuEngine(0, true), new CpuEngine(0, false, Interleaving.ALWAYS));

  /** What some cases did together. */
  private static final class Seen {
    private long messages;
    private int inPlace;
    private int stopped;
    private int restored;
    private int sparse;
    private int dense;
  }

  private static <VD, ED, S, A, R> void check(
      TestProgram<VD, ED, S, A, R> program, long seed, Seen seen) {
    Random random = new Random(seed * 7919);
    TestGraph<Object, Object> shape =
        switch (random.nextInt(4)) {
          case 0 -> RandomGraphs.any(random.nextLong());
          case 1 -> HubPrograms.layers(random);
          default -> HubPrograms.graph(random);
        };
    TestGraph<VD, ED> graph = program.on(shape, seed);
    PregelOracle.Run<R> expected = PregelOracle.run(graph, program);
    ProgramInstance lifted = EngineTrial.instance(program, seed);
    for (KernelChoice kernel :
        List.of(KernelChoice.AUTO, KernelChoice.DENSE, KernelChoice.SPARSE)) {
      ShardedTrial any = ShardedTrial.any(random, kernel);
      int shards = 1 + random.nextInt(4);
      ShardedTrial trial =
          new ShardedTrial(
              shards,
              shards + random.nextInt(4),
              kernel,
              any.threads(),
              any.inPlaceIfAllowed(),
              ExchangeMode.REFINED,
              any.encoding(),
              any.localSupersteps(),
              any.restoreAfter(),
              any.seed(),
              List.of(1, 2, 5, 31, 1000).get(random.nextInt(5)));
      String how = "seed " + seed + ", " + trial;
      ShardedTrial.Run<R> run;
      try {
        run = trial.run(List.of(ENGINES.get((int) (seed % 3))), lifted, program, graph);
      } catch (RuntimeException | LinkageError | AssertionError e) {
        throw new AssertionError(how + ": " + program + " on " + graph.describe(), e);
      }
      Compare.assertSame(expected.result(), run.result(), graph, program, how);
      if (!run.inPlace()) {
        ShardedTrial.assertSameSteps(expected.steps(), run.epochs(), how + " " + program);
      }
      seen.messages += run.messages();
      seen.stopped +=
          run.messages() > 0 && run.notes().stream().anyMatch(n -> n.startsWith("rows stopped"))
              ? 1
              : 0;
      seen.inPlace += run.inPlace() && run.messages() > 0 ? 1 : 0;
      seen.restored += run.messages() > 0 && trial.restoreAfter() >= 0 ? 1 : 0;
      for (SuperstepStats stats : run.epochs()) {
        seen.sparse += run.messages() > 0 && stats.kernel() == KernelChoice.SPARSE ? 1 : 0;
        seen.dense += run.messages() > 0 && stats.kernel() == KernelChoice.DENSE ? 1 : 0;
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HubPrograms.Kind.class)
  void hubsGiveWhatTheReferenceGives(HubPrograms.Kind kind) {
    Seen seen = new Seen();
    for (int seed = 0; seed < CASES; seed++) {
      check(HubPrograms.of(kind, new Random(seed)), seed, seen);
    }
    assertThat(seen.messages).as("partial messages").isGreaterThan(200);
    assertThat(seen.restored).as("runs that were restored").isGreaterThan(5);
    assertThat(seen.dense).as("dense supersteps").isGreaterThan(20);
    if (kind != HubPrograms.Kind.EVERY_VERTEX && kind != HubPrograms.Kind.EVERY_VERTEX_EDGES) {
      assertThat(seen.sparse).as("sparse supersteps").isGreaterThan(20);
    }
    if (kind == HubPrograms.Kind.LABELS || kind == HubPrograms.Kind.PATHS) {
      assertThat(seen.inPlace).as("runs in place").isGreaterThan(5);
    }
    if (kind == HubPrograms.Kind.LEVELS) {
      assertThat(seen.stopped).as("runs whose rows stopped early").isGreaterThan(2);
    }
  }

  @Test
  void programsGiveWhatTheReferenceGivesWhetherHubsAreToldOrNot() {
    Seen seen = new Seen();
    for (int seed = 0; seed < 2 * CASES; seed++) {
      long mixed = new Random(seed * 31L + 7).nextLong();
      check(RandomPrograms.any(mixed), seed, seen);
    }
    assertThat(seen.messages).as("partial messages").isGreaterThan(200);
  }

  /**
   * What rows wait for before they stop is also what hubs were told: a hub that is as good as all
   * that vertices here say is walked when it was told something better.
   */
  @Test
  void aHubHearsWhatIsBetterThanAllThatIsSaidHere() {
    Random random = new Random(5);
    // Most vertices of one shard; of the other two layers, the second before the first, a hub in
    // the first, and the start.
    int far = 50;
    int second = far + 100;
    int hub = second + 100;
    int start = hub + 1;
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < second; v++) {
      for (int e = 0; e < (v < far ? 30 : 15); e++) {
        edges.add(new int[] {v < far ? random.nextInt(far) : second + random.nextInt(100), v});
      }
    }
    for (int v = second; v <= hub; v++) {
      edges.add(new int[] {start, v});
    }
    for (int v = 0; v < 8; v++) {
      edges.add(new int[] {v, hub});
    }
    TestGraph<Long, Integer> graph =
        new TestGraph<>(
            "layers",
            LongStream.rangeClosed(0, start).toArray(),
            LongStream.rangeClosed(0, start)
                .mapToObj(v -> v == start ? 3 : Long.MAX_VALUE)
                .toList(),
            edges.stream().mapToLong(edge -> edge[0]).toArray(),
            edges.stream().mapToLong(edge -> edge[1]).toArray(),
            Collections.nCopies(edges.size(), 1));
    TestProgram<Long, Integer, Long, Long, Long> program = HubPrograms.levels();
    ProgramInstance lifted = ProgramLifter.lift(program.source());
    ExecutorGraph shard = ShardGraphs.split(EngineTrial.build(graph, program, 2, 1), 1).get(1);
    int local = shard.partitions().get(0).stored() - 2;
    assertThat(shard.partitions().get(0).originalId(local)).isEqualTo(hub);
    RunSettings settings =
        new EngineTrial(1, KernelChoice.AUTO, 1, true)
            .settings(lifted.program(), program)
            .withHubs(7);
    try (EngineRun run =
        ENGINE.open(
            shard,
            lifted,
            EngineTrial.attributes(shard, graph, lifted.program().attribute()),
            settings)) {
      run.initialise();
      run.step(new double[0]);
      assertThat(run.values(0).longs(0)[local]).isEqualTo(4);
      PartialExchange hubs = run.partialExchange().orElseThrow();
      hubs.outgoing();
      RefinedUpdates told = new RefinedUpdates(lifted.program().message().columns());
      told.add(0, true, true);
      told.values().longs(0)[0] = 1;
      hubs.incomingMessages(0, List.of(told));
      run.step(new double[0]);
      assertThat(run.values(0).longs(0)[local]).isEqualTo(1);
      assertThat(run.values(0).longs(0)[far]).isEqualTo(5);
    }
  }
}
