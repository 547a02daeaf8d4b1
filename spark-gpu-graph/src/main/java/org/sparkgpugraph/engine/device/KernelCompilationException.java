package org.sparkgpugraph.engine.device;

/** Generated kernels did not compile. */
public final class KernelCompilationException extends DeviceException {
  private static final long serialVersionUID = 1L;

  private final String log;
  private final transient KernelSource source;

  /**
   * @param compiler name and version of the compiler
   * @param source what was compiled
   * @param log what the compiler said
   */
  public KernelCompilationException(String compiler, KernelSource source, String log) {
    super(
        compiler
            + " does not compile the kernels generated for "
            + source.name()
            + ":\n"
            + log.strip()
            + "\nfunctions:\n"
            + String.join("\n", source.origins())
            + "\nsource:\n"
            + source.text(),
        compiler);
    this.log = log;
    this.source = source;
  }

  /** What the compiler said. */
  public String log() {
    return log;
  }

  /** What was compiled; null after serialisation. */
  public KernelSource source() {
    return source;
  }
}
