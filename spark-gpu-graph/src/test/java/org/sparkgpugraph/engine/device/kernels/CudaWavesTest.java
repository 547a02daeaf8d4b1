package org.sparkgpugraph.engine.device.kernels;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;

/** Rows in waves on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaWavesTest extends WavesSuite {
  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }
}
