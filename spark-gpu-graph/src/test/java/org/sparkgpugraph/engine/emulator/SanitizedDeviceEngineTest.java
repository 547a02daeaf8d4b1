package org.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests of the device engine once more, with every kernel and the emulator under AddressSanitizer
 * and UndefinedBehaviorSanitizer. Programs take three times as long to compile so, hence a
 * selection; the head of {@link EmulatorSettings#SANITIZERS_KEY} says how any test runs so.
 */
@Tag("any-spark")
class SanitizedDeviceEngineTest {
  private static final String ENGINE_TESTS = "org.sparkgpugraph.engine.device.run.DeviceEngineTest";

  @BeforeAll
  static void available() {
    SanitizedProcess.assumeAvailable();
  }

  @Test
  void theDeviceEngineIsClean() {
    SanitizedProcess.Result result =
        SanitizedProcess.runTests(
            ENGINE_TESTS + "#everySuperstepEqualsTheCpuEngine",
            ENGINE_TESTS + "#rowsOfAllLengthsAreGatheredWhole",
            ENGINE_TESTS + "#aFaultNamesTheVertexAndLeavesNothingBehind");
    assertThat(result.output())
        .contains("failed 0 skipped 0")
        .doesNotContain("succeeded 0", "AddressSanitizer", "runtime error");
    assertThat(result.status()).isZero();
  }
}
