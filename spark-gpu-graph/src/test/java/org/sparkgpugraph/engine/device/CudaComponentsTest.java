package org.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;

/** Union-find on real GPUs. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaComponentsTest extends DeviceComponentsSuite {
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

  @Override
  public int many() {
    return 150_000;
  }
}
