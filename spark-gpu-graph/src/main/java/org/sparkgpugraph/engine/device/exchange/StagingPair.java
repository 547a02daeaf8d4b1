package org.sparkgpugraph.engine.device.exchange;

import java.util.List;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * Two page-locked buffers for the updates of one list after the other, so that one is copied by the
 * device while the host fills or empties the other. One thread at a time.
 */
public final class StagingPair implements AutoCloseable {
  private final StagedUpdates[] buffers;
  private final DeviceEvent[] copied = new DeviceEvent[2];
  private int next;

  /**
   * @param device whose driver locks the pages
   * @param kinds kinds of the columns that travel
   */
  public StagingPair(Device device, List<ColumnType> kinds) {
    buffers =
        new StagedUpdates[] {new StagedUpdates(device, kinds), new StagedUpdates(device, kinds)};
  }

  /** The buffer that was used longer ago; waits until its copy is done. */
  public StagedUpdates take() {
    next ^= 1;
    await(next);
    return buffers[next];
  }

  /** The copy of the buffer that was taken last has been queued. */
  public void queued(DeviceStream stream) {
    copied[next] = stream.record();
  }

  private void await(int buffer) {
    DeviceEvent event = copied[buffer];
    if (event != null) {
      copied[buffer] = null;
      try (event) {
        event.synchronize();
      }
    }
  }

  /** Nothing may be under way. */
  @Override
  public void close() {
    for (DeviceEvent event : copied) {
      if (event != null) {
        event.close();
      }
    }
    Closing.all(List.of(buffers));
  }
}
