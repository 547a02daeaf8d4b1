package org.sparkgpugraph.engine.device.run;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/** Rows that are sorted by an edge value and stop early, on the emulated device. */
@Tag("any-spark")
@Timeout(300)
class SortedRowsStopTest extends SortedRowsStopSuite {
  @Override
  List<Device> openDevices(int seed, int most) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return IntStream.range(0, Math.min(2, most))
        .<Device>mapToObj(
            d -> new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed + d), d))
        .toList();
  }
}
