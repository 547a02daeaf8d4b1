package org.sparkgpugraph.runtime.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.runtime.DeviceTrial;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;
import org.sparkgpugraph.vector.Vectors;

/**
 * Supersteps that select edges, of programs whose lanes share arrays: any length, direction and way
 * to gather; rows without edges, with some of a warp's, hubs; vertices of which none, few or all
 * are active. Elements are whole numbers, so that no order of adding shows.
 */
@Tag("any-spark")
class SelectedArraysTest {
  private static final List<Integer> LENGTHS = List.of(1, 2, 3, 5, 31, 32, 33, 64, 100, 128);

  /** What is sent where a message is more than an array. */
  public record Counted(long[] values, int count) implements Serializable {}

  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
  }

  @Test
  void theEmulatedDeviceGivesWhatTheReferenceGives() {
    try (EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(3));
        DeviceEngine engine = engine("emulated", device)) {
      for (int i = 0; i < LENGTHS.size(); i++) {
        check(engine, LENGTHS.get(i), i);
      }
    }
  }

  /** A length each, so that JVMs can share them out: compiling takes nearly all of the time. */
  @ParameterizedTest
  @FieldSource("LENGTHS")
  @Tag("gpu")
  void aGpuGivesWhatTheReferenceGives(int length) {
    try (Device device = OpenDevices.first();
        DeviceEngine engine = engine("cuda", device)) {
      for (int variant = 0; variant < 8; variant++) {
        check(engine, length, variant);
      }
    }
  }

  @Test
  void explainSaysThatSelectedEdgesAreShared() {
    try (EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine = engine("emulated", device)) {
      assertThat(DeviceTrial.described(engine, sums(16, ActiveDirection.OUT)))
          .contains("lanes share arrays of 16 elements (those of selected edges, too), on");
      assertThat(DeviceTrial.described(engine, counted(16, ActiveDirection.OUT)))
          .contains(
              "lanes share arrays of 16 elements (those of selected edges, too) where messages are"
                  + " gathered, but a thread runs a vertex");
      assertThat(
              DeviceTrial.described(
                  engine, sums(16, ActiveDirection.OUT).everyVertex(new double[16])))
          .contains("lanes share arrays of 16 elements, on");
    }
  }

  private static DeviceEngine engine(String name, Device device) {
    return new DeviceEngine(name, device, DeviceSettings.DEFAULT.withReserve(0));
  }

  private static void check(DeviceEngine engine, int length, int variant) {
    ActiveDirection direction = ActiveDirection.values()[variant % 4];
    TestProgram<Long, Long, ?, ?, Long> program =
        length % 2 == 1 && length > 5 || length == 128
            ? counted(length, direction)
            : sums(length, direction);
    program.gather = Gather.values()[(variant + variant / 4) % 2];
    for (int hundredths : new int[] {0, 5, 60}) {
      long seed = 1000L * length + 100L * variant + hundredths;
      // The first vertices are active in turn, and a part of the others.
      DeviceTrial.check(engine, program, program.on(graph(seed, hundredths), 2 * length), seed);
    }
  }

  /** Edges from everywhere to rows of all lengths, and behind them rows of a few edges each. */
  private static TestGraph<Double, Double> graph(long seed, int hundredths) {
    Random random = new Random(seed);
    List<int[]> edges = new ArrayList<>();
    int[] degrees = {0, 1, 31, 32, 33, 600, 2, 0, 5, 130};
    for (int v = 0; v < degrees.length; v++) {
      for (int e = 0; e < degrees[v]; e++) {
        edges.add(new int[] {random.nextInt(70), v});
      }
    }
    for (int e = 0; e < hundredths; e++) {
      edges.add(new int[] {random.nextInt(10), 10 + random.nextInt(60)});
    }
    return TestGraph.ofEdges("rows", 70, edges);
  }

  /** Lanes share all of it. */
  private static TestProgram<Long, Long, double[], double[], Long> sums(
      int length, ActiveDirection direction) {
    return new TestProgram<Long, Long, double[], double[], Long>(
            "sums of " + length, Long.class, Long.class, double[].class, Long.class)
        .inputs(r -> (long) r.nextInt(50), r -> (long) r.nextInt(6))
        .state(
            (id, attribute, in, out) -> {
              double[] first = new double[length];
              for (int i = 0; i < length; i++) {
                first[i] = (attribute + id) * (i + 3) % 17;
              }
              return first;
            })
        .initial(new double[length])
        .vertex(
            (id, value, message) -> {
              double[] next = new double[length];
              for (int i = 0; i < length; i++) {
                next[i] = (value[i] + message[i]) % 64;
              }
              return next;
            })
        .send(
            edge -> {
              edge.sendToDst(Vectors.scale((double) edge.attr(), edge.srcAttr()));
              if (edge.attr() == 3) {
                edge.sendToSrc(edge.dstAttr());
              }
            })
        .merge(Vectors::add)
        .activeWhen((id, before, after) -> ((int) after[0] + id) % 3 == 0)
        .direction(direction)
        .maxIterations(4)
        .result((id, attribute, value) -> hash(value));
  }

  /** Numbers and arrays are sent; a thread runs a vertex. */
  private static TestProgram<Long, Long, long[], Counted, Long> counted(
      int length, ActiveDirection direction) {
    return new TestProgram<Long, Long, long[], Counted, Long>(
            "counted arrays of " + length, Long.class, Long.class, Counted.class, Long.class)
        .inputs(r -> (long) r.nextInt(50), r -> (long) r.nextInt(6))
        .state(
            (id, attribute, in, out) -> {
              long[] first = new long[length];
              for (int i = 0; i < length; i++) {
                first[i] = (attribute + id) * (i + 3) % 17;
              }
              return first;
            })
        .initial(new Counted(new long[length], 0))
        .vertex(
            (id, value, message) -> {
              long[] next = value.clone();
              next[0] = (value[0] + message.count()) % 64;
              for (int i = 1; i < length; i++) {
                next[i] = (next[i - 1] + value[i] + message.values()[i]) % 64;
              }
              return next;
            })
        .send(
            edge -> {
              if (edge.attr() != 2) {
                edge.sendToDst(new Counted(edge.srcAttr(), 1));
              }
            })
        .merge((a, b) -> new Counted(Vectors.add(a.values(), b.values()), a.count() + b.count()))
        .activeWhen((id, before, after) -> (after[0] + id) % 4 == 0)
        .direction(direction)
        .maxIterations(4)
        .result((id, attribute, value) -> hash(value));
  }

  private static long hash(double[] values) {
    long hash = 7;
    for (double value : values) {
      hash = hash * 31 + Double.doubleToLongBits(value);
    }
    return hash;
  }

  private static long hash(long[] values) {
    long hash = 7;
    for (long value : values) {
      hash = hash * 31 + value;
    }
    return hash;
  }
}
