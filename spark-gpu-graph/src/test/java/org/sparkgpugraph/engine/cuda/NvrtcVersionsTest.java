package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.GeneratedKernels;
import org.sparkgpugraph.engine.device.KernelSource;

/**
 * The generated kernels compile with the NVRTC of every CUDA version that is there: the one that is
 * found on this machine and those that {@code -Dsgg.nvrtc=FILE:FILE…} names. No GPU is needed.
 */
@Tag("any-spark")
class NvrtcVersionsTest {
  private static final String PROPERTY = "sgg.nvrtc";

  private static List<Nvrtc> libraries() {
    List<Nvrtc> all = new ArrayList<>();
    Arrays.stream(System.getProperty(PROPERTY, "").split(":"))
        .filter(file -> !file.isBlank())
        .forEach(file -> all.add(Nvrtc.load(Path.of(file))));
    if (all.isEmpty()) {
      new CompilerSearch(System.getenv(), Path.of("/usr/local"), 99000)
          .find(Optional.empty())
          .filter(Nvrtc.class::isInstance)
          .ifPresent(found -> all.add((Nvrtc) found));
    }
    return all;
  }

  @Test
  void generatedKernelsCompileWithEveryVersion() {
    List<Nvrtc> libraries = libraries();
    assumeTrue(
        !libraries.isEmpty(), "skipped: no NVRTC on this machine, and " + PROPERTY + " names none");
    Set<String> used = new HashSet<>();
    for (Nvrtc nvrtc : libraries) {
      for (long seed : GeneratedKernels.SEEDS) {
        KernelSource source = GeneratedKernels.of(seed, true).source();
        used.addAll(source.kernels());
        for (int architecture : new int[] {75, 80, 90}) {
          CompilerTarget target = nvrtc.target(architecture);
          String what = nvrtc.version() + ", seed " + seed + ", " + target;
          assertThat(target.format()).as(what).isEqualTo(KernelImage.Format.CUBIN);
          // The names of the kernels are in the symbol table of the ELF file.
          String cubin = new String(nvrtc.compile(source, target), StandardCharsets.ISO_8859_1);
          assertThat(cubin).as(what).startsWith("\u007fELF");
          assertThat(source.kernels())
              .as(what)
              .allMatch(name -> cubin.contains("\0" + name + "\0"));
        }
      }
      // A GPU that is newer than the compiler gets PTX, which the driver compiles.
      KernelSource source = GeneratedKernels.of(GeneratedKernels.SEEDS.get(0), true).source();
      CompilerTarget future = nvrtc.target(999);
      assertThat(future.format()).as(nvrtc.version()).isEqualTo(KernelImage.Format.PTX);
      String ptx = new String(nvrtc.compile(source, future), StandardCharsets.US_ASCII);
      assertThat(source.kernels())
          .as(nvrtc.version())
          .allMatch(name -> ptx.contains(".entry " + name));
    }
    assertThat(used).contains("gather_sparse", "lanes_dense", "hubs_sparse", "inbox");
  }
}
