package org.sparkgpugraph.engine.device.partition;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;

/** Who sends in the first superstep, on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaSendersTest extends SendersSuite {
  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }
}
