package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.runtime.LibraryKernels;

/** What the build compiles ahead is what a machine without a compiler finds and can load. */
@Tag("any-spark")
class PackagedKernelsTest {
  @Test
  void thePackagedKernelsAreFoundByTheirSource(@TempDir Path classes) throws Exception {
    assumeTrue(
        PackagedKernels.nvcc().isPresent(), "no nvcc on the PATH: nothing is compiled ahead");
    Path nvcc = PackagedKernels.nvcc().get();
    List<LibraryKernels.Entry> entries = LibraryKernels.all().subList(0, 1);
    Path folder = Files.createDirectories(classes.resolve(PrecompiledKernels.FOLDER));
    Path stale = Files.writeString(folder.resolve("stale.ptx"), "of another version");
    int codes =
        (int)
            PrecompiledKernels.ARCHITECTURES.stream()
                .filter(architecture -> PackagedKernels.makesCodeFor(nvcc, architecture))
                .count();
    assertThat(PackagedKernels.write(entries, nvcc, classes)).isEqualTo(1 + codes);
    assertThat(stale).doesNotExist();
    assertThat(PackagedKernels.write(entries, nvcc, classes)).as("compiled again").isZero();
    Files.writeString(classes.resolve(PrecompiledKernels.COMPILER), "11.8.1\n--std=c++17\n");
    assertThat(PackagedKernels.write(entries, nvcc, classes))
        .as("machine code of another compiler")
        .isEqualTo(codes);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, null)) {
      PrecompiledKernels packaged = new PrecompiledKernels(loader, Integer.MAX_VALUE);
      KernelImage image = packaged.find(entries.get(0).source()).orElseThrow();
      String ptx = new String(image.bytes(), StandardCharsets.UTF_8);
      assertThat(ptx)
          .contains(".version 8.0\n", ".target sm_75\n")
          .doesNotContain(".loc", ".file", ".section");
      for (String kernel : entries.get(0).source().kernels()) {
        assertThat(ptx).contains(".visible .entry " + kernel + "(");
      }
      if (PackagedKernels.makesCodeFor(nvcc, 90)) {
        byte[] code = packaged.code(entries.get(0).source(), 90).orElseThrow().bytes();
        String text = new String(code, StandardCharsets.ISO_8859_1);
        assertThat(text).startsWith("\u007fELF").contains(entries.get(0).source().kernels());
      }
    }
    Path ptxas = nvcc.resolveSibling("ptxas");
    assumeTrue(Files.isExecutable(ptxas), "no ptxas beside nvcc: the PTX is not assembled");
    try (Stream<Path> files = Files.list(folder)) {
      assembles(ptxas, files.findFirst().orElseThrow());
    }
  }

  private static void assembles(Path ptxas, Path file) throws Exception {
    for (String architecture : List.of("sm_75", "sm_90")) {
      Process process =
          new ProcessBuilder(
                  ptxas.toString(), "-arch=" + architecture, "-o", "/dev/null", file.toString())
              .redirectErrorStream(true)
              .start();
      String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(architecture + ": " + log).isZero();
    }
  }

  @Test
  void ptxIsMadePortable() {
    String debug = "\t.section\t.debug_str\n\t{\n$L__info_string0:\n.b8 97,0\n\n\t}\n";
    assertThat(
            PackagedKernels.portable(
                "//\n.version 9.0\n.target sm_75\n\t.loc 1 2 3\n\tret;\n\t.file\t1 \"/a\"\n"
                    + debug))
        .isEqualTo("//\n.version 8.0\n.target sm_75\n\tret;\n");
    assertThat(PackagedKernels.portable(".version 7.8\n")).isEqualTo(".version 7.8\n");
  }
}
