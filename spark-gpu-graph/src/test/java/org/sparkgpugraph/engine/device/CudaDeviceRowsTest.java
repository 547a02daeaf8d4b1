package org.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;

/** Rows that a GPU makes. */
@Tag("gpu")
@Tag("sanitizer")
class CudaDeviceRowsTest extends DeviceRowsSuite {
  @Override
  Device openDevice() {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    return CudaDevices.open(search.gpus().get(0), settings);
  }

  @Override
  int longest() {
    return 3_000_000;
  }
}
