package org.sparkgpugraph.engine.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.sparkgpugraph.engine.device.Digests;
import org.sparkgpugraph.engine.device.KernelSource;

/**
 * PTX that was compiled when the library was packaged, for machines without a compiler. An entry is
 * a resource {@code META-INF/spark-gpu-graph/ptx/HASH.ptx}, HASH being the SHA-256 of the source's
 * text in UTF-8, as 64 hexadecimal digits.
 */
final class PrecompiledKernels {
  /** Folder of the resources. */
  static final String FOLDER = "META-INF/spark-gpu-graph/ptx/";

  private final ClassLoader loader;

  /**
   * @param loader of the jars that hold them
   */
  PrecompiledKernels(ClassLoader loader) {
    this.loader = loader;
  }

  /** Name of the resource of a source. */
  static String resource(KernelSource source) {
    byte[] text = source.text().getBytes(StandardCharsets.UTF_8);
    return FOLDER + Digests.hex(Digests.sha256().digest(text)) + ".ptx";
  }

  /** The PTX of a source, if it was packaged. */
  Optional<KernelImage> find(KernelSource source) {
    try (InputStream in = loader.getResourceAsStream(resource(source))) {
      return in == null
          ? Optional.empty()
          : Optional.of(
              new KernelImage(
                  KernelImage.Format.PTX, in.readAllBytes(), "the packaged PTX's compiler"));
    } catch (IOException e) {
      throw new UncheckedIOException("the packaged " + resource(source) + " cannot be read", e);
    }
  }
}
