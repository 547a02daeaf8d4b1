package org.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.engine.device.plan.PermissiveTest;

/** Two to four real GPUs. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
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

  /** Borders that move, on two GPUs and on all; see {@link PermissiveTest}. */
  @Test
  void bordersMove() {
    for (List<Device> some : List.of(devices().subList(0, 2), devices())) {
      PermissiveTrial.bordersMoveToTheWork(some);
      for (long seed = 0; seed < 4; seed++) {
        PermissiveTrial.randomBorders(some, seed);
        PermissiveTrial.inPlace(some, seed);
      }
    }
  }
}
