package org.sparkgpugraph.engine.device.run;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEngineSuite;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.VertexGrouping;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/** The device engine on the emulated device, in every order of lanes that it can be asked for. */
@Tag("any-spark")
class DeviceEngineTest extends DeviceEngineSuite {
  @Override
  public Device openDevice(int index) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(index), index);
  }

  @Override
  public int available() {
    return 4;
  }

  @Override
  public int failuresApart() {
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
        IrPrograms.random(random, new IrPrograms.Options(true, true, true, true, true, true, true));
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
