package org.sparkgpugraph.benchmarks.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;

/** Kills executors of a {@code local-cluster}, whose JVMs are children of this one. */
final class ExecutorKill {
  private static final String MAIN = "org.apache.spark.executor.CoarseGrainedExecutorBackend";

  private ExecutorKill() {}

  /**
   * Kills one as {@code kill -9} does: the one that was started first.
   *
   * @throws IllegalStateException when there is none
   */
  static void one() {
    ProcessHandle.current()
        .descendants()
        .filter(process -> isExecutor(process.pid()))
        .min(Comparator.comparing(ProcessHandle::pid))
        .orElseThrow(() -> new IllegalStateException("no executor is a child of this JVM"))
        .destroyForcibly();
  }

  /** All of the command line is looked at: {@link ProcessHandle#info} cuts long ones. */
  private static boolean isExecutor(long process) {
    try {
      byte[] line = Files.readAllBytes(Path.of("/proc", String.valueOf(process), "cmdline"));
      return Arrays.asList(new String(line, StandardCharsets.UTF_8).split("\0")).contains(MAIN);
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }
}
