package org.sparkgpugraph.engine.device;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;

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
