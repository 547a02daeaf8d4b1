package org.sparkgpugraph.engine.device;

/** A device has not enough free memory. */
public final class DeviceOutOfMemoryException extends DeviceException {
  /** Advice where a graph is too large for a device. */
  public static final String SMALLER_PARTS =
      "use more executors, of which each holds a smaller part of the graph, or set"
          + " spark.gpugraph.engine = cpu";

  private static final long serialVersionUID = 1L;

  private final long needed;
  private final long free;

  /**
   * @param device name of the device
   * @param purpose what the memory was for
   * @param needed bytes wanted
   * @param free bytes free
   * @param error the device's own name of the error; empty when it was foreseen by an estimate
   * @param advice what the user can change
   */
  public DeviceOutOfMemoryException(
      String device, String purpose, long needed, long free, String error, String advice) {
    super(
        device
            + " has "
            + free
            + " bytes free but "
            + purpose
            + " needs "
            + needed
            + (error.isEmpty() ? "" : " (" + error + ")")
            + (advice.isEmpty() ? "" : "; " + advice),
        error);
    this.needed = needed;
    this.free = free;
  }

  /** Bytes wanted. */
  public long needed() {
    return needed;
  }

  /** Bytes free. */
  public long free() {
    return free;
  }
}
