package org.sparkgpugraph.engine.device.run;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;

/** Runs that try the ways that they may take, on a GPU. */
@Tag("gpu")
@ExtendWith(KeptGpus.class)
class CudaTuningTest extends TuningSuite {
  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }
}
