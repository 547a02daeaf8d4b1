package org.sparkgpugraph.program.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

@Tag("any-spark")
class JavaSemanticsTest {
  private final JavaSemanticsTrial semantics = new JavaSemanticsTrial();
  private final List<JavaSemanticsTrial.Case> cases = new ArrayList<>();

  @Test
  void printedCodeIsJavas(@TempDir Path directory) throws Exception {
    assumeTrue(TranslationUnit.has("g++"), "no g++ on the PATH: printed code is not run");
    TranslationUnit unit = semantics.unit(cases);
    assertThat(cases.size()).isGreaterThan(50_000);
    JavaSemanticsTrial.check(cases, unit.run(directory, "-O2"), 0);
  }

  @Test
  void printedCodeHasNoUndefinedBehaviour(@TempDir Path directory) throws Exception {
    assumeTrue(TranslationUnit.has("g++"), "no g++ on the PATH: printed code is not run");
    TranslationUnit unit = semantics.unit(cases);
    JavaSemanticsTrial.check(
        cases, unit.run(directory, "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"), 0);
  }

  @Test
  void printedCodeIsJavasOnTheEmulatedDevice() throws Exception {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: the emulated device is not tested");
    TranslationUnit unit = semantics.unit(cases);
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults())) {
      JavaSemanticsTrial.check(cases, unit.runOn(device), 0);
    }
  }

  @Test
  void deviceCompilerHasNoWarnings(@TempDir Path directory) throws Exception {
    assumeTrue(TranslationUnit.has("nvcc"), "no nvcc on the PATH: no device code is compiled");
    semantics.unit(cases).compileForDevice(directory);
  }
}
