package org.sparkgpugraph.engine.device;

import org.junit.jupiter.api.Tag;
import org.sparkgpugraph.engine.cuda.OpenDevices;

/** Rows that a GPU makes. */
@Tag("gpu")
@Tag("sanitizer")
class CudaDeviceRowsTest extends DeviceRowsSuite {
  @Override
  Device openDevice() {
    return OpenDevices.first();
  }

  @Override
  int longest() {
    return 3_000_000;
  }
}
