package org.sparkgpugraph.engine.device.run;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;

/** Supersteps that follow each other without a wait, on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaSuperstepChainTest extends SuperstepChainSuite {
  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }
}
