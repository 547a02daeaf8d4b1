package org.sparkgpugraph.engine.device.run;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/** Edges in the host's memory, for an emulated device. */
@Tag("any-spark")
class HostEdgesTest extends HostEdgesSuite {
  @Override
  Device openDevice() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults());
  }

  @Override
  int edges() {
    return 4000;
  }
}
