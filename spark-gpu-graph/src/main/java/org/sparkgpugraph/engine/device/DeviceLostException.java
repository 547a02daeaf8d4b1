package org.sparkgpugraph.engine.device;

/**
 * A fault that leaves the device unusable for the rest of this process (an illegal address in a
 * kernel, an uncorrectable memory error): the process must be restarted.
 */
public final class DeviceLostException extends DeviceException {
  private static final long serialVersionUID = 1L;

  /**
   * @param operation what was tried when it was noticed
   * @param error the device's own name of the error
   */
  public DeviceLostException(String operation, String error) {
    super(
        operation,
        error,
        "the GPU cannot be used again by this process; the executor must be restarted");
  }
}
