package org.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/** Shards of tables on an emulated device. */
@Tag("any-spark")
class EmulatedShardTableTest extends ShardTableSuite {
  @Override
  Device openDevice() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(9));
  }
}
