package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A main class in a JVM of its own, with the class path of this one. */
final class ChildProcess {
  private static final long PATIENCE_SECONDS = 120;

  private final List<String> options = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private List<String> launcher = List.of();
  private String classPath =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  private ChildProcess(Class<?> main, String... arguments) {
    this.arguments.add(main.getName());
    this.arguments.addAll(Arrays.asList(arguments));
    options.add("-Xmx512m");
    options.add("-XX:-UsePerfData");
    // It lives a few seconds.
    options.add("-XX:TieredStopAtLevel=1");
    options.add("-XX:+UseSerialGC");
  }

  static ChildProcess of(Class<?> main, String... arguments) {
    return new ChildProcess(main, arguments);
  }

  ChildProcess option(String option) {
    options.add(option);
    return this;
  }

  ChildProcess environment(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** Starts the JVM by another program, which runs the command behind its own arguments. */
  ChildProcess by(String... command) {
    launcher = List.of(command);
    return this;
  }

  ChildProcess classPath(String path) {
    classPath = path;
    return this;
  }

  /** What it printed, and how it ended. */
  record Result(int status, String output) {
    Result succeeded() {
      assertThat(status).as(output).isZero();
      return this;
    }
  }

  /** A started process. */
  record Running(Process process, Path output) implements AutoCloseable {
    Result result() throws IOException, InterruptedException {
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      String text = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(ended).as("ended in %s s: %s", PATIENCE_SECONDS, text).isTrue();
      return new Result(process.exitValue(), text);
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      Files.deleteIfExists(output);
    }
  }

  Running start() throws IOException {
    Path output = Files.createTempFile("child-", ".log");
    List<String> command = new ArrayList<>(launcher);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(classPath);
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return new Running(builder.start(), output);
  }

  Result run() throws IOException, InterruptedException {
    try (Running running = start()) {
      return running.result();
    }
  }
}
