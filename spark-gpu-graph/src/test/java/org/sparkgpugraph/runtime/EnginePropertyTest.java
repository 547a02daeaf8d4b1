package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Lifted programs on the CPU engine give, to the bit, what the original lambdas give in {@link
 * PregelOracle}: random graphs and programs, every direction and side, 1 to 4 partitions, every
 * kernel. More cases: {@code -DpropertyCases=100000}; one case: {@code -DpropertySeed=N}.
 */
@Tag("any-spark")
public class EnginePropertyTest {
  private static final int BATCHES = 20;
  private static final int CASES = Integer.getInteger("propertyCases", 1000);
  private static final Engine ENGINE = new CpuEngine();

  static IntStream batches() {
    return IntStream.range(0, Long.getLong("propertySeed") == null ? BATCHES : 1);
  }

  @ParameterizedTest
  @MethodSource("batches")
  void theEngineGivesWhatTheReferenceGives(int batch) {
    Long only = Long.getLong("propertySeed");
    if (only != null) {
      check(RandomPrograms.any(only), only);
      return;
    }
    for (long seed = batch; seed < CASES; seed += BATCHES) {
      check(RandomPrograms.any(seed), seed);
    }
  }

  public static <VD, ED, S, A, R> void check(TestProgram<VD, ED, S, A, R> program, long seed) {
    TestGraph<VD, ED> graph = program.on(RandomGraphs.any(seed * 7 + 3), seed);
    PregelOracle.Run<R> expected = PregelOracle.run(graph, program);
    ProgramInstance lifted;
    try {
      lifted = EngineTrial.instance(program, seed);
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + program + " cannot be lifted", e);
    }
    Random random = new Random(seed);
    for (KernelChoice kernel : KernelChoice.values()) {
      EngineTrial trial =
          new EngineTrial(
              1 + random.nextInt(4), kernel, 1 + random.nextInt(2), random.nextBoolean());
      String how = "seed " + seed + ", " + trial;
      EngineTrial.Run<R> run;
      try {
        run = trial.run(ENGINE, lifted, program, graph);
      } catch (RuntimeException | LinkageError e) {
        throw new AssertionError(how + ": " + program + " on " + graph.describe(), e);
      }
      Compare.assertSame(expected.result(), run.result(), graph, program, how);
      if (!run.inPlace()) {
        assertSameSteps(expected.steps(), run.summary().supersteps(), how + " " + program);
      }
    }
  }

  /** In place, supersteps are not those of Pregel; else they must be, step by step. */
  private static void assertSameSteps(
      List<PregelOracle.Step> expected, List<SuperstepStats> actual, String how) {
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
