package org.sparkgpugraph.engine.device.partition;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;

/** Outlined supersteps that walk rows on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaOutlineTest extends OutlineSuite {
  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }
}
