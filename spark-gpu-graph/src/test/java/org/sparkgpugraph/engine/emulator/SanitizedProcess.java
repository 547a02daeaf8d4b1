package org.sparkgpugraph.engine.emulator;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own, under AddressSanitizer and UndefinedBehaviorSanitizer, in which {@link
 * EmulatorSettings#defaults()} are those of a sanitized device: any main class that runs the device
 * engine on emulated devices runs sanitized. (Leaks are not looked for: a JVM leaves memory behind
 * on purpose. Segmentation faults belong to the JVM, which uses them.)
 */
public final class SanitizedProcess {
  private static final long MINUTES = 10;

  private SanitizedProcess() {}

  /**
   * How a process ended.
   *
   * @param status its exit status; a sanitizer that finds something ends the process with another
   *     one than 0
   * @param output what it printed
   */
  public record Result(int status, String output) {}

  /** Skips the calling test when the compiler has no sanitizers for shared libraries. */
  public static void assumeAvailable() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing runs under sanitizers");
    assumeTrue(
        Files.exists(library()),
        EmulatorCompiler.command() + " has no libasan.so: nothing runs under sanitizers");
  }

  /** Runs a main class with the class path of this JVM. */
  public static Result run(Class<?> main, String... arguments) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-Xmx512m",
            "-XX:+UseSerialGC",
            // Compiled with sanitizers programs take three times as long: as many as the kinds are.
            "-DenginePrograms=8",
            "-cp",
            System.getProperty("java.class.path"),
            "-D" + EmulatorSettings.SANITIZERS_KEY + "=true",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-D" + EmulatorCache.KEY + "=" + EmulatorCache.folder()));
    line.add(main.getName());
    line.addAll(List.of(arguments));
    try {
      Path output = Files.createTempFile("sanitized", ".log");
      try {
        ProcessBuilder builder =
            new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("LD_PRELOAD", library().toString());
        builder
            .environment()
            .put("ASAN_OPTIONS", "detect_leaks=0:handle_segv=0:handle_sigill=0:exitcode=99");
        builder.environment().put("UBSAN_OPTIONS", "print_stacktrace=1:exitcode=99");
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
          process.destroyForcibly().waitFor();
          throw new IllegalStateException(
              main + " did not end within " + MINUTES + " minutes:\n" + Files.readString(output));
        }
        return new Result(
            process.exitValue(), new String(Files.readAllBytes(output), StandardCharsets.UTF_8));
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot run " + line, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + main + " ran", e);
    }
  }

  /**
   * Runs tests with the class path of this JVM.
   *
   * @param tests names of classes, or of methods: {@code package.Class#method}
   */
  public static Result runTests(String... tests) {
    return run(SelectedTestsJob.class, tests);
  }

  private static Path library() {
    try {
      Process process =
          new ProcessBuilder(EmulatorCompiler.command(), "-print-file-name=libasan.so").start();
      process.getOutputStream().close();
      return Path.of(
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new IllegalStateException("cannot run " + EmulatorCompiler.command(), e);
    }
  }
}
