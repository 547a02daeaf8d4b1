package org.sparkgpugraph.integration;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program of the operating system to its end. */
final class Command {
  /** Options of JVMs that live a few seconds, on a core of their own at best. */
  static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private static final int TIMEOUT_SECONDS = 400;

  /**
   * How a program ended.
   *
   * @param status its exit status
   * @param out what it printed
   * @param err what it printed as errors
   */
  record Ended(int status, String out, String err) {
    /** Everything, for messages of failed tests. */
    @Override
    public String toString() {
      return "exit status " + status + "\n--- out\n" + out + "\n--- err\n" + err;
    }
  }

  private Command() {}

  /** A program of the JDK that runs this test. */
  static String ofJdk(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /**
   * Starts {@code spark-submit} as its script does.
   *
   * @param arguments those of spark-submit, from {@code --master} on
   */
  static Ended sparkSubmit(Path scratch, List<String> arguments) throws Exception {
    return sparkSubmit(scratch, Map.of(), "", arguments);
  }

  /**
   * Starts {@code spark-submit} as its script does.
   *
   * @param environment variables to set beside this JVM's
   * @param classPath what stands before Spark's jars: the configuration folders that the script
   *     adds; empty for none
   * @param arguments those of spark-submit, from {@code --master} on
   */
  static Ended sparkSubmit(
      Path scratch, Map<String, String> environment, String classPath, List<String> arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ofJdk("java"));
    command.addAll(Product.jvmOptions());
    command.addAll(List.of(SHORT_LIVED.split(" ")));
    String jars = Product.sparkHome().resolve("jars") + "/*";
    command.addAll(
        List.of(
            "-Xmx512m",
            "-Djava.io.tmpdir=" + scratch,
            "-Dlog4j2.configurationFile=" + Product.root().resolve("conf/log4j2.properties"),
            "-cp",
            classPath.isEmpty() ? jars : classPath + File.pathSeparator + jars,
            "org.apache.spark.deploy.SparkSubmit",
            "--conf",
            "spark.ui.enabled=false",
            "--conf",
            "spark.driver.host=127.0.0.1",
            "--conf",
            "spark.driver.bindAddress=127.0.0.1",
            "--conf",
            "spark.executor.memory=512m",
            "--conf",
            "spark.executor.extraJavaOptions=" + SHORT_LIVED,
            // On a machine that is busy executors take their time to start.
            "--conf",
            "spark.scheduler.maxRegisteredResourcesWaitingTime=100s"));
    command.addAll(arguments);
    return run(scratch, environment, "", command);
  }

  /**
   * Runs a command.
   *
   * @param environment variables to set beside this JVM's
   * @param input what the program reads
   */
  static Ended run(
      Path scratch, Map<String, String> environment, String input, List<String> command)
      throws IOException, InterruptedException {
    return run(scratch, environment, input, TIMEOUT_SECONDS, command);
  }

  /** As above, where it may take longer. */
  static Ended run(
      Path scratch,
      Map<String, String> environment,
      String input,
      int timeoutSeconds,
      List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(scratch, "out", ".txt");
    Path err = Files.createTempFile(scratch, "err", ".txt");
    Path in = Files.writeString(Files.createTempFile(scratch, "in", ".txt"), input);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(scratch.toFile())
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      throw new AssertionError(
          command + " took more than " + timeoutSeconds + " s\n" + text(out) + text(err));
    }
    return new Ended(process.exitValue(), text(out), text(err));
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
