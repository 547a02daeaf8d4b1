package io.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.cuda.CudaDevices;
import io.sparkgpugraph.engine.cuda.CudaSearch;
import io.sparkgpugraph.engine.cuda.CudaSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The device engine on real GPUs: one, and as many of two and four as there are. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaDeviceEngineTest extends DeviceEngineSuite {
  @Override
  Device openDevice(int index) {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    return CudaDevices.open(search.gpus().get(index), settings);
  }

  @Override
  int available() {
    return CudaDevices.search(CudaSettings.defaults()).gpus().size();
  }

  /** Each of them loads kernels and allocates and frees everything twice: seconds on a GPU. */
  @Override
  int failuresApart() {
    return 7;
  }
}
