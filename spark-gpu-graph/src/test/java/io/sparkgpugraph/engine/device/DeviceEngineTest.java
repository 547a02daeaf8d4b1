package io.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.ActiveDirection;
import io.sparkgpugraph.engine.Gather;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.RandomSimpleGraphs;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.engine.SimpleGraph;
import io.sparkgpugraph.engine.TestPrograms;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.engine.emulator.EmulatorSettings;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.ProgramInstance;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The device engine on the emulated device, in every order of lanes that it can be asked for. */
@Tag("any-spark")
class DeviceEngineTest extends DeviceEngineSuite {
  @Override
  Device openDevice(int index) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(index), index);
  }

  @Override
  int available() {
    return 4;
  }

  @Override
  int failuresApart() {
    return 1;
  }

  /**
   * A program with everything: both directions, two partitions with missing vertices, hubs of one
   * and of several chunks, sparse supersteps with groups. Every access to memory is checked.
   */
  @Test
  void anyOrderOfLanesAndBlocksGivesTheSame() {
    Random random = new Random(4);
    ProgramInstance program =
        TestPrograms.random(random, new TestPrograms.Options(true, true, true, true, true, true));
    SimpleGraph graph = RandomSimpleGraphs.of(random, 300, 5, true, true, 2);
    Columns attributes = Columns.allocate(List.of(Kind.LONG, Kind.INT), 300);
    Arrays.setAll(attributes.longs(0), v -> random.nextInt(100));
    for (int seed = 0; seed < 24; seed++) {
      EmulatorSettings emulator =
          EmulatorSettings.defaults()
              .withSeed(seed)
              .withMultiprocessors(1 + seed % 3)
              .withChecks(true);
      RunSettings settings =
          new RunSettings(
              new Object[] {5L, 7},
              null,
              ActiveDirection.OUT,
              Gather.ALL,
              Integer.MAX_VALUE,
              false,
              seed % 2 == 0 ? KernelChoice.SPARSE : KernelChoice.DENSE,
              1,
              null);
      DeviceSettings deviceSettings =
          DeviceSettings.DEFAULT
              .withReserve(0)
              .withGrouping(VertexGrouping.RATIOS.get(seed % 5))
              .withHubs(16, 64);
      try (Device device = new EmulatedDevice(emulator);
          DeviceEngine engine = new DeviceEngine("emulated", device, deviceSettings)) {
        compare("seed " + seed, engine, graph, program, attributes, settings, deviceSettings);
      }
    }
  }
}
