package org.sparkgpugraph.engine.device.run;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/** When a run goes on without supersteps, on the emulated device. */
@Tag("any-spark")
class RelaxingTest extends RelaxingSuite {
  @Override
  Device openDevice() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults());
  }
}
