package org.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The emulator in a program without a JVM, under AddressSanitizer and UndefinedBehaviorSanitizer.
 * Every planted fault has a process of its own.
 */
@Tag("any-spark")
class NativeSelfTest {
  @TempDir private static Path folder;

  @BeforeAll
  static void build() throws Exception {
    SanitizedProcess.assumeAvailable();
    Path runtime = Files.writeString(folder.resolve("runtime.cpp"), EmulatorSources.runtime());
    Path test = folder.resolve("self-test.cpp");
    try (InputStream in = NativeSelfTest.class.getResourceAsStream("self-test.cpp")) {
      Files.writeString(
          test,
          EmulatorSources.prelude()
              + "#line 1 \"self-test.cpp\"\n"
              + new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    String[] flags = {
      "-std=c++17",
      "-O0",
      "-g1",
      "-Wall",
      "-Wextra",
      "-Werror",
      "-fno-strict-aliasing",
      "-fsanitize=address,undefined",
      "-fno-sanitize-recover=all"
    };
    List<String> line = new ArrayList<>(List.of(EmulatorCompiler.command()));
    line.addAll(Arrays.asList(flags));
    line.addAll(
        List.of(
            "-o",
            folder.resolve("self-test").toString(),
            test.toString(),
            runtime.toString(),
            "-ldl"));
    SanitizedProcess.Result result = run(line.toArray(String[]::new));
    assertThat(result.output()).isEmpty();
    assertThat(result.status()).isZero();
  }

  @Test
  void soundKernelsAreClean() throws Exception {
    SanitizedProcess.Result result = run(folder.resolve("self-test").toString(), "sound");
    assertThat(result.output()).isEqualTo("survived\n");
    assertThat(result.status()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "write, heap-buffer-overflow",
    "read, heap-buffer-overflow",
    "atomic, heap-buffer-overflow",
    "freed, heap-use-after-free",
    "shared, use-after-poison",
    "local, stack-buffer-overflow",
    "parameters, heap-buffer-overflow",
    "overflow, signed integer overflow",
    "shift, shift exponent",
    "unaligned, misaligned address",
  })
  void aPlantedFaultEndsTheProcess(String fault, String message) throws Exception {
    SanitizedProcess.Result result = run(folder.resolve("self-test").toString(), fault);
    assertThat(result.output()).contains(message).contains("self-test.cpp:");
    assertThat(result.output()).doesNotContain("survived");
    assertThat(result.status()).isNotZero();
  }

  private static SanitizedProcess.Result run(String... line)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    // Fibers that a failed launch leaves behind may hold pieces of its message.
    builder.environment().put("ASAN_OPTIONS", "detect_leaks=0");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new SanitizedProcess.Result(process.waitFor(), output);
  }
}
