package org.sparkgpugraph.runtime.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.runtime.DeviceTrial;
import org.sparkgpugraph.runtime.EnginePropertyTest;
import org.sparkgpugraph.runtime.ShardedTrial;
import org.sparkgpugraph.testing.ArrayPrograms;
import org.sparkgpugraph.testing.ReducingPrograms;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/** Random programs of arrays on random graphs against the sequential reference. */
@Tag("any-spark")
class ArrayProgramsPropertyTest {
  private static final int CASES = Integer.getInteger("propertyCases", 1000) / 5;
  private static final int DEVICE_CASES = Integer.getInteger("deviceCases", 120) / 8;

  @Test
  void theCpuEngineGivesWhatTheReferenceGives() {
    for (long seed = 0; seed < CASES; seed++) {
      EnginePropertyTest.check(ArrayPrograms.any(seed), seed);
      if (seed % 4 == 0) {
        ShardedTrial.check(ArrayPrograms.any(seed), seed, new CpuEngine());
      }
    }
    for (long seed = 0; seed < CASES / 4; seed++) {
      EnginePropertyTest.check(ReducingPrograms.any(seed), seed);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theEmulatedDeviceGivesWhatTheReferenceGives(int count) {
    List<EmulatedDevice> devices =
        IntStream.range(0, count)
            .mapToObj(d -> new EmulatedDevice(EmulatorSettings.defaults().withSeed(d), d))
            .toList();
    try (DeviceEngine engine = engine("emulated", devices)) {
      check(engine, 1000L * count);
      for (int length : ReducingPrograms.LENGTHS) {
        long seed = 100L * length + count;
        if (count == 1) {
          checkDegrees(engine, ReducingPrograms.of(length, new Random(seed)), seed);
        } else if (length % 3 == 2) {
          DeviceTrial.check(engine, ReducingPrograms.of(length, new Random(seed)), seed);
        }
      }
    }
    for (EmulatedDevice device : devices) {
      assertThat(device.allocations()).isEmpty();
      device.close();
    }
  }

  @Test
  @Tag("gpu")
  void aGpuGivesWhatTheReferenceGives() {
    onAGpu(engine -> check(engine, 0));
  }

  /** A test for each length: most of its time is the compiler's. */
  @ParameterizedTest
  @FieldSource("org.sparkgpugraph.testing.ReducingPrograms#LENGTHS")
  @Tag("gpu")
  void aGpuReducesArraysAsTheReferenceDoes(int length) {
    onAGpu(
        engine -> {
          for (long seed = 100L * length; seed < 100L * length + 8; seed++) {
            checkDegrees(engine, ReducingPrograms.of(length, new Random(seed)), seed);
            DeviceTrial.check(engine, ReducingPrograms.of(length, new Random(seed)), seed);
          }
        });
  }

  private static void onAGpu(Consumer<DeviceEngine> work) {
    try (Device device = OpenDevices.first();
        DeviceEngine engine = engine("cuda", List.of(device))) {
      work.accept(engine);
    }
  }

  private static DeviceEngine engine(String name, List<? extends Device> devices) {
    return DeviceEngine.over(
        devices.stream()
            .map(device -> new DeviceEngine(name, device, DeviceSettings.DEFAULT.withReserve(0)))
            .toList());
  }

  private static void check(DeviceEngine engine, long first) {
    for (long seed = first; seed < first + DEVICE_CASES; seed++) {
      DeviceTrial.check(engine, ArrayPrograms.any(seed), seed);
      if (seed % 3 == 0) {
        ShardedTrial.check(ArrayPrograms.any(seed), seed, engine);
      }
    }
  }

  /** Rows of all lengths: none, a part of a warp's, a warp's, a hub's. */
  private static void checkDegrees(
      DeviceEngine engine, TestProgram<Long, Long, ?, ?, Long> program, long seed) {
    DeviceTrial.check(engine, program, program.on(degrees(seed), seed), seed);
  }

  private static TestGraph<Double, Double> degrees(long seed) {
    Random random = new Random(seed);
    List<int[]> edges = new ArrayList<>();
    int[] degrees = {0, 1, 31, 32, 33, 1000, 2, 0, 5};
    for (int v = 0; v < degrees.length; v++) {
      for (int e = 0; e < degrees[v]; e++) {
        edges.add(new int[] {random.nextInt(40), v});
      }
    }
    return TestGraph.ofEdges("degrees", 40, edges);
  }
}
