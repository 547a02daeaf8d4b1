package org.sparkgpugraph.integration;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A JVM of an executor that a standalone worker started, as the operating system shows it: also
 * when its driver is dead.
 *
 * @param id Spark's id of the executor
 * @param handle the process
 */
record ExecutorProcess(String id, ProcessHandle handle) {
  private static final String MAIN = "org.apache.spark.executor.CoarseGrainedExecutorBackend";

  /**
   * The living executors that were started with a mark on their command line.
   *
   * @param mark a part of it, such as a folder of their own
   */
  static List<ExecutorProcess> all(String mark) {
    List<ExecutorProcess> all = new ArrayList<>();
    ProcessHandle.allProcesses().forEach(process -> of(process, mark).ifPresent(all::add));
    return all;
  }

  private static Optional<ExecutorProcess> of(ProcessHandle process, String mark) {
    List<String> words = commandLine(process.pid());
    int id = words.indexOf("--executor-id") + 1;
    return words.contains(MAIN) && id > 0 && words.stream().anyMatch(word -> word.contains(mark))
        ? Optional.of(new ExecutorProcess(words.get(id), process))
        : Optional.empty();
  }

  /** All of it: {@link ProcessHandle#info} cuts long ones. A zombie has none. */
  private static List<String> commandLine(long process) {
    try {
      byte[] line = Files.readAllBytes(Path.of("/proc", String.valueOf(process), "cmdline"));
      return Arrays.asList(new String(line, StandardCharsets.UTF_8).split("\0"));
    } catch (IOException e) {
      // It has ended.
      return List.of();
    }
  }

  /** Kills it as {@code kill -9} does and waits for its end. */
  void kill() {
    handle.destroyForcibly();
    Await.until("the end of executor " + id, () -> !commandLine(handle.pid()).contains(MAIN));
  }
}
