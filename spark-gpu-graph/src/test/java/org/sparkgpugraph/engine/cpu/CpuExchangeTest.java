package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.UnrefinedExchange;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.ShardedTrial;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.ShardGraphs;

/**
 * What CPU runs of two executor graphs tell each other, on shortest paths along a path of 100
 * vertices: 0 … 49 are held by the first and 50 … 99 by the second, each is a ghost of the other's
 * nearest one.
 */
@Tag("any-spark")
class CpuExchangeTest {
  private final CpuEngine engine = new CpuEngine();
  private final List<ExecutorGraph> shards;
  private final List<EngineRun> runs = new ArrayList<>();

  CpuExchangeTest() {
    long[] ids = new long[100];
    int[] sources = new int[99];
    int[] destinations = new int[99];
    Arrays.setAll(ids, v -> 10L * v);
    Arrays.setAll(sources, e -> e);
    Arrays.setAll(destinations, e -> e + 1);
    Columns lengths = Columns.allocate(List.of(Kind.DOUBLE), 99);
    Arrays.fill(lengths.doubles(0), 1);
    shards = ShardGraphs.split(new SimpleGraph(ids, null, sources, destinations, lengths, 50), 1);
  }

  @AfterEach
  void close() {
    runs.forEach(EngineRun::close);
  }

  private static RunSettings settings(boolean inPlace, ExchangeMode mode) {
    return new RunSettings(
        new Object[] {Double.POSITIVE_INFINITY},
        null,
        ActiveDirection.OUT,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        inPlace,
        KernelChoice.AUTO,
        1,
        null,
        mode);
  }

