package org.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;

/** The device engine on real GPUs: one, and as many of two and four as there are. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaDeviceEngineTest extends DeviceEngineSuite {
  @Override
  public Device openDevice(int index) {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    return CudaDevices.open(search.gpus().get(index), settings);
  }

  @Override
  public int available() {
    return CudaDevices.search(CudaSettings.defaults()).gpus().size();
  }

  /** Each of them loads kernels and allocates and frees everything twice: seconds on a GPU. */
  @Override
  public int failuresApart() {
    return 7;
  }
}
