package org.sparkgpugraph.engine.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What is free of the host's memory, for those who take it outside of the JVM: nobody refuses them,
 * but who takes more than there is, or than the container may have, is killed.
 */
public final class HostMemory {
  /** As the kernel of Linux tells them; the lines that matter are in KiB or bytes. */
  private static final Path MEMINFO = Path.of("/proc/meminfo");

  private static final Path OWN_GROUPS = Path.of("/proc/self/cgroup");

  private static final Path CGROUP = Path.of("/sys/fs/cgroup");

  /** The names of the files of a version of groups, and what in the last one can be dropped. */
  private record Names(String limit, String used, String droppable) {}

  private static final Names SECOND = new Names("memory.max", "memory.current", "inactive_file");

  private static final Names FIRST =
      new Names("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");

  /** What the JVM and others may want meanwhile. */
  private static final double LEFT_ALONE = 0.1;

  private HostMemory() {}

  /** Bytes that can be taken now; 0 where nobody tells. */
  public static long available() {
    return available(MEMINFO, OWN_GROUPS, CGROUP);
  }

  /**
   * As above, as told by other files.
   *
   * @param own the groups of this process, a line each: number, controllers, path
   * @param cgroup folder of the groups' limits, of version 2 or 1; what is not there limits nothing
   */
  static long available(Path meminfo, Path own, Path cgroup) {
    long free = 1024 * after(meminfo, "MemAvailable:");
    for (String line : lines(own)) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && parts[1].isEmpty()) {
        free = Math.min(free, left(cgroup, parts[2], SECOND));
      } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
        free = Math.min(free, left(cgroup.resolve("memory"), parts[2], FIRST));
      }
    }
    return Math.max(0, (long) ((1 - LEFT_ALONE) * free));
  }

  /**
   * The least that a group and those around it leave. In a container the outermost one that it sees
   * is its own, whatever its path is outside.
   */
  private static long left(Path root, String path, Names names) {
    long least = left(root, names);
    Path group = root;
    for (Path part : Path.of("/").relativize(Path.of(path))) {
      group = group.resolve(part);
      least = Math.min(least, left(group, names));
    }
    return least;
  }

  /** What a group's limit leaves, files that the kernel would drop not counted. */
  private static long left(Path group, Names names) {
    long most = number(group.resolve(names.limit()));
    long now = number(group.resolve(names.used()));
    return most < 0 || now < 0
        ? Long.MAX_VALUE
        : most - now + after(group.resolve("memory.stat"), names.droppable());
  }

  /** The number in a file; negative where there is none, or no limit. */
  private static long number(Path file) {
    try {
      String text = Files.readString(file).trim();
      return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    } catch (IOException e) {
      return -1;
    }
  }

  /** The number behind a word at the beginning of a line; 0 where there is none. */
  private static long after(Path file, String word) {
    return lines(file).stream()
        .map(line -> line.trim().split("\\s+"))
        .filter(parts -> parts.length > 1 && parts[0].equals(word))
        .mapToLong(parts -> Long.parseLong(parts[1]))
        .findFirst()
        .orElse(0);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
