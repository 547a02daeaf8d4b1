package io.sparkgpugraph.integration;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two executors of one core, and of several emulated devices that Spark does not know of. */
@Tag("any-spark")
class TwoExecutorsTest extends SpreadGraph {
  TwoExecutorsTest() {
    super(2);
  }

  @Override
  Cluster.Options options(Cluster.Options some) {
    return some;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void emulatedDevicesGiveWhatCoresGive(int devices) {
    context().setLocalProperty("spark.gpugraph.emulated.devices", String.valueOf(devices));
    try {
      assertEmulated(IntStream.range(0, devices).mapToObj(i -> "emulated GPU " + i).toList());
    } finally {
      context().setLocalProperty("spark.gpugraph.emulated.devices", null);
    }
  }
}
