package org.sparkgpugraph.engine.device;

/** Kernels must be compiled and no compiler was found. */
public final class CompilerUnavailableException extends DeviceException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message where a compiler was looked for, and what to install or set
   */
  public CompilerUnavailableException(String message) {
    super(message, "");
  }
}
