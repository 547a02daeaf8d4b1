package org.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache of compiled kernels. */
@Tag("any-spark")
class EmulatorCacheTest {
  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: the cache is not tested");
  }

  @Test
  void jvmsThatStartAtOnceShareIt(@TempDir Path folder) throws Exception {
    Path cache = folder.resolve("cache");
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "-D" + EmulatorCache.KEY + "=" + cache,
                  EmulatorCacheTest.class.getName())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log" + i).toFile())
              .start());
    }
    for (int i = 0; i < processes.size(); i++) {
      int status = processes.get(i).waitFor();
      assertThat(Files.readString(folder.resolve("log" + i), StandardCharsets.UTF_8))
          .as("process %d, status %d", i, status)
          .contains("[31, 30, 29");
    }
    try (Stream<Path> files = Files.list(cache)) {
      assertThat(files.map(Path::getFileName).map(Path::toString).sorted())
          .as("the runtime, one program and nothing half done")
          .hasSize(2)
          .allMatch(name -> name.endsWith(".so"));
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
        .isEqualTo("rwx------");
  }

  /** One of the JVMs. */
  public static void main(String[] arguments) {
    String text =
        "SGG_KERNEL(reversed) { f.out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 31); }";
    try (LongKernels kernels = new LongKernels(EmulatorSettings.defaults(), text)) {
      StringBuilder line = new StringBuilder("[");
      for (long value : kernels.run("reversed", 1, 32, new long[0], 32)) {
        line.append(value).append(", ");
      }
      System.out.println(line);
    }
  }

  @Test
  void aFolderThatOthersMayWriteToIsRefusedAndNoneIsMadeInstead(@TempDir Path folder)
      throws Exception {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    String before = System.getProperty(EmulatorCache.KEY);
    System.setProperty(EmulatorCache.KEY, shared.toString());
    try {
      List<Path> temporary = temporary();
      assertThatThrownBy(EmulatorCache::folder)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(shared + " may be written by others (rwxrwxrwx): chmod 700 it")
          .hasMessageContaining("-D" + EmulatorCache.KEY);
      System.setProperty(EmulatorCache.KEY, shared.resolve("own").toString());
      assertThatThrownBy(EmulatorCache::folder).hasMessageContaining("may write to " + shared);
      assertThat(temporary()).isEqualTo(temporary);
    } finally {
      if (before == null) {
        System.clearProperty(EmulatorCache.KEY);
      } else {
        System.setProperty(EmulatorCache.KEY, before);
      }
    }
  }

  private static List<Path> temporary() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("spark-gpu-graph-emulator"))
          .sorted()
          .toList();
    }
  }
}
