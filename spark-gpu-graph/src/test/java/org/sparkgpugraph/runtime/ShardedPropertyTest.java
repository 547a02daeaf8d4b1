package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Runs of an engine on the shards of a graph give, to the bit, what {@link PregelOracle} gives:
 * random graphs and programs, 1 to 4 shards of 1 to 3 partitions, every kernel, every mode of
 * exchange, several local supersteps, snapshots in the middle. More cases: {@code
 * -DpropertyCases=100000}; one case: {@code -DpropertySeed=N}.
 */
@Tag("any-spark")
class ShardedPropertyTest {
  private static final int BATCHES = 20;
  private static final int CASES = Integer.getInteger("propertyCases", 600);
  private static final Engine ENGINE = new CpuEngine();

  static IntStream batches() {
    return IntStream.range(0, Long.getLong("propertySeed") == null ? BATCHES : 1);
  }

  @ParameterizedTest
  @MethodSource("batches")
  void shardsGiveWhatTheReferenceGives(int batch) {
    Long only = Long.getLong("propertySeed");
    if (only != null) {
      ShardedTrial.check(RandomPrograms.any(only), only, ENGINE);
      return;
    }
    for (long seed = batch; seed < CASES; seed += BATCHES) {
      ShardedTrial.check(RandomPrograms.any(seed), seed, ENGINE);
    }
  }

  /** Labels run against the order of the rows, so a superstep in place takes them one step. */
  @Test
  void localSuperstepsCutExchanges() {
    int side = 40;
    long[] ids = LongStream.range(0, side * side).toArray();
    List<Long> sources = new ArrayList<>();
    List<Long> destinations = new ArrayList<>();
    for (long v = 0; v < side * side; v++) {
      if (v % side + 1 < side) {
        sources.add(v);
        destinations.add(v + 1);
      }
      if (v + side < side * side) {
        sources.add(v);
        destinations.add(v + side);
      }
    }
    TestGraph<Long, Integer> graph =
        new TestGraph<>(
            "lattice",
            ids,
            Arrays.stream(ids).mapToObj(v -> -v).toList(),
            sources.stream().mapToLong(v -> v).toArray(),
            destinations.stream().mapToLong(v -> v).toArray(),
            Collections.nCopies(sources.size(), 1));
    TestProgram<Long, Integer, Long, Long, Long> program =
        new TestProgram<Long, Integer, Long, Long, Long>(
                "components", Long.class, Integer.class, Long.class, Long.class)
            .initial(Long.MAX_VALUE)
            .vertex((id, value, message) -> Math.min(value, message))
            .send(
                edge -> {
                  if (edge.srcAttr() < edge.dstAttr()) {
                    edge.sendToDst(edge.srcAttr());
                  } else if (edge.srcAttr() > edge.dstAttr()) {
                    edge.sendToSrc(edge.dstAttr());
                  }
                })
            .merge(Math::min);
    ProgramInstance lifted = ProgramLifter.lift(program.source());
    for (ExchangeMode mode : ExchangeMode.values()) {
      int[] epochs = new int[2];
      for (int i = 0; i < 2; i++) {
        ShardedTrial trial =
            new ShardedTrial(
                2,
                2,
                KernelChoice.AUTO,
                1,
                true,
                mode,
                UpdateEncoding.PACKED,
                i == 0 ? 1 : 1000,
                -1,
                7);
        ShardedTrial.Run<Long> run = trial.run(List.of(ENGINE), lifted, program, graph);
        assertThat(run.result().values()).containsOnly(1L - side * side);
        epochs[i] = run.epochs().size();
      }
      assertThat(epochs[0]).as("%s", mode).isGreaterThan(2 * side - 10);
      assertThat(epochs[1]).as("%s", mode).isLessThan(epochs[0] / 10);
    }
  }
}
