package io.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.engine.emulator.EmulatorSettings;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;

/**
 * Several emulated devices, each with an order of lanes of its own. Every access to memory is
 * checked: a kernel that reads what another device has is a fault.
 */
@Tag("any-spark")
class SeveralDevicesTest extends SeveralDevicesSuite {
  @Override
  List<Device> openDevices() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    return IntStream.range(0, 3)
        .<Device>mapToObj(
            d -> new EmulatedDevice(EmulatorSettings.defaults().withSeed(d).withChecks(true), d))
        .toList();
  }
}
