package org.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kernels under AddressSanitizer and UndefinedBehaviorSanitizer, in JVMs of their own: that the
 * device's memory is watched there. {@link NativeSelfTest} plants more faults.
 */
@Tag("any-spark")
class SanitizersTest {
  @BeforeAll
  static void available() {
    SanitizedProcess.assumeAvailable();
  }

  @Test
  void soundKernelsAreClean() {
    SanitizedProcess.Result result = SanitizedProcess.run(SanitizedCasesJob.class, "sound");
    assertThat(result.output()).contains("survived").doesNotContain("ERROR", "runtime error");
    assertThat(result.status()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "write, heap-buffer-overflow",
    "freed, heap-use-after-free",
    "overflow, signed integer overflow",
  })
  void aPlantedFaultEndsTheProcess(String fault, String message) {
    SanitizedProcess.Result result = SanitizedProcess.run(SanitizedCasesJob.class, fault);
    assertThat(result.output()).containsPattern(message).doesNotContain("survived");
    assertThat(result.status()).isNotZero();
  }

  @Test
  void sanitizersNeedTheirLibrary() {
    assertThatThrownBy(
            () -> new EmulatedDevice(EmulatorSettings.defaults().withSanitizers(true)).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("LD_PRELOAD");
  }
}
