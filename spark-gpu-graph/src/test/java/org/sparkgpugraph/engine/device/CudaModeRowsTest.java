package org.sparkgpugraph.engine.device;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;

/** Most frequent messages on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaModeRowsTest extends ModeRowsSuite {
  @Override
  Device openDevice() {
    return OpenDevices.first();
  }

  @Override
  int longest() {
    return 100_000;
  }
}
