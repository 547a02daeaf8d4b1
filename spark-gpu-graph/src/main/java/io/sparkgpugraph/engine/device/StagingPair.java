package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.program.Kind;
import java.util.List;

/**
 * Two page-locked buffers for the updates of one list after the other, so that one is copied by the
 * device while the host fills or empties the other. One thread at a time.
 */
final class StagingPair implements AutoCloseable {
  private final StagedUpdates[] buffers;
  private final DeviceEvent[] copied = new DeviceEvent[2];
  private int next;

  /**
   * @param device whose driver locks the pages
   * @param kinds kinds of the columns that travel
   */
  StagingPair(Device device, List<Kind> kinds) {
    buffers =
        new StagedUpdates[] {new StagedUpdates(device, kinds), new StagedUpdates(device, kinds)};
  }

  /** The buffer that was used longer ago; waits until its copy is done. */
  StagedUpdates take() {
    next ^= 1;
    await(next);
    return buffers[next];
  }

  /** The copy of the buffer that was taken last has been queued. */
  void queued(DeviceStream stream) {
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
