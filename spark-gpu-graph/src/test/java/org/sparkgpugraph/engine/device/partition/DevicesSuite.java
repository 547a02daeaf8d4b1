package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/** Tests on some devices, which are open as long as these run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DevicesSuite {
  private final List<Device> devices = new ArrayList<>();

  /** Opens up to four devices, or skips the tests with the reason. */
  abstract List<Device> openDevices();

  /** Four of them that are emulated, of one to three multiprocessors. */
  static List<Device> emulated() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return IntStream.range(0, 4)
        .<Device>mapToObj(
            d ->
                new EmulatedDevice(
                    EmulatorSettings.defaults().withSeed(d).withMultiprocessors(1 + d % 3), d))
        .toList();
  }

  @BeforeAll
  void open() {
    devices.addAll(openDevices());
  }

  @AfterAll
  void nothingIsLeft() {
    for (Device device : devices) {
      assertThat(device.allocatedBytes()).as("%s", device).isZero();
      device.close();
    }
    devices.clear();
  }

  List<Device> devices() {
    return devices;
  }
}
