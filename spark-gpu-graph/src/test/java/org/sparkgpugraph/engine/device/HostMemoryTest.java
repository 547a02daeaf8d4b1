package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-spark")
class HostMemoryTest {
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private long available() {
    return HostMemory.available(
        folder.resolve("meminfo"), folder.resolve("self"), folder.resolve("cgroup"));
  }

  @Test
  void nineTenthsOfWhatTheHostHas() throws IOException {
    write("meminfo", "MemTotal:  4096 kB\nMemFree:   10 kB\nMemAvailable:   2048 kB\n");
    assertThat(available()).isEqualTo(9 * 2 * MIB / 10);
  }

  @Test
  void orOfWhatTheContainerMayHave() throws IOException {
    write("meminfo", "MemAvailable: 1048576 kB\n");
    write("self", "0::/\n");
    write("cgroup/memory.current", 90 * MIB + "\n");
    write("cgroup/memory.stat", "anon 5\ninactive_file " + 20 * MIB + "\n");
    write("cgroup/memory.max", "max\n");
    assertThat(available()).as("no limit").isEqualTo(9 * 1024 * MIB / 10);
    write("cgroup/memory.max", 100 * MIB + "\n");
    assertThat(available()).isEqualTo(9 * 30 * MIB / 10);
    write("cgroup/memory.current", 200 * MIB + "\n");
    assertThat(available()).as("more than it may").isZero();
  }

  @Test
  void whichMayBeOfTheFirstVersion() throws IOException {
    write("meminfo", "MemAvailable: 1048576 kB\n");
    write("self", "5:cpu:/a\n4:freezer,memory:/docker/b\n0::/\n");
    write("cgroup/memory/memory.usage_in_bytes", 90 * MIB + "\n");
    write("cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file " + 20 * MIB);
    write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
    assertThat(available()).as("no limit").isEqualTo(9 * 1024 * MIB / 10);
    write("cgroup/memory/memory.limit_in_bytes", 100 * MIB + "\n");
    assertThat(available()).isEqualTo(9 * 30 * MIB / 10);
  }

  /** Of a service the limit is in its own group, or in one around it. */
  @Test
  void whateverGroupHasTheLimit() throws IOException {
    write("meminfo", "MemAvailable: 1048576 kB\n");
    write("self", "0::/yarn/container_1\n");
    write("cgroup/yarn/container_1/memory.current", 10 * MIB + "\n");
    write("cgroup/yarn/container_1/memory.max", 100 * MIB + "\n");
    assertThat(available()).isEqualTo(9 * 90 * MIB / 10);
    write("cgroup/yarn/memory.current", 10 * MIB + "\n");
    write("cgroup/yarn/memory.max", 50 * MIB + "\n");
    assertThat(available()).isEqualTo(9 * 40 * MIB / 10);
  }

  @Test
  void whereNobodyTellsThereIsNone() {
    assertThat(available()).isZero();
  }

  @Test
  void thisHostHasSome() {
    assertThat(HostMemory.available()).isPositive();
  }
}
