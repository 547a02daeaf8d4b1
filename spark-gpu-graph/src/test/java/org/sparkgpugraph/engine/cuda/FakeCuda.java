package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Compiles the fake driver and the fake NVRTC, which lie beside this class, into a folder. */
final class FakeCuda {
  private FakeCuda() {}

  /** {@code libcuda.so.1}. */
  static Path driver(Path folder) throws Exception {
    return compile("fake_libcuda.cpp", folder, "libcuda.so.1");
  }

  /** {@code libnvrtc.so.13}. */
  static Path nvrtc(Path folder) throws Exception {
    return compile("fake_libnvrtc.cpp", folder, "libnvrtc.so.13");
  }

  /** NVRTC of CUDA 11.8: the library's own name does not tell its version, its builtins' does. */
  static void nvrtcOfCuda11(Path folder) throws Exception {
    compile("fake_libnvrtc.cpp", folder, "libnvrtc.so.11.2");
    compile("fake_libnvrtc.cpp", folder, "libnvrtc-builtins.so.11.8");
  }

  private static Path compile(String resource, Path folder, String library) throws Exception {
    Files.createDirectories(folder);
    Path source = folder.resolve(resource);
    try (InputStream in = FakeCuda.class.getResourceAsStream(resource)) {
      Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
    }
    Path file = folder.resolve(library);
    List<String> command =
        List.of(
            "g++",
            "-std=c++17",
            "-O1",
            "-fPIC",
            "-shared",
            "-fvisibility=hidden",
            "-Wl,-soname," + library,
            "-Wl,-Bsymbolic",
            "-o",
            file.toString(),
            source.toString(),
            "-ldl");
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return abort("skipped: no g++ to compile " + resource + " with: " + e.getMessage());
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return file;
  }
}
