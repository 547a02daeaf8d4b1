package org.sparkgpugraph.engine.device;

/** No usable device: no driver, no GPU, one that is too old. The message says which and why. */
public final class DeviceUnavailableException extends DeviceException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message why, and what to do
   * @param error the driver's own name of the error, or empty
   */
  public DeviceUnavailableException(String message, String error) {
    super(message, error);
  }
}
