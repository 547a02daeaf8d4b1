package io.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.cuda.CudaDevices;
import io.sparkgpugraph.engine.cuda.CudaSearch;
import io.sparkgpugraph.engine.cuda.CudaSettings;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Two to four real GPUs. */
@Tag("gpu")
@Tag("sanitizer")
class SeveralCudaDevicesTest extends SeveralDevicesSuite {
  @Override
  List<Device> openDevices() {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(
        search.gpus().size() >= 2,
        () -> "skipped: two GPUs are needed, found " + search.gpus().size() + " " + search.why());
    return search.gpus().stream().limit(4).map(gpu -> CudaDevices.open(gpu, settings)).toList();
  }
}
