package org.sparkgpugraph.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.SparkShardTrial;
import org.sparkgpugraph.runtime.device.DeviceFinder;
import org.sparkgpugraph.runtime.device.EngineDevice;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.SharedSpark;

/**
 * A GPU's driver refuses page-locked memory of the host, through which executors' updates come and
 * go, to a run over several of them: the shard that asked goes on without the GPU.
 */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class RefusedHostMemoryTest {
  private static final int SIZE = 60;
  private static final int SHARDS = 2;

  private final JavaSparkContext sc;

  RefusedHostMemoryTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  /**
   * @param hubs vertices with more in-edges are told partial messages; 0: none
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aShardThatIsRefusedItGoesOnWithoutItsGpu(int hubs) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    int held = ExecutorRegistry.size();
    int refusals = 0;
    boolean refused = true;
    while (refused) {
      DeviceProxies.Fuse fuse = new DeviceProxies.Fuse(refusals + 1);
      EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults(), 0);
      Device fragile = DeviceProxies.failing(device, fuse, Set.of("allocatePinned"));
      Engines before = ExecutorRegistry.replaceEngines(engines(fragile));
      try (var trial =
          new SparkShardTrial<>(
              sc.sc(), StandingStageTest.ring(SIZE), DistributedRunTest.sums(6), SHARDS, 1)) {
        trial.engine = EngineChoice.AUTO;
        trial.hubs = hubs;
        Map<Long, Integer> result = trial.run();
        assertThat(result).isEqualTo(PregelOracle.run(trial.graph, trial.program).result());
        assertThat(trial.ran().notes().stream().anyMatch(note -> note.contains("were told")))
            .as("hubs were told partial messages")
            .isEqualTo(hubs > 0);
        refused = fuse.blown();
        String engine = trial.ran().summary().engine();
        assertThat(engine).as("refusal %d", refusals + 1).contains("emulated");
        if (refused) {
          refusals++;
          assertThat(engine).as("refusal %d", refusals).contains("cpu");
          assertThat(trial.ran().reason()).contains("allocatePinned", "PLANTED");
        }
      } finally {
        ExecutorRegistry.replaceEngines(before).close();
      }
      assertThat(device.allocatedBytes()).isZero();
    }
    assertThat(refusals).isPositive();
    assertThat(ExecutorRegistry.size()).isEqualTo(held);
  }

  private static Engines engines(Device device) {
    DeviceFinder finder =
        (conf, addresses) ->
            new DeviceFinder.Found(
                List.of(
                    new DeviceFinder.FoundDevice(
                        device,
                        "emulated GPU 0",
                        0,
                        () -> new EngineDevice("emulated", device, conf))),
                "");
    return new Engines(finder, finder);
  }
}
