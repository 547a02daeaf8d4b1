package org.sparkgpugraph.runtime.device;

import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceUnavailableException;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/**
 * One device of this process: opened by its first run, kept for the next ones, never used again
 * after it was lost, closed when the last use has ended. Thread-safe.
 */
final class DeviceSlot implements AutoCloseable {
  private final DeviceFinder.FoundDevice found;
  private OpenDevice open;
  private int uses;
  private boolean closing;
  private String lost;

  DeviceSlot(DeviceFinder.FoundDevice found) {
    this.found = found;
  }

  /**
   * Begins a use of the device, opening it if it is not open. Ends with {@link #endUse}.
   *
   * @throws DeviceUnavailableException when it was lost
   * @throws org.sparkgpugraph.engine.device.DeviceException when it cannot be opened; the next call
   *     tries again
   */
  synchronized OpenDevice beginUse() {
    check();
    if (open == null) {
      open = found.opener().get();
    }
    uses++;
    return open;
  }

  /** Ends a use. */
  void endUse() {
    OpenDevice device;
    synchronized (this) {
      uses--;
      device = unusedIfClosing();
    }
    if (device != null) {
      device.close();
    }
  }

  /** Takes the device out when it is to be closed now. */
  private OpenDevice unusedIfClosing() {
    if (!closing || uses > 0) {
      return null;
    }
    OpenDevice device = open;
    open = null;
    return device;
  }

  /**
   * Checks that the device was not lost.
   *
   * @throws DeviceUnavailableException when it was
   */
  synchronized void check() {
    if (lost != null) {
      throw new DeviceUnavailableException(lost, "");
    }
  }

  /** For users: {@code "GPU 0 (NVIDIA H200)"}. */
  String describe() {
    return found.describe();
  }

  /** Its number, as errors of devices name it. */
  int ordinal() {
    return found.ordinal();
  }

  /** One line that says why a run found too little memory here. */
  String outOfMemory(DeviceOutOfMemoryException e) {
    OpenDevice device = opened();
    String why = "out of GPU memory";
    if (device != null && e.needed() > device.totalMemory()) {
      why = "the graph does not fit the GPU of " + device.totalMemory() + " bytes";
    } else if (device != null && e.needed() <= e.free() + device.heldMemory()) {
      why =
          ("this executor's other graphs and runs hold %s bytes of the GPU (close graphs"
                  + " that are not needed)")
              .formatted(device.heldMemory());
    } else if (device != null) {
      why = "others hold the GPU's memory";
    }
    return why + ": " + e.getMessage();
  }

  /** Whether the device was lost. */
  synchronized boolean isLost() {
    return lost != null;
  }

  /** Remembers that the device cannot be used again by this process. */
  synchronized void lost(DeviceLostException e) {
    if (lost == null) {
      lost =
          "%s was lost to an earlier run (%s): the executor must be restarted to use it again"
              .formatted(found.describe(), e.error());
    }
  }

  /** Bytes that this process holds on the device; 0 when it is not open. */
  long heldMemory() {
    OpenDevice device = opened();
    return device == null ? 0 : device.heldMemory();
  }

  /** What it holds now. */
  DeviceUse use() {
    OpenDevice device = opened();
    return device == null
        ? new DeviceUse(describe(), 0, 0)
        : new DeviceUse(describe(), device.totalMemory(), device.heldMemory());
  }

  /** Frees what the device holds of a graph. */
  void release(ExecutorGraph graph) {
    OpenDevice device = opened();
    if (device != null) {
      device.release(graph);
    }
  }

  private synchronized OpenDevice opened() {
    return open;
  }

  /** Closes the device, as soon as no run uses it. */
  @Override
  public void close() {
    OpenDevice device;
    synchronized (this) {
      closing = true;
      device = unusedIfClosing();
    }
    if (device != null) {
      device.close();
    }
  }
}
