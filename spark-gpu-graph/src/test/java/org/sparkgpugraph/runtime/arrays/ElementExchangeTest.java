package org.sparkgpugraph.runtime.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.EngineTrial;
import org.sparkgpugraph.runtime.ShardedTrial;
import org.sparkgpugraph.runtime.SparkShardTrial;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Programs over several executors that change few elements of their arrays in a superstep: these
 * travel alone, whatever happens to the run.
 */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class ElementExchangeTest {
  private static final int UNREACHED = Integer.MAX_VALUE;

  private final JavaSparkContext sc;
  @TempDir private Path scratch;

  ElementExchangeTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  // ---- programs ---------------------------------------------------------------------------------

  private static int hash(int[] values) {
    int hash = 7;
    for (int i = 0; i < values.length; i++) {
      hash = hash * 31 + values[i];
    }
    return hash;
  }

  private static TestProgram<Integer, Integer, int[], int[], Integer> program(String name) {
    return new TestProgram<Integer, Integer, int[], int[], Integer>(
            name, Integer.class, Integer.class, int[].class, Integer.class)
        .inputs(r -> r.nextInt(100), r -> 1 + r.nextInt(4))
        .result((id, attribute, value) -> hash(value));
  }

  /** Shortest paths from some landmarks: monotone. */
  private static TestProgram<Integer, Integer, int[], int[], Integer> landmarks(int length) {
    int[] none = new int[length];
    Arrays.fill(none, UNREACHED);
    return program("landmarks " + length)
        .state(
            (id, attribute, in, out) -> {
              int[] hops = new int[length];
              for (int i = 0; i < length; i++) {
                hops[i] = Math.floorMod(id, 300L) == 3L * i ? 0 : UNREACHED;
              }
              return hops;
            })
        .initial(none)
        .direction(ActiveDirection.OUT)
        .vertex(
            (id, value, message) -> {
              int[] next = new int[value.length];
              for (int i = 0; i < next.length; i++) {
                next[i] = Math.min(value[i], message[i]);
              }
              return next;
            })
        .send(
            edge -> {
              boolean improves = false;
              for (int i = 0; i < edge.srcAttr().length; i++) {
                improves |= edge.srcAttr()[i] < edge.dstAttr()[i] - edge.attr();
              }
              if (improves) {
                int[] next = new int[edge.srcAttr().length];
                for (int i = 0; i < next.length; i++) {
                  int hops = edge.srcAttr()[i];
                  next[i] = hops == UNREACHED ? UNREACHED : hops + edge.attr();
                }
                edge.sendToDst(next);
              }
            })
        .merge(
            (a, b) -> {
              int[] least = new int[a.length];
              for (int i = 0; i < least.length; i++) {
                least[i] = Math.min(a[i], b[i]);
              }
              return least;
            });
  }

  /** One element changes in a superstep, so one that is applied twice, or not at all, shows. */
  static TestProgram<Integer, Integer, int[], int[], Integer> turns(int length, int supersteps) {
    return program("turns of " + length)
        .state(
            (id, attribute, in, out) -> {
              int[] values = new int[length];
              values[0] = attribute;
              return values;
            })
        .everyVertex(new int[length])
        .vertexWithContext(
            (id, value, message, run) -> {
              int[] next = value.clone();
              int turn = run.superstep() % length;
              next[turn] = 3 * value[turn] + message[(turn + length - 1) % length] + 1;
              return next;
            })
        .send(edge -> edge.sendToDst(edge.srcAttr()))
        .merge(
            (a, b) -> {
              int[] sum = new int[a.length];
              for (int i = 0; i < sum.length; i++) {
                sum[i] = a[i] + b[i];
              }
              return sum;
            })
        .maxIterations(supersteps);
  }

  // ---- without Spark ----------------------------------------------------------------------------

  private static TestProgram<?, ?, ?, ?, ?> any(long seed) {
    int[] lengths = {2, 3, 31, 33, 64, 70};
    int length = lengths[(int) (seed / 2 % lengths.length)];
    return seed % 2 == 0 ? landmarks(length) : turns(length, 2 + (int) (seed % 5));
  }

  @Test
  void shardsOfCpusGiveWhatTheReferenceGives() {
    for (long seed = 0; seed < 60; seed++) {
      ShardedTrial.check(any(seed), seed, new CpuEngine());
    }
  }

  @Test
  void devicesAndCpusUnderstandEachOther() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(3));
    try (DeviceEngine engine =
        new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
      for (long seed = 100; seed < 106; seed++) {
        if (seed % 3 == 0) {
          ShardedTrial.check(any(seed), seed, engine);
        } else {
          ShardedTrial.check(any(seed), seed, engine, new CpuEngine());
        }
      }
    }
    assertThat(device.allocations()).isEmpty();
    device.close();
  }

  /** Edges of length 1 to the next vertex of the row, and of the column. */
  private static TestGraph<Integer, Integer> lattice(int side) {
    List<Long> sources = new ArrayList<>();
    List<Long> destinations = new ArrayList<>();
    for (int v = 0; v < side * side; v++) {
      if (v % side < side - 1) {
        sources.add((long) v);
        destinations.add(v + 1L);
      }
      if (v / side < side - 1) {
        sources.add((long) v);
        destinations.add((long) v + side);
      }
    }
    return new TestGraph<>(
        "lattice",
        LongStream.range(0, side * side).toArray(),
        Collections.nCopies(side * side, 0),
        sources.stream().mapToLong(v -> v).toArray(),
        destinations.stream().mapToLong(v -> v).toArray(),
        Collections.nCopies(sources.size(), 1));
  }

  private static long bytes(Engine engine, UpdateEncoding encoding, boolean restored, int length) {
    TestProgram<Integer, Integer, int[], int[], Integer> program = landmarks(length);
    TestGraph<Integer, Integer> graph = lattice(20);
    ShardedTrial trial =
        new ShardedTrial(
            3,
            3,
            KernelChoice.AUTO,
            1,
            false,
            ExchangeMode.REFINED,
            encoding,
            1,
            restored ? 4 : -1,
            5);
    ShardedTrial.Run<Integer> run =
        trial.run(List.of(engine), EngineTrial.instance(program, 9), program, graph);
    assertThat(run.result()).isEqualTo(PregelOracle.run(graph, program).result());
    return run.epochs().stream().mapToLong(SuperstepStats::boundaryBytes).sum();
  }

  @Test
  void fewBytesTravelForAnElement() {
    CpuEngine cpu = new CpuEngine();
    long packed = bytes(cpu, UpdateEncoding.PACKED, false, 64);
    long rows = bytes(cpu, UpdateEncoding.RAW, false, 64);
    // Of 64 elements nearly always one: a row of them has a byte for each at least.
    assertThat(packed).isPositive().isLessThan(rows / 8);
    // Behind a restore, whose own exchange is not counted, it is the same again.
    assertThat(bytes(cpu, UpdateEncoding.PACKED, true, 64)).isEqualTo(packed);
  }

  // ---- with Spark -------------------------------------------------------------------------------

  private SparkShardTrial<Integer, Integer, int[], int[], Integer> trial(
      TestProgram<Integer, Integer, int[], int[], Integer> program, long seed) {
    TestGraph<Integer, Integer> graph =
        program.on(RandomGraphs.of(RandomGraphs.Shape.SKEWED, seed), seed);
    return new SparkShardTrial<>(sc.sc(), graph, program, 3, 2);
  }

  @ParameterizedTest
  @CsvSource({"CPU, 0", "CPU, 2", "EMULATED, 0", "EMULATED, 2"})
  void aRunGoesOnAfterAShardIsLost(EngineChoice engine, int checkpointInterval) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    sc.setCheckpointDir(scratch.toString());
    try (var trial = trial(turns(5, 9), 7)) {
      trial.engine = engine;
      trial.checkpointInterval = checkpointInterval;
      AtomicInteger heard = new AtomicInteger();
      trial.listener =
          stats -> {
            if (heard.incrementAndGet() == 6) {
              assertThat(ExecutorRegistry.dropShard(GraphHandle.shardKey(trial.resultKey, 1)))
                  .isNotNull();
            }
          };
      assertThat(trial.run()).isEqualTo(PregelOracle.run(trial.graph, trial.program).result());
      assertThat(heard.get()).as("supersteps, some of them again").isGreaterThan(10);
    } finally {
      sc.sc().checkpointDir_$eq(scala.Option.empty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000})
  void severalSuperstepsInPlaceLieBetweenTwoExchanges(int localSupersteps) {
    try (var trial = trial(landmarks(40), new Random(localSupersteps).nextInt(100))) {
      trial.localSupersteps = localSupersteps;
      assertThat(trial.run()).isEqualTo(PregelOracle.run(trial.graph, trial.program).result());
    }
  }
}