  private EngineRun open(int shard, boolean inPlace, ExchangeMode mode) {
    ExecutorGraph graph = shards.get(shard);
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), 51);
    Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
    if (shard == 0) {
      attributes.doubles(0)[0] = 0;
    }
    EngineRun run =
        engine.open(
            graph, IrPrograms.shortestPaths(), List.of(attributes), settings(inPlace, mode));
    runs.add(run);
    return run;
  }

  @Test
  void whatChangedIsToldOnceAndWakesItsReader() {
    EngineRun first = open(0, false, ExchangeMode.REFINED);
    EngineRun second = open(1, false, ExchangeMode.REFINED);
    first.initialise();
    second.initialise();
    for (int step = 1; step <= 60; step++) {
      SuperstepStats home = first.step(new double[0]);
      SuperstepStats reader = second.step(new double[0]);
      assertThat(home.activeVertices()).as("step %s", step).isEqualTo(step < 50 ? 1 : 0);
      assertThat(reader.activeVertices()).as("step %s", step).isEqualTo(step < 50 ? 0 : 1);
      if (step > 1) {
        assertThat(List.of(home.kernel(), reader.kernel())).containsOnly(KernelChoice.SPARSE);
        // Vertex 49 has no edge in the first: its row is at the second.
        assertThat(home.edgesEvaluated()).as("step %s", step).isEqualTo(step < 50 ? 1 : 0);
        assertThat(reader.edgesEvaluated()).as("step %s", step).isEqualTo(step < 50 ? 0 : 1);
      }
      RefinedUpdates said = first.outgoing().get(0);
      assertThat(said.count()).as("step %s", step).isEqualTo(step == 49 ? 1 : 0);
      if (step == 49) {
        assertThat(said.position(0)).isZero();
        assertThat(said.isValued(0)).isTrue();
        assertThat(said.isActive(0)).isTrue();
        assertThat(said.values().doubles(0)[0]).isEqualTo(49);
      }
      second.incoming(0, List.of(said));
      first.incoming(0, List.of(second.outgoing().get(0)));
    }
    assertThat(second.values(0).doubles(0)[10]).isEqualTo(60);
  }

  @Test
  void inPlaceSeveralStepsMayPassBeforeOneIsTold() {
    EngineRun first = open(0, true, ExchangeMode.REFINED);
    EngineRun second = open(1, true, ExchangeMode.REFINED);
    first.initialise();
    second.initialise();
    second.step(new double[0]);
    second.outgoing();
    while (first.step(new double[0]).activeVertices() > 0) {}
    // It changed some steps ago, and is active for its reader all the same.
    RefinedUpdates said = first.outgoing().get(0);
    assertThat(said.count()).isEqualTo(1);
    assertThat(said.isActive(0)).isTrue();
    second.incoming(0, List.of(said));
    assertThat(second.step(new double[0]).verticesRun()).isPositive();
    assertThat(first.outgoing().get(0).count()).isZero();
  }

  @Test
  void aStepBeforeOthersWereToldOfTheLastIsRefused() {
    EngineRun run = open(0, false, ExchangeMode.REFINED);
    run.initialise();
    run.step(new double[0]);
    assertThatThrownBy(() -> run.step(new double[0]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("other executor graphs have not been told what the last superstep changed");
  }

  @Test
  void withoutRefinementEverythingIsToldAfterEveryStep() {
    for (ExchangeMode mode : List.of(ExchangeMode.BOUNDARY, ExchangeMode.ALL)) {
      EngineRun first = open(0, false, mode);
      EngineRun second = open(1, false, mode);
      first.initialise();
      second.initialise();
      assertThat(first.outgoing().get(0).count()).as("%s, superstep 0", mode).isZero();
      int size = mode == ExchangeMode.ALL ? 50 : 1;
      for (int step = 1; step <= 60; step++) {
        first.step(new double[0]);
        second.step(new double[0]);
        RefinedUpdates said = first.outgoing().get(0);
        assertThat(said.valuedCount()).as("%s", mode).isEqualTo(size);
        assertThat(said.activeCount())
            .as("%s", mode)
            .isEqualTo(mode == ExchangeMode.ALL ? step < 50 ? 1 : 0 : step == 49 ? 1 : 0);
        second.incoming(0, List.of(said));
        first.incoming(0, List.of(second.outgoing().get(0)));
      }
      assertThat(second.values(0).doubles(0)[10]).as("%s", mode).isEqualTo(60);
    }
    ExchangeVolume full =
        UnrefinedExchange.outgoing(shards.get(0), IrPrograms.shortestPaths().program());
    // A position, two words of bits for each 64, a value.
    assertThat(full).isEqualTo(new ExchangeVolume(4 + 16 + 8, 50 * 4 + 16 + 50 * 8));
  }

  @Test
  void aRestoredRunTellsAllOnceAndGoesOn() {
    EngineRun before = open(0, false, ExchangeMode.REFINED);
    before.initialise();
    assertThat(before.activity(0)).containsExactly((1L << 50) - 1);
    for (int step = 1; step <= 20; step++) {
      before.step(new double[0]);
      before.outgoing();
      assertThat(before.activity(0)).as("step %s", step).containsExactly(1L << step);
    }
    EngineRun after = open(0, false, ExchangeMode.REFINED);
    after.restore(20, List.of(before.values(0)), List.of(before.activity(0)));
    assertThatThrownBy(() -> after.step(new double[0])).hasMessageContaining("have not been told");
    EngineRun again = open(0, false, ExchangeMode.REFINED);
    again.restore(20, List.of(before.values(0)), List.of(before.activity(0)));
    RefinedUpdates said = again.outgoing().get(0);
    assertThat(said.valuedCount()).isEqualTo(1);
    assertThat(said.activeCount()).isZero();
    assertThat(again.outgoing().get(0).count()).isZero();
    SuperstepStats stats = again.step(new double[0]);
    assertThat(stats.superstep()).isEqualTo(21);
    assertThat(stats.edgesEvaluated()).isEqualTo(1);
    assertThat(again.values(0).doubles(0)[21]).isEqualTo(21);
    assertThat(again.outgoing().get(0).count()).isZero();
  }

  /** What changed in place some steps before the snapshot is not active any more, nor lost. */
  @Test
  void aSnapshotInPlaceForgetsNobodyWhoWasStillToBeWoken() {
    EngineRun first = open(0, true, ExchangeMode.REFINED);
    EngineRun second = open(1, true, ExchangeMode.REFINED);
    first.initialise();
    second.initialise();
    second.step(new double[0]);
    int steps = 0;
    do {
      steps++;
    } while (first.step(new double[0]).activeVertices() > 0);
    EngineRun restoredFirst = open(0, true, ExchangeMode.REFINED);
    EngineRun restoredSecond = open(1, true, ExchangeMode.REFINED);
    restoredFirst.restore(steps, List.of(first.values(0)), List.of(first.activity(0)));
    restoredSecond.restore(steps, List.of(second.values(0)), List.of(second.activity(0)));
    restoredSecond.incoming(0, List.of(restoredFirst.outgoing().get(0)));
    restoredFirst.incoming(0, List.of(restoredSecond.outgoing().get(0)));
    restoredSecond.step(new double[0]);
    assertThat(restoredSecond.values(0).doubles(0)[0]).isEqualTo(50);
  }

  @Test
  void updatesOfAnotherListAreRefused() {
    EngineRun run = open(1, false, ExchangeMode.REFINED);
    run.initialise();
    RefinedUpdates updates = new RefinedUpdates(List.of(Kind.DOUBLE));
    updates.add(1, true, true);
    assertThatThrownBy(() -> run.incoming(0, List.of(updates)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an update of position 1 in boundary list 0 to 0 of 1 vertices");
  }

  @Test
  void theEstimateCountsWhatExportsNeed() {
    // Values in two buffers; four bitmaps of 51 bits and the changes of a superstep, each a word
    // and its summary; changes that were not told yet.
    assertThat(
            engine.estimate(
                shards.get(0), IrPrograms.shortestPaths(), settings(false, ExchangeMode.REFINED)))
        .isEqualTo(2 * 8 * 51 + 5 * 16 + 16);
  }

  /** However little there is to do, it is done on all threads. */
  @Test
  void partitionsExchangeOnAllThreads() {
    CpuEngine eager = new CpuEngine(-1, false);
    for (long seed = 0; seed < 100; seed++) {
      ShardedTrial.check(RandomPrograms.any(seed), seed, eager);
    }
  }
}
