package org.sparkgpugraph.engine.device;

import org.junit.jupiter.api.Tag;
import org.sparkgpugraph.engine.cuda.OpenDevices;

/** Graphs of tables on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
class CudaDeviceTableTest extends DeviceTableSuite {
  @Override
  Device openDevice() {
    return OpenDevices.first();
  }
}
