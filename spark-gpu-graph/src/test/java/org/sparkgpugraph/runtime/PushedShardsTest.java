package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Shards of one partition each push on emulated devices, several supersteps in a launch, and give
 * what {@link PregelOracle} gives, also when other shards run on the CPU.
 */
@Tag("any-spark")
class PushedShardsTest {
  private static final DeviceSettings SETTINGS =
      DeviceSettings.DEFAULT.withReserve(0).withPush(new PushSettings(1, 20, 1, 1, 9));

  /** A path through all vertices, for many supersteps, and edges at random. */
  private static TestGraph<Double, Double> graph(Random random) {
    int n = 40 + random.nextInt(200);
    List<Long> sources = new ArrayList<>();
    List<Long> destinations = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    for (int e = 0; e < 2 * n; e++) {
      boolean path = e < n - 1;
      sources.add(path ? e : (long) random.nextInt(n));
      destinations.add(path ? e + 1 : (long) random.nextInt(n));
      weights.add(path ? 1.0 : 1.0 + random.nextInt(4 * n));
    }
    List<Double> attributes = new ArrayList<>(Collections.nCopies(n, Double.POSITIVE_INFINITY));
    attributes.set(random.nextInt(5), 0.0);
    return new TestGraph<>(
        "path with chords",
        LongStream.range(0, n).toArray(),
        attributes,
        sources.stream().mapToLong(v -> v).toArray(),
        destinations.stream().mapToLong(v -> v).toArray(),
        weights);
  }

  static TestProgram<Double, Double, Double, Double, Double> shortestPaths() {
    return new TestProgram<Double, Double, Double, Double, Double>(
            "shortest paths", Double.class, Double.class, Double.class, Double.class)
        .initial(Double.POSITIVE_INFINITY)
        .direction(ActiveDirection.OUT)
        .vertex((id, value, message) -> Math.min(value, message))
        .send(
            edge -> {
              if (edge.srcAttr() + edge.attr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + edge.attr());
              }
            })
        .merge(Math::min);
  }

  /** The least value of a component: messages both ways. */
  private static TestProgram<Double, Double, Double, Double, Double> components() {
    return new TestProgram<Double, Double, Double, Double, Double>(
            "components", Double.class, Double.class, Double.class, Double.class)
        .initial(Double.POSITIVE_INFINITY)
        .direction(ActiveDirection.EITHER)
        .vertex((id, value, message) -> Math.min(value, message))
        .send(
            edge -> {
              if (edge.srcAttr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr());
              }
              if (edge.dstAttr() < edge.srcAttr()) {
                edge.sendToSrc(edge.dstAttr());
              }
            })
        .merge(Math::min);
  }

  @Test
  void shardsPushWhateverTheOthersRunOn() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    int pushed = 0;
    int together = 0;
    int relaxed = 0;
    try (EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(7));
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      KernelChoice[] kernels = {
        KernelChoice.AUTO, KernelChoice.PUSH, KernelChoice.OUTLINED, KernelChoice.ASYNC
      };
      for (int seed = 0; seed < 32; seed++) {
        Random random = new Random(seed);
        TestGraph<Double, Double> graph = graph(random);
        TestProgram<Double, Double, Double, Double, Double> program =
            seed % 2 == 0 ? shortestPaths() : components();
        int shards = 2 + random.nextInt(3);
        int local = List.of(1, 3, 1000).get(random.nextInt(3));
        ShardedTrial trial =
            new ShardedTrial(
                shards,
                shards,
                kernels[seed / 2 % 4],
                1,
                true,
                ExchangeMode.REFINED,
                UpdateEncoding.PACKED,
                local,
                random.nextInt(2) == 0 ? -1 : random.nextInt(4),
                seed);
        List<Engine> engines = seed % 8 < 5 ? List.of(engine) : List.of(engine, new CpuEngine());
        ProgramInstance lifted = ProgramLifter.lift(program.source());
        ShardedTrial.Run<Double> run = trial.run(engines, lifted, program, graph);
        String how = "seed " + seed + ", " + trial;
        assertThat(run.inPlace()).as(how).isTrue();
        Compare.assertSame(
            PregelOracle.run(graph, program).result(), run.result(), graph, program, how);
        for (List<SuperstepStats> parts : run.parts()) {
          pushed += (int) parts.stream().filter(part -> part.kernel().pushes()).count();
          together += (int) parts.stream().filter(p -> p.kernel() == KernelChoice.OUTLINED).count();
          relaxed += (int) parts.stream().filter(p -> p.kernel() == KernelChoice.ASYNC).count();
        }
      }
    }
    assertThat(pushed).as("supersteps that push").isGreaterThan(100);
    assertThat(together).as("… and several in a launch").isGreaterThan(20);
    assertThat(relaxed).as("launches without supersteps").isGreaterThan(20);
  }
}
