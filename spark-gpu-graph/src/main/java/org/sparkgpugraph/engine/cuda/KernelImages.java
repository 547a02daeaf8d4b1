package org.sparkgpugraph.engine.cuda;

import java.nio.file.Path;
import java.util.Optional;
import org.sparkgpugraph.engine.device.KernelSource;

/** Where a device gets compiled kernels from. */
@FunctionalInterface
public interface KernelImages {
  /**
   * Compiled kernels of a source.
   *
   * @param architecture compute capability as one number, 90 for 9.0
   * @throws org.sparkgpugraph.engine.device.KernelCompilationException with the compiler's log
   * @throws org.sparkgpugraph.engine.device.CompilerUnavailableException when there is no compiler
   */
  KernelImage image(KernelSource source, int architecture);

  /** Where they are kept on disk; empty: nowhere. */
  default Optional<Path> folder() {
    return Optional.empty();
  }
}
