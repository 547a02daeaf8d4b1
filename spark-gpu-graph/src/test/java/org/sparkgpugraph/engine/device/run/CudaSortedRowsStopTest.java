package org.sparkgpugraph.engine.device.run;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;

/** Rows that are sorted by an edge value and stop early, on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaSortedRowsStopTest extends SortedRowsStopSuite {
  @Override
  List<Device> openDevices(int seed, int most) {
    return OpenDevices.first(most);
  }
}
