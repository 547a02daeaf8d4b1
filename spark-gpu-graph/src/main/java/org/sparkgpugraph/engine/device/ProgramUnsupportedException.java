package org.sparkgpugraph.engine.device;

/** A program that the CPU engine runs, but no device. The message says why. */
public final class ProgramUnsupportedException extends DeviceException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what the program does, what a device can do, and what to set instead
   */
  public ProgramUnsupportedException(String message) {
    super(message, "");
  }
}
