package org.sparkgpugraph.engine.device.partition;

import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.settings.LaunchSize;

/** Launches what finds the most frequent message of a partition's long rows, batch by batch. */
final class ModeHubs {
  private final List<DevicePlan.Batch> batches;
  private final int hubs;
  private final DeviceMemory keys;
  private final DeviceMemory counts;
  private final KernelLauncher launcher;
  private final FrameLayout.Frame frame;

  /**
   * @param hubs the partition's
   * @param frame its frame
   */
  ModeHubs(
      DevicePlan.Hubs hubs,
      int partition,
      DeviceAllocations memory,
      KernelLauncher launcher,
      FrameLayout.Frame frame) {
    batches = hubs.batches();
    this.hubs = hubs.count();
    keys = memory.find(partition, FrameField.MODE_KEYS);
    counts = memory.find(partition, FrameField.MODE_COUNTS);
    this.launcher = launcher;
    this.frame = frame;
  }

  /** Whether the tables of all of them stand in memory at the same time. */
  boolean together() {
    return batches.size() <= 1;
  }

  /** Slots of these tables, which are cleared before each superstep. */
  long begin() {
    if (batches.isEmpty()) {
      return 0;
    }
    DevicePlan.Batch all = batches.get(0);
    frame.set(FrameField.MODE_FIRST_CHUNK, all.firstChunk());
    frame.set(FrameField.MODE_END_CHUNK, all.endChunk());
    return all.slots();
  }

  /** Gathers and applies the long rows. */
  void launch(DevicePartition.Mode mode) {
    for (DevicePlan.Batch batch : batches) {
      frame.set(FrameField.MODE_FIRST_CHUNK, batch.firstChunk());
      frame.set(FrameField.MODE_END_CHUNK, batch.endChunk());
      if (batch.slots() > 0) {
        launcher.stream().fill(keys, 0, 8 * batch.slots(), (byte) -1);
        launcher.stream().fill(counts, 0, 4 * batch.slots(), (byte) 0);
      }
      launch("hubs" + mode.suffix(), batch.endChunk() - batch.firstChunk(), LaunchSize.BLOCK);
    }
    if (keys != null) {
      launch("hub_finish" + mode.suffix(), hubs, DeviceProperties.WARP);
    }
  }

  private void launch(String kernel, int pieces, int threads) {
    launcher.launch(kernel, launcher.blocks(kernel, pieces, threads), frame);
  }
}
