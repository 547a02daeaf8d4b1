package org.sparkgpugraph.engine.device.partition;

import java.util.List;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.HotVertices;

/**
 * Launches that gather all rows of a partition with the other ends' values in the order of ranks,
 * the hottest from shared memory ({@code sgg/hot.cuh}). A gather leaves its vertices' next values
 * in that order, too; before the first one, and wherever values change otherwise, another launch
 * puts all of them into it, and before each other one those of ghosts.
 */
final class HotGather {
  /** The kernel's room has some bytes, also where nothing is near. */
  private static final int NO_LESS = 16;

  private final KernelLauncher launcher;
  private final FrameLayout.Frame frame;
  private final HotVertices how;
  private final long vertices;
  private final long ghosts;
  private final int sharedBytes;
  private final int valueBlocks;
  private final int ghostBlocks;
  private final int gatherBlocks;
  private final List<Integer> columns;
  private final DeviceMemory[] values;
  private final DeviceMemory[] next;

  /** Whether values have changed since, or other than by the last of these gathers. */
  private boolean stale = true;

  /**
   * @param kernels these
   * @param launcher launches them
   * @param tuning how rows are gathered
   * @param memory of the members of the frame
   * @param vertices held ones and ghosts
   * @param ghosts these alone
   */
  HotGather(
      ProgramKernels.Hot kernels,
      KernelLauncher launcher,
      DenseTuning tuning,
      DeviceAllocations memory,
      int partition,
      long vertices,
      long ghosts) {
    this.launcher = launcher;
    this.vertices = vertices;
    this.ghosts = ghosts;
    how = kernels.how();
    Device device = launcher.device();
    int near =
        how.near(
            kernels.columns(), vertices, tuning.edgesOfLane(), device.properties().sharedBytes());
    sharedBytes = near * kernels.columns().bytes() + NO_LESS;
    frame = kernels.frame().newFrame();
    for (String member :
        new String[] {FrameField.HOT_NEIGHBOURS, FrameField.HOT_VERTICES, FrameField.HOT_RANKS}) {
      frame.set(member, memory.get(partition, member));
    }
    columns = kernels.columns().columns();
    values = new DeviceMemory[columns.size()];
    next = new DeviceMemory[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = memory.get(partition, FrameField.HOT_VALUE.of(columns.get(i)));
      DeviceMemory second = memory.find(partition, FrameField.HOT_NEXT.of(columns.get(i)));
      next[i] = second == null ? values[i] : second;
    }
    frame.set(FrameField.HOT_NEAR, near);
    valueBlocks = launcher.resident(ProgramKernels.HOT_VALUES, how.threads(), 0);
    ghostBlocks = launcher.resident(ProgramKernels.HOT_GHOSTS, how.threads(), 0);
    gatherBlocks = launcher.resident(ProgramKernels.HOT_GATHER, how.threads(), sharedBytes);
  }

  /** Whether a block of them fits a multiprocessor. */
  boolean fits() {
    return gatherBlocks > 0 && valueBlocks > 0 && ghostBlocks > 0;
  }

  /** Blocks of the gather. */
  int blocks(long threads) {
    return blocks(threads, gatherBlocks);
  }

  private int blocks(long threads, int most) {
    return (int) Math.max(1, Math.min(most, (threads + how.threads() - 1) / how.threads()));
  }

  /** Says that values have changed otherwise. */
  void forget() {
    stale = true;
  }

  /**
   * Queues a gather, and what it needs.
   *
   * @param plain the frame of the partition's other kernels, as a gather needs it
   * @param threads that have a row or a part of a hub's chunk
   */
  void launch(FrameLayout.Frame plain, long threads) {
    frame.copy(plain);
    for (int i = 0; i < values.length; i++) {
      frame.set(FrameField.HOT_VALUE.of(columns.get(i)), values[i]);
      frame.set(FrameField.HOT_NEXT.of(columns.get(i)), next[i]);
    }
    if (stale) {
      launcher.launch(
          ProgramKernels.HOT_VALUES, blocks(vertices, valueBlocks), how.threads(), 0, frame);
    } else if (ghosts > 0) {
      launcher.launch(
          ProgramKernels.HOT_GHOSTS, blocks(ghosts, ghostBlocks), how.threads(), 0, frame);
    }
    launcher.launch(ProgramKernels.HOT_GATHER, blocks(threads), how.threads(), sharedBytes, frame);
    stale = false;
    for (int i = 0; i < values.length; i++) {
      DeviceMemory written = next[i];
      next[i] = values[i];
      values[i] = written;
    }
  }

  @Override
  public String toString() {
    return gatherBlocks
        + " blocks of "
        + how.threads()
        + " threads with "
        + sharedBytes
        + " bytes near, up to "
        + valueBlocks
        + " blocks before";
  }
}
