package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;

/** What learns from arrays gives over two executors, also when these die, what one gives. */
@Tag("any-spark")
class LearningClusterTest {
  private static final int STEPS = 6;
  private static final double EPSILON = 1e-4;
  private static final RunObserver NONE = new RunObserver() {};
  private static final RunOptions ONE = RunOptions.DEFAULT.withExecutors(1);
  private static final RunOptions TWO = RunOptions.DEFAULT.withExecutors(2);

  @TempDir static Path scratch;
  private static Cluster cluster;
  private static JavaSparkContext sc;

  @BeforeAll
  static void start() {
    cluster = Cluster.of(3).set("spark.gpugraph.engine", "cpu").start(scratch);
    sc = cluster.context();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void nothingIsLeft() {
    sc.setLocalProperty("spark.gpugraph.checkpointInterval", null);
    cluster.awaitExecutors();
    cluster.awaitNothingHeld();
    assertThat(cluster.temporaryFiles()).isEmpty();
  }

  private static void assertClose(
      String what, Map<Long, double[]> found, Map<Long, double[]> expected, double bound) {
    assertThat(found.keySet()).as(what).isEqualTo(expected.keySet());
    expected.forEach(
        (id, values) ->
            assertThat(found.get(id))
                .as(what + ", vertex " + id)
                .containsExactly(values, within(bound)));
  }

  @ParameterizedTest
  @EnumSource
  void twoExecutorsGiveWhatOneGives(Learning learning) {
    try (ResidentGraph<?, ?> one = learning.load(sc, ONE);
        ResidentGraph<?, ?> two = learning.load(sc, TWO)) {
      assertThat(Internals.state(two).handle().locations()).hasSize(2);
      Convergence every = Convergence.everyEdge(0, STEPS);
      Map<Long, double[]> expected = learning.values(one, every, ONE, NONE);
      Map<Long, double[]> found = learning.values(two, every, TWO, NONE);
      assertClose(learning + ", every edge", found, expected, 1e-12);
      Map<Long, double[]> deltas = learning.values(two, Convergence.deltas(0, STEPS), TWO, NONE);
      assertClose(learning + ", every change", deltas, expected, 1e-9);
      Convergence some = Convergence.deltas(EPSILON, STEPS);
      assertClose(
          learning + ", changes above " + EPSILON,
          learning.values(two, some, TWO, NONE),
          expected,
          100 * EPSILON);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "BELIEFS,changes,true",
    "BELIEFS_OF_EDGES,changes,false",
    "LABELS,changes,true",
    "MODES,every,true",
    "RANKINGS,changes,false",
    "FACTORS,every,false",
    "FACTORS,changes,true",
  })
  void aRunGoesOnWhenExecutorsAreLost(Learning learning, String how, boolean withCheckpoints)
      throws Exception {
    Convergence until =
        how.equals("every") ? Convergence.everyEdge(0, STEPS) : Convergence.deltas(EPSILON, STEPS);
    if (withCheckpoints) {
      sc.setCheckpointDir(scratch.resolve("checkpoints").toString());
      sc.setLocalProperty("spark.gpugraph.checkpointInterval", "2");
    } else {
      sc.setCheckpointDir(null);
    }
    try (ResidentGraph<?, ?> two = learning.load(sc, TWO)) {
      Map<Long, double[]> undisturbed = learning.values(two, until, TWO, NONE);
      // Messages of beliefs are a graph of their own, of two of the three executors: one of them
      // is an owner of the given one.
      int back = -1;
      for (String owner : List.copyOf(Internals.state(two).handle().locations())) {
        try (Faults faults = new Faults().behind(3, () -> cluster.kill(owner))) {
          Map<Long, double[]> found = learning.values(two, until, TWO, faults);
          assertClose(learning + " after a loss", found, undisturbed, 0);
          back = Math.max(back, faults.wentBackTo());
        }
        if (back >= 0) {
          break;
        }
        cluster.awaitExecutors();
      }
      assertThat(back).as("superstep that was gone back to").isNotNegative();
    }
  }
}
