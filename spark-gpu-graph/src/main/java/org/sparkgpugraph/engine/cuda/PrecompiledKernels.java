package org.sparkgpugraph.engine.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.engine.device.Digests;
import org.sparkgpugraph.engine.device.KernelSource;

/**
 * Kernels that were compiled when the library was packaged: machine code for some GPUs, with which
 * a first run need not wait for a compiler, and PTX for machines without one. Entries are
 * resources, HASH being the SHA-256 of the source's text in UTF-8, as 64 hexadecimal digits:
 *
 * <ul>
 *   <li>{@code META-INF/spark-gpu-graph/ptx/HASH.ptx}
 *   <li>{@code META-INF/spark-gpu-graph/cubin/HASH.sm_90.cubin}; runs on GPUs of the same major
 *       compute capability and of no smaller minor one
 *   <li>{@code META-INF/spark-gpu-graph/cubin/compiler}: what made the machine code; a line with
 *       nvcc's version, one with its options
 * </ul>
 */
final class PrecompiledKernels {
  /** Folder of the PTX. */
  static final String FOLDER = "META-INF/spark-gpu-graph/ptx/";

  /** Folder of the machine code. */
  static final String CODE_FOLDER = "META-INF/spark-gpu-graph/cubin/";

  /** What made the machine code. */
  static final String COMPILER = CODE_FOLDER + "compiler";

  /**
   * The GPUs with machine code, in descending order: Blackwell, Hopper, and Ampere, whose code runs
   * on Ada, too. Of older ones kernels are compiled when they are needed.
   */
  static final List<Integer> ARCHITECTURES = List.of(100, 90, 80);

  private final ClassLoader loader;
  private final int driverVersion;
  private String compiler;

  /**
   * @param loader of the jars that hold them
   * @param driverVersion CUDA version of the driver, 13000 for 13.0: it takes no machine code of a
   *     newer major version
   */
  PrecompiledKernels(ClassLoader loader, int driverVersion) {
    this.loader = loader;
    this.driverVersion = driverVersion;
  }

  private static String hash(KernelSource source) {
    byte[] text = source.text().getBytes(StandardCharsets.UTF_8);
    return Digests.hex(Digests.sha256().digest(text));
  }

  /** Name of the resource of a source's PTX. */
  static String resource(KernelSource source) {
    return FOLDER + hash(source) + ".ptx";
  }

  /**
   * Name of the resource of a source's machine code.
   *
   * @param architecture one of {@link #ARCHITECTURES}
   */
  static String codeResource(KernelSource source, int architecture) {
    return CODE_FOLDER + hash(source) + ".sm_" + architecture + ".cubin";
  }

  /** The PTX of a source, if it was packaged. */
  Optional<KernelImage> find(KernelSource source) {
    return read(resource(source))
        .map(ptx -> new KernelImage(KernelImage.Format.PTX, ptx, "the packaged PTX's compiler"));
  }

  /**
   * The machine code of a source that a GPU runs, if it was packaged and the driver takes it.
   *
   * @param architecture of the GPU, 90 for 9.0
   */
  Optional<KernelImage> code(KernelSource source, int architecture) {
    Optional<Integer> packaged =
        ARCHITECTURES.stream()
            .filter(of -> of / 10 == architecture / 10 && of <= architecture)
            .findFirst();
    if (packaged.isEmpty() || !takesCode()) {
      return Optional.empty();
    }
    return read(codeResource(source, packaged.get()))
        .map(code -> new KernelImage(KernelImage.Format.CUBIN, code, "nvcc " + compiler()));
  }

  /** Whether there is any, of no newer major version than the driver. */
  private boolean takesCode() {
    String version = compiler();
    return !version.isEmpty()
        && Integer.parseInt(version.substring(0, version.indexOf('.'))) <= driverVersion / 1000;
  }

  /** Version of nvcc; empty where there is no machine code. */
  private synchronized String compiler() {
    if (compiler == null) {
      compiler =
          read(COMPILER)
              .map(text -> new String(text, StandardCharsets.UTF_8).lines().findFirst().orElse(""))
              .orElse("");
    }
    return compiler;
  }

  private Optional<byte[]> read(String resource) {
    try (InputStream in = loader.getResourceAsStream(resource)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("the packaged " + resource + " cannot be read", e);
    }
  }
}
