package org.sparkgpugraph.engine.device.run;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;

/** Edges in the host's memory, which a GPU reads over the bus. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaHostEdgesTest extends HostEdgesSuite {
  @Override
  Device openDevice() {
    return OpenDevices.first();
  }

  @Override
  int edges() {
    return 4_000_000;
  }
}
