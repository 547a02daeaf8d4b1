package io.sparkgpugraph.engine.device;

import java.util.List;

/** Launches what finds the most frequent message of a partition's long rows, batch by batch. */
final class ModeHubs {
  private final List<ModeTables.Batch> batches;
  private final DeviceMemory keys;
  private final DeviceMemory counts;
  private final KernelLauncher launcher;
  private final FrameLayout.Frame frame;

  /**
   * @param tables the partition's
   * @param frame its frame
   */
  ModeHubs(
      ModeTables tables,
      int partition,
      DeviceAllocations memory,
      KernelLauncher launcher,
      FrameLayout.Frame frame) {
    batches = tables.batches();
    keys = memory.find(partition, "modeKeys");
    counts = memory.find(partition, "modeCounts");
    this.launcher = launcher;
    this.frame = frame;
  }

  /** Gathers and applies the long rows. */
  void launch(DevicePartition.Mode mode) {
    for (ModeTables.Batch batch : batches) {
      frame.set("modeFirstHub", batch.firstHub());
      frame.set("modeEndHub", batch.endHub());
      frame.set("modeFirstChunk", batch.firstChunk());
      frame.set("modeEndChunk", batch.endChunk());
      if (batch.slots() > 0) {
        launcher.stream().fill(keys, 0, 8 * batch.slots(), (byte) -1);
        launcher.stream().fill(counts, 0, 4 * batch.slots(), (byte) 0);
      }
      launch("hubs" + mode.suffix(), batch.endChunk() - batch.firstChunk());
      if (batch.slots() > 0) {
        launch("hub_finish" + mode.suffix(), batch.endHub() - batch.firstHub());
      }
    }
  }

  /** A block for each piece. */
  private void launch(String kernel, int pieces) {
    launcher.launch(kernel, launcher.blocks(kernel, pieces, DevicePlanner.BLOCK), frame);
  }
}
