package org.sparkgpugraph.integration;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Four executors of one core and two GPUs, which Spark gives to their tasks. */
@Tag("any-spark")
class FourExecutorsTest extends SpreadGraphSuite {
  FourExecutorsTest() {
    super(4);
  }

  @Override
  Cluster.Options options(Cluster.Options some) {
    return some.gpus("3", "5");
  }

  @Test
  void bothEmulatedDevicesOfEveryExecutorAreUsed() {
    assertEmulated(List.of("emulated GPU 3", "emulated GPU 5"));
  }
}
