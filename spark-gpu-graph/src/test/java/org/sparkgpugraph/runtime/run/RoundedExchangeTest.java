package org.sparkgpugraph.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.exchange.UpdateFormat;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.SparkShardTrial;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/** Programs over several executors whose doubles are rounded on the way. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class RoundedExchangeTest {
  private static final String KEY = "spark.gpugraph.exchange.significantBits";
  private static final int SHARDS = 3;
  private static final long SEED = 5;

  private final JavaSparkContext sc;
  @TempDir private Path scratch;

  RoundedExchangeTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  /** Ranks that are not of float's precision from superstep 0 on. */
  private static TestProgram<Integer, Integer, Double, Double, Double> ranks(int supersteps) {
    return new TestProgram<Integer, Integer, Double, Double, Double>(
            "ranks", Integer.class, Integer.class, Double.class, Double.class)
        .inputs(r -> r.nextInt(100), r -> 1 + r.nextInt(4))
        .state((id, attribute, in, out) -> 1.0 / (3 + attribute))
        .everyVertex(0.0)
        .vertex((id, value, message) -> 0.15 + 0.85 * message)
        .send(edge -> edge.sendToDst(edge.srcAttr() / (20 * edge.attr())))
        .merge(Double::sum)
        .maxIterations(supersteps);
  }

  /** Shortest paths: monotone. */
  private static TestProgram<Integer, Integer, Double, Double, Double> paths() {
    return new TestProgram<Integer, Integer, Double, Double, Double>(
            "paths", Integer.class, Integer.class, Double.class, Double.class)
        .inputs(r -> r.nextInt(100), r -> 1 + r.nextInt(40))
        .state((id, attribute, in, out) -> attribute == 7 ? 0.0 : Double.MAX_VALUE)
        .initial(Double.MAX_VALUE)
        .direction(ActiveDirection.OUT)
        .vertex((id, value, message) -> Math.min(value, message))
        .send(
            edge -> {
              if (edge.srcAttr() + edge.attr() / 7.0 < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + edge.attr() / 7.0);
              }
            })
        .merge(Math::min);
  }

  private SparkShardTrial<Integer, Integer, Double, Double, Double> trial(
      TestProgram<Integer, Integer, Double, Double, Double> program, int bits) {
    return trial(program.on(RandomGraphs.of(RandomGraphs.Shape.SKEWED, SEED), SEED), program, bits);
  }

  private SparkShardTrial<Integer, Integer, Double, Double, Double> trial(
      TestGraph<Integer, Integer> graph,
      TestProgram<Integer, Integer, Double, Double, Double> program,
      int bits) {
    var trial = new SparkShardTrial<>(sc.sc(), graph, program, SHARDS, 1);
    trial.format = new UpdateFormat(UpdateEncoding.PACKED, bits);
    return trial;
  }

  /** Of so many vertices that headers do not count. */
  private static TestGraph<Integer, Integer> wide() {
    Random random = new Random(SEED);
    int vertices = 2000;
    int edges = 4 * vertices;
    return new TestGraph<>(
        "wide, seed " + SEED,
        LongStream.range(0, vertices).toArray(),
        random.ints(vertices, 0, 100).boxed().toList(),
        random.longs(edges, 0, vertices).toArray(),
        random.longs(edges, 0, vertices).toArray(),
        random.ints(edges, 1, 5).boxed().toList());
  }

  private static long bytes(SparkShardTrial<?, ?, ?, ?, ?> trial) {
    return trial.summary().supersteps().stream().mapToLong(SuperstepStats::boundaryBytes).sum();
  }

  private static long updates(SparkShardTrial<?, ?, ?, ?, ?> trial) {
    return trial.summary().supersteps().stream().mapToLong(SuperstepStats::boundaryUpdates).sum();
  }

  private static double error(Map<Long, Double> result, Map<Long, Double> exact) {
    assertThat(result.keySet()).isEqualTo(exact.keySet());
    return exact.entrySet().stream()
        .mapToDouble(e -> Math.abs(result.get(e.getKey()) - e.getValue()) / Math.abs(e.getValue()))
        .max()
        .orElseThrow();
  }

  @Test
  void ranksDifferByTheBoundAndTakeFewerBytes() {
    int supersteps = 12;
    var program = ranks(supersteps);
    long exactBytes;
    try (var exact = trial(wide(), program, 53)) {
      // Shards add up in another order.
      assertThat(error(exact.run(), PregelOracle.run(exact.graph, program).result()))
          .isLessThan(1e-14);
      exactBytes = bytes(exact);
    }
    for (int bits : new int[] {24, 12}) {
      try (var rounded = trial(wide(), program, bits)) {
        double error = error(rounded.run(), PregelOracle.run(rounded.graph, program).result());
        // What a message is made of is off by the error before and by its own rounding.
        assertThat(error).isPositive().isLessThan(supersteps * Math.scalb(1.0, -bits));
        assertThat(bytes(rounded)).isPositive().isLessThan(exactBytes * (bits + 12) / 64);
      }
    }
  }

  @Test
  void aValueWhoseRoundedFormStaysIsNotSentAgain() {
    var program = ranks(60);
    try (var exact = trial(program, 53);
        var rounded = trial(program, 24)) {
      exact.run();
      rounded.run();
      // Ranks converge: the rounded ones stop while doubles still change.
      assertThat(updates(rounded)).isLessThan(updates(exact) * 3 / 4);
      assertThat(rounded.summary().supersteps().get(59).boundaryUpdates()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"CPU, 0", "CPU, 2", "EMULATED, 2"})
  void aRunThatLosesAShardGivesTheSameBits(EngineChoice engine, int checkpointInterval) {
    assumeTrue(
        engine == EngineChoice.CPU || EmulatedDevice.isAvailable(),
        "skipped: the emulated device needs g++ on the PATH");
    var program = ranks(9);
    sc.setCheckpointDir(scratch.toString());
    try (var calm = trial(program, 24);
        var disturbed = trial(program, 24)) {
      calm.engine = engine;
      disturbed.engine = engine;
      disturbed.checkpointInterval = checkpointInterval;
      AtomicInteger heard = new AtomicInteger();
      disturbed.listener =
          stats -> {
            if (heard.incrementAndGet() == 6) {
              assertThat(ExecutorRegistry.dropShard(GraphHandle.shardKey(disturbed.resultKey, 1)))
                  .isNotNull();
            }
          };
      assertThat(disturbed.run()).isEqualTo(calm.run());
      assertThat(heard.get()).as("supersteps, some of them again").isGreaterThan(10);
    } finally {
      sc.sc().checkpointDir_$eq(scala.Option.empty());
    }
  }

  @ParameterizedTest
  @CsvSource({"CPU, 1", "CPU, 1000", "EMULATED, 3"})
  void pathsInPlaceEndWhereSuperstepsDo(EngineChoice engine, int localSupersteps) {
    assumeTrue(
        engine == EngineChoice.CPU || EmulatedDevice.isAvailable(),
        "skipped: the emulated device needs g++ on the PATH");
    var program = paths();
    try (var inPlace = trial(program, 24);
        var bySupersteps = trial(program, 24)) {
      inPlace.engine = engine;
      inPlace.localSupersteps = localSupersteps;
      bySupersteps.inPlace = false;
      Map<Long, Double> paths = inPlace.run();
      assertThat(paths).isEqualTo(bySupersteps.run());
      // What is not reached is MAX_VALUE still.
      double error = error(paths, PregelOracle.run(inPlace.graph, program).result());
      assertThat(error).isLessThan(100 * Math.scalb(1.0, -24));
    }
  }

  // ---- by the setting -------------------------------------------------------------------------

  @Test
  void aSettingRoundsAndIsToldOf() {
    RunOptions cpu = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    JavaRDD<EdgeBlock> edges = new RmatGraph(8, 8, SEED).edges(sc, 2, true, false);
    for (int executors : new int[] {1, 2}) {
      try (ResidentGraph<?, ?> graph =
          ResidentGraph.load(edges, Double.class, cpu.withExecutors(executors))) {
        Map<Long, Double> exact = ranked(graph, cpu, null, false);
        assertThat(PageRank.explain(graph, 5, 0.15, cpu)).doesNotContain("significant bits");
        double error = error(ranked(graph, cpu, "24", executors > 1), exact);
        sc.setLocalProperty(KEY, "24");
        String explained = PageRank.explain(graph, 5, 0.15, cpu);
        if (executors == 1) {
          assertThat(error).as("nothing travels").isZero();
          assertThat(explained).doesNotContain("significant bits");
        } else {
          assertThat(error).isPositive().isLessThan(1e-6);
          assertThat(explained)
              .contains("rounded to 24 significant bits (" + KEY + ")", "how the graph is cut");
        }
      } finally {
        sc.setLocalProperty(KEY, null);
      }
    }
  }

  private Map<Long, Double> ranked(
      ResidentGraph<?, ?> graph, RunOptions options, String bits, boolean told) {
    sc.setLocalProperty(KEY, bits);
    try (VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, options)) {
      assertThat(
              ranks.report().notes().stream().anyMatch(note -> note.contains("significant bits")))
          .isEqualTo(told);
      return ranks.collectAsMap();
    } finally {
      sc.setLocalProperty(KEY, null);
    }
  }
}
