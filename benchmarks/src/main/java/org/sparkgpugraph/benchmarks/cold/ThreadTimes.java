package org.sparkgpugraph.benchmarks.cold;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU time of this process by what its threads are for: the JVM's own, which no bean tells of, are
 * among them. Threads that have ended are left out; Linux only, elsewhere there are none.
 */
final class ThreadTimes {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** Of a tick of the kernel's clock for user space. */
  private static final int TICK_MILLIS = 10;

  /** In {@code stat}, counted from the one behind the name: utime and stime. */
  private static final int USER = 11;

  private ThreadTimes() {}

  /** Milliseconds until now. */
  static Map<String, Long> now() throws IOException {
    Map<String, Long> times = new LinkedHashMap<>();
    if (Files.isDirectory(TASKS)) {
      try (Stream<Path> threads = Files.list(TASKS)) {
        for (Path thread : threads.toList()) {
          add(times, thread.resolve("stat"));
        }
      }
    }
    return times;
  }

  private static void add(Map<String, Long> times, Path stat) throws IOException {
    String line;
    try {
      line = Files.readString(stat);
    } catch (IOException e) {
      return; // has ended meanwhile
    }
    int behind = line.lastIndexOf(')');
    String[] fields = line.substring(behind + 2).split(" ");
    long ticks = Long.parseLong(fields[USER]) + Long.parseLong(fields[USER + 1]);
    times.merge(
        kind(line.substring(line.indexOf('(') + 1, behind)), ticks * TICK_MILLIS, Long::sum);
  }

  private static String kind(String name) {
    if (name.startsWith("C1 ") || name.startsWith("C2 ")) {
      return name.substring(0, 2) + " compiler";
    }
    if (name.startsWith("G1 ") || name.startsWith("GC ")) {
      return "garbage collectors";
    }
    return name.startsWith("Executor task")
        ? "tasks"
        : name.matches(".*[0-9]") ? name.replaceAll("[-# ]*[0-9]+$", "") : name;
  }
}
