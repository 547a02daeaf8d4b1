package org.sparkgpugraph.engine.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is free of the host's memory, for those who take it outside of the JVM: nobody refuses them,
 * but who takes more than there is, or than the container may have, is killed.
 */
public final class HostMemory {
  /** As the kernel of Linux tells them; the lines that matter are in KiB or bytes. */
  private static final Path MEMINFO = Path.of("/proc/meminfo");

  private static final Path CGROUP = Path.of("/sys/fs/cgroup");

  /** What the JVM and others may want meanwhile. */
  private static final double LEFT_ALONE = 0.1;

  private HostMemory() {}

  /** Bytes that can be taken now; 0 where nobody tells. */
  public static long available() {
    return available(MEMINFO, CGROUP);
  }

  /**
   * As above, as told by other files.
   *
   * @param cgroup folder of the container's limits, of version 2 or 1; what is not there limits
   *     nothing
   */
  static long available(Path meminfo, Path cgroup) {
    long free = 1024 * after(meminfo, "MemAvailable:");
    Path second = cgroup.resolve("memory");
    for (long left :
        List.of(
            left(
                cgroup.resolve("memory.max"),
                cgroup.resolve("memory.current"),
                cgroup.resolve("memory.stat"),
                "inactive_file"),
            left(
                second.resolve("memory.limit_in_bytes"),
                second.resolve("memory.usage_in_bytes"),
                second.resolve("memory.stat"),
                "total_inactive_file"))) {
      free = Math.min(free, left);
    }
    return Math.max(0, (long) ((1 - LEFT_ALONE) * free));
  }

  /** What a container's limit leaves, files that the kernel would drop not counted. */
  private static long left(Path limit, Path used, Path stat, String droppable) {
    long most = number(limit);
    long now = number(used);
    return most < 0 || now < 0 ? Long.MAX_VALUE : most - now + after(stat, droppable);
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
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .map(line -> line.trim().split("\\s+"))
          .filter(parts -> parts.length > 1 && parts[0].equals(word))
          .mapToLong(parts -> Long.parseLong(parts[1]))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
