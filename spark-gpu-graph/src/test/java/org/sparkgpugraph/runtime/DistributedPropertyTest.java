package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.exchange.UpdateFormat;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.stage.Lanes;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Lifted programs on several shards, a map stage of Spark for each superstep, give to the bit what
 * the original lambdas give in {@link PregelOracle}: random graphs and programs, 2 to 4 shards of 1
 * or 2 partitions. More cases: {@code -DdistributedCases=1000}; one case: {@code -DpropertySeed=N}.
 */
@ExtendWith(SharedSpark.class)
class DistributedPropertyTest {
  private static final int CASES = Integer.getInteger("distributedCases", 40);

  @TempDir Path scratch;
  private final JavaSparkContext context;

  DistributedPropertyTest(JavaSparkContext context) {
    this.context = context;
  }

  @BeforeEach
  void checkpointDirectory() {
    context.setCheckpointDir(scratch.toString());
  }

  @AfterEach
  void noCheckpointDirectory() {
    context.sc().checkpointDir_$eq(scala.Option.empty());
  }

  static LongStream seeds() {
    Long only = Long.getLong("propertySeed");
    return only != null ? LongStream.of(only) : LongStream.range(0, CASES);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shardsGiveWhatTheReferenceGives(long seed) {
    check(RandomPrograms.any(seed), RandomGraphs.any(seed * 7 + 3), seed, 0);
  }

  /** Hubs are told partial messages, shards are lost and go back to checkpoints meanwhile. */
  @ParameterizedTest
  @EnumSource(HubPrograms.Kind.class)
  void shardsThatTellHubsGiveWhatTheReferenceGives(HubPrograms.Kind kind) {
    long messages = 0;
    for (int seed = 0; seed < 2; seed++) {
      Random random = new Random(seed * 31 + kind.ordinal());
      messages += check(HubPrograms.of(kind, random), HubPrograms.graph(random), seed, 3);
    }
    assertThat(messages).as("runs that told hubs partial messages").isPositive();
  }

  /**
   * Runs a program.
   *
   * @param hubs vertices with more in-edges are told partial messages; 0: none
   * @return how many shards told any
   */
  private <VD, ED, S, A, R> long check(
      TestProgram<VD, ED, S, A, R> program, TestGraph<Object, Object> shape, long seed, int hubs) {
    TestGraph<VD, ED> graph = program.on(shape, seed);
    PregelOracle.Run<R> expected = PregelOracle.run(graph, program);
    Random random = new Random(seed);
    int shards = 2 + random.nextInt(3);
    int each = 1 + random.nextInt(2);
    int held = ExecutorRegistry.size();
    long told;
    try (SparkShardTrial<VD, ED, S, A, R> trial =
        new SparkShardTrial<>(context.sc(), graph, program, shards, each)) {
      KernelChoice[] kernels = KernelChoice.values();
      trial.kernel = kernels[random.nextInt(kernels.length)];
      trial.inPlace = random.nextBoolean() || hubs > 0;
      trial.hubs = hubs;
      trial.localSupersteps = random.nextInt(4);
      trial.format = UpdateFormat.exact(UpdateEncoding.values()[random.nextInt(2)]);
      int lossAt = random.nextInt(2) == 0 ? -1 : random.nextInt(5);
      trial.checkpointInterval = random.nextInt(4);
      trial.lanes = new Lanes(1 + (int) (seed % 4), 1);
      AtomicBoolean lost = new AtomicBoolean();
      trial.listener =
          stats -> {
            if (stats.superstep() >= lossAt && lossAt >= 0 && !lost.getAndSet(true)) {
              ExecutorRegistry.dropShard(
                  GraphHandle.shardKey(trial.resultKey, random.nextInt(shards)));
            }
          };
      String how =
          "seed %d, %d shards of %d partitions, %s, in place %s, %d local supersteps, %s, loss at %d, checkpoints %d, %s: %s"
              .formatted(
                  seed,
                  shards,
                  each,
                  trial.kernel,
                  trial.inPlace,
                  trial.localSupersteps,
                  trial.format,
                  lossAt,
                  trial.checkpointInterval,
                  trial.lanes,
                  program);
      try {
        Compare.assertSame(expected.result(), trial.run(), graph, program, how);
      } catch (RuntimeException e) {
        throw new AssertionError(how + " on " + graph.describe(), e);
      }
      told =
          trial.ran().shards().stream()
              .filter(shard -> shard.notes().stream().anyMatch(n -> n.contains("were told")))
              .count();
      if (!trial.inPlace) {
        assertSameSteps(expected.steps(), trial.summary().supersteps(), how);
      }
    }
    assertThat(ExecutorRegistry.size()).isEqualTo(held);
    return told;
  }

  private static void assertSameSteps(
      List<PregelOracle.Step> expected, List<SuperstepStats> actual, String how) {
    assertThat(actual).as(how).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      String where = how + ", superstep " + i;
      assertThat(actual.get(i).superstep()).as(where).isEqualTo(i);
      assertThat(actual.get(i).verticesRun()).as(where).isEqualTo(expected.get(i).verticesRun());
      assertThat(actual.get(i).activeVertices())
          .as(where)
          .isEqualTo(expected.get(i).activeVertices());
      assertThat(actual.get(i).aggregates()).as(where).isEqualTo(expected.get(i).aggregates());
    }
  }
}
