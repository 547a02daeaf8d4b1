package org.sparkgpugraph.engine.device.kernels;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;

/** Contexts that warps collect on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaContextsTest extends ContextsSuite {
  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }
}
