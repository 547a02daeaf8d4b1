package org.sparkgpugraph.engine.device;

import org.junit.jupiter.api.Tag;
import org.sparkgpugraph.engine.cuda.OpenDevices;

/** Shards of tables on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
class CudaShardTableTest extends ShardTableSuite {
  @Override
  Device openDevice() {
    return OpenDevices.first();
  }
}
