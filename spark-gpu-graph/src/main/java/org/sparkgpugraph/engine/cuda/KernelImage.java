package org.sparkgpugraph.engine.cuda;

/**
 * Compiled kernels.
 *
 * @param format machine code, or text that the driver still has to compile
 * @param bytes the image; PTX without a terminating zero
 * @param compiler name and version of what compiled it, for messages
 */
public record KernelImage(Format format, byte[] bytes, String compiler) {
  /** What an image is. */
  public enum Format {
    /** Machine code for one architecture. */
    CUBIN,
    /** NVIDIA's portable assembly; the driver compiles it for the GPU when it is loaded. */
    PTX
  }
}
