package org.sparkgpugraph.engine.device;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.plan.PermissiveTest;

/**
 * Two to four devices, on real GPUs of their own or on shared ones ({@link OpenDevices#several}).
 */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class SeveralCudaDevicesTest extends SeveralDevicesSuite {
  @Override
  List<Device> openDevices() {
    return OpenDevices.several(2);
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
