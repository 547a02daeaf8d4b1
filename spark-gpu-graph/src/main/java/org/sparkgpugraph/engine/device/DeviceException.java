package org.sparkgpugraph.engine.device;

/** A device refused an operation. */
public class DeviceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String error;
  private int ordinal = -1;

  /**
   * @param operation what was tried, with its sizes: {@code "copy of 4096 bytes to the device"}
   * @param error the device's own name of the error: {@code CUDA_ERROR_INVALID_VALUE}
   * @param advice what the user can do; may be empty
   */
  public DeviceException(String operation, String error, String advice) {
    this(operation + " failed: " + error + (advice.isEmpty() ? "" : "; " + advice), error);
  }

  /** For subclasses that word their own message. */
  protected DeviceException(String message, String error) {
    super(message);
    this.error = error;
  }

  /** The device's own name of the error; empty when there is none. */
  public final String error() {
    return error;
  }

  /** Says on which device it was; what was said first stays. */
  public final void on(int device) {
    if (ordinal < 0) {
      ordinal = device;
    }
  }

  /** Ordinal of the device that refused; −1: not known. */
  public final int ordinal() {
    return ordinal;
  }
}
