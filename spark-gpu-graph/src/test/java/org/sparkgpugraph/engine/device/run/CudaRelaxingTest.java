package org.sparkgpugraph.engine.device.run;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;

/** When a run goes on without supersteps, on a GPU. */
@Tag("gpu")
@ExtendWith(KeptGpus.class)
class CudaRelaxingTest extends RelaxingSuite {
  @Override
  Device openDevice() {
    return OpenDevices.first();
  }
}
