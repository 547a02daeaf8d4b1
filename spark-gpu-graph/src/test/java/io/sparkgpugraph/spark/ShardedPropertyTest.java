package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkgpugraph.engine.Engine;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.SuperstepStats;
import io.sparkgpugraph.engine.cpu.CpuEngine;
import io.sparkgpugraph.program.ProgramInstance;
import io.sparkgpugraph.program.lift.ProgramLifter;
import io.sparkgpugraph.testing.Compare;
import io.sparkgpugraph.testing.RandomGraphs;
import io.sparkgpugraph.testing.RandomPrograms;
import io.sparkgpugraph.testing.ReferencePregel;
import io.sparkgpugraph.testing.TestGraph;
import io.sparkgpugraph.testing.TestProgram;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs of an engine on the shards of a graph give, to the bit, what {@link ReferencePregel} gives:
 * random graphs and programs, 1 to 4 shards of 1 to 3 partitions, every kernel, every mode of
 * exchange, several local supersteps, snapshots in the middle. More cases: {@code
 * -DpropertyCases=100000}; one case: {@code -DpropertySeed=N}.
 */
class ShardedPropertyTest {
  private static final int BATCHES = 20;
  private static final int CASES = Integer.getInteger("propertyCases", 2000);
  private static final Engine ENGINE = new CpuEngine();

  static IntStream batches() {
    return IntStream.range(0, Long.getLong("propertySeed") == null ? BATCHES : 1);
  }

  @ParameterizedTest
  @MethodSource("batches")
  void shardsGiveWhatTheReferenceGives(int batch) {
    Long only = Long.getLong("propertySeed");
    if (only != null) {
      check(ENGINE, RandomPrograms.any(only), only);
      return;
    }
    for (long seed = batch; seed < CASES; seed += BATCHES) {
      check(ENGINE, RandomPrograms.any(seed), seed);
    }
  }

  /** Tries a program on a graph in three ways. */
  static <VD, ED, S, A, R> void check(
      Engine engine, TestProgram<VD, ED, S, A, R> program, long seed) {
    TestGraph<VD, ED> graph = program.on(RandomGraphs.any(seed * 5 + 1), seed);
    ReferencePregel.Run<R> expected = ReferencePregel.run(graph, program);
    ProgramInstance lifted = ProgramLifter.lift(program.source());
    Random random = new Random(seed);
    for (KernelChoice kernel : KernelChoice.values()) {
      ShardedTrial trial = ShardedTrial.any(random, kernel);
      String how = "seed " + seed + ", " + trial;
      ShardedTrial.Run<R> run;
      try {
        run = trial.run(engine, lifted, program, graph);
      } catch (RuntimeException | LinkageError | AssertionError e) {
        throw new AssertionError(how + ": " + program + " on " + graph.describe(), e);
      }
      Compare.assertSame(expected.result(), run.result(), graph, program, how);
      if (!run.inPlace()) {
        assertSameSteps(expected.steps(), run.epochs(), how + " " + program);
      }
    }
  }

  private static void assertSameSteps(
      List<ReferencePregel.Step> expected, List<SuperstepStats> actual, String how) {
    assertThat(actual).as(how).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      String where = how + ", superstep " + i;
      assertThat(actual.get(i).superstep()).as(where).isEqualTo(i);
      assertThat(actual.get(i).verticesRun())
          .as(where + ": vertices run")
          .isEqualTo(expected.get(i).verticesRun());
      assertThat(actual.get(i).activeVertices())
          .as(where + ": active vertices")
          .isEqualTo(expected.get(i).activeVertices());
      assertThat(actual.get(i).aggregates())
          .as(where + ": aggregates")
          .isEqualTo(expected.get(i).aggregates());
    }
  }
}
