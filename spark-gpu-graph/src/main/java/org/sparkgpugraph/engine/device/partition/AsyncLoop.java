package org.sparkgpugraph.engine.device.partition;

import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.kernels.AsyncLayout;
import org.sparkgpugraph.engine.device.kernels.AsyncWord;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.LaunchSize;

/** The launches in which workers relax items that a manager hands out ({@code sgg/async.cuh}). */
final class AsyncLoop implements Relaxation {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncLoop.class);
  private static final String KERNEL = "async_loop";

  /**
   * Mean edge values by mean degree to which idle workers may widen a bucket: on a lattice of 4096
   * x 4096 shortest paths take as long with 32 to 512, and much longer with more (H100).
   */
  private static final double WIDEST = 128;

  /** What a lane walks before it counts it for all, where there is much to walk. */
  private static final long MOST_STEP = 1 << 10;

  /**
   * What counts as an edge value where none is sent: hops come in about their order by themselves,
   * and wide buckets save ways over the manager.
   */
  private static final double HOPS = 16;

  /**
   * What a launch did.
   *
   * @param edges evaluated
   * @param ran items that were walked: vertices, or parts of their edges
   * @param stale items that were dropped, since their vertices had better values already
   * @param chased items that were walked by who found them
   * @param pushed items that went into buckets
   * @param spilled vertices that wait for the next launch
   * @param switches moves of the head
   * @param changes of the width of a bucket
   * @param width of a bucket at the end
   */
  record Outcome(
      long edges,
      long ran,
      long stale,
      long chased,
      long pushed,
      long spilled,
      long switches,
      long changes,
      double width) {}

  private final KernelLauncher launcher;
  private final FrameLayout.Frame frame;
  private final AsyncSettings settings;
  private final DeviceMemory state;
  private final DeviceMemory map;
  private final DeviceMemory written;
  private final DeviceMemory read;
  private final DeviceMemory flags;
  private final DeviceMemory idle;
  private final PinnedMemory told;
  private final boolean parts;
  private final boolean residuals;
  private final int blocks;
  private final int workers;

  /** Whether residuals were relaxed before. */
  private boolean began;

  /**
   * @param launcher of the kernels that relax
   * @param layout of their parameter
   * @param memory of a member of the frame
   * @param parts whether the partition exchanges what changes with others
   * @param residuals whether residuals are relaxed, not the least or largest values
   * @param edgeValue the mean of the edge values that are sent; 0: none are
   * @param degree mean number of edges of a vertex
   */
  AsyncLoop(
      KernelLauncher launcher,
      FrameLayout layout,
      AsyncSettings settings,
      DeviceAllocations memory,
      int partition,
      boolean parts,
      boolean residuals,
      double edgeValue,
      double degree) {
    this.launcher = launcher;
    this.parts = parts;
    this.residuals = residuals;
    this.settings = settings;
    frame = layout.newFrame(memory.members(partition));
    state = memory.get(partition, FrameField.ASYNC_STATE);
    map = memory.get(partition, FrameField.ASYNC_MAP);
    written = memory.get(partition, FrameField.ASYNC_WRITTEN);
    read = memory.get(partition, FrameField.ASYNC_READ);
    flags = memory.get(partition, FrameField.ASYNC_FLAGS);
    idle = memory.get(partition, FrameField.ASYNC_IDLE);
    told = launcher.device().allocatePinned(AsyncWord.COUNT * Long.BYTES);
    long planned = flags.bytes() / Long.BYTES / LaunchSize.WARPS + 1;
    blocks = (int) Math.min(planned, launcher.resident(KERNEL));
    workers = (blocks - 1) * LaunchSize.WARPS;
    double mean = Math.max(1, degree);
    double unit = (edgeValue > 0 ? edgeValue : HOPS) / mean;
    int grain = Math.min(32, Integer.highestOneBit(2 * (int) Math.ceil(32 / mean) - 1));
    frame.set(FrameField.ASYNC_WORKERS, workers);
    frame.set(FrameField.ASYNC_SHIFT, settings.shift());
    frame.set(FrameField.ASYNC_BLOCKS, read.bytes() / Integer.BYTES);
    frame.set(FrameField.ASYNC_RING, map.bytes() / Long.BYTES / AsyncLayout.BUCKETS);
    frame.set(FrameField.ASYNC_SLACK, AsyncLayout.slack(workers));
    frame.set(FrameField.ASYNC_GRAIN, grain);
    frame.set(
        FrameField.ASYNC_KEEP, settings.keep() > 0 ? settings.keep() : Math.max(8, 2 * grain));
    // Residuals are in one bucket.
    frame.set(FrameField.ASYNC_TAKEN, residuals ? 1 : settings.taken());
    frame.set(FrameField.ASYNC_DYNAMIC, settings.dynamic() && !residuals ? 1 : 0);
    frame.set(FrameField.ASYNC_PATIENCE, settings.patience());
    frame.box(FrameField.ASYNC_WIDTH, powerOfTwo(settings.width() * unit));
    frame.box(FrameField.ASYNC_WIDEST, powerOfTwo(WIDEST * unit));
  }

  /** The nearest one, so that steps are exact. */
  private static double powerOfTwo(double width) {
    return Math.scalb(1.0, (int) Math.rint(Math.log(width) / Math.log(2)));
  }

  @Override
  public boolean fits() {
    // A manager and a worker.
    return blocks >= 2;
  }

  @Override
  public void launch(FrameLayout.Frame plain, boolean far, long work) {
    DeviceStream stream = launcher.stream();
    for (DeviceMemory cleared : new DeviceMemory[] {state, map, written, read, flags, idle}) {
      stream.fill(cleared, 0, cleared.bytes(), (byte) 0);
    }
    frame.copy(plain);
    frame.set(FrameField.ASYNC_FAR, far ? 1 : 0);
    if (parts) {
      frame.set(FrameField.ASYNC_WORK, work);
      frame.set(FrameField.ASYNC_STEP, step(work));
    }
    if (residuals) {
      frame.set(FrameField.RESIDUALS_BEGIN, began ? 0 : 1);
      began = true;
    }
    launcher.launchCooperative(KERNEL, blocks, frame);
    stream.download(state, 0, told, 0, AsyncWord.COUNT * Long.BYTES);
  }

  /** What lanes keep to themselves is at most as much again, and seldom a quarter. */
  private long step(long work) {
    long lanes = (long) DeviceProperties.WARP * Math.max(1, workers);
    return Math.min(MOST_STEP, work / lanes);
  }

  @Override
  public Done finish() {
    Outcome outcome =
        new Outcome(
            word(AsyncWord.EDGES),
            word(AsyncWord.RAN),
            word(AsyncWord.STALE),
            word(AsyncWord.CHASED),
            word(AsyncWord.PUSHED),
            word(AsyncWord.SPILLED),
            word(AsyncWord.SWITCHES),
            word(AsyncWord.CHANGES),
            Double.longBitsToDouble(word(AsyncWord.WIDTH)));
    LOG.debug(
        "relaxed without supersteps by {} blocks: {}, {} rounds of the manager, {} of {} blocks of"
            + " the pool used",
        blocks,
        outcome,
        word(AsyncWord.ROUNDS),
        word(AsyncWord.BLOCKS),
        read.bytes() / Integer.BYTES);
    if (word(AsyncWord.STUCK) != 0) {
      throw new DeviceException(
          "a relaxation without supersteps",
          "nothing happened for "
              + settings.patience()
              + " rounds, but items were left: "
              + outcome,
          "set spark.gpugraph.kernel = auto");
    }
    if (word(AsyncWord.LOST) != 0) {
      throw new DeviceException(
          "a relaxation of residuals",
          word(AsyncWord.LOST) + " vertices were left with more than the tolerance: " + outcome,
          "set spark.gpugraph.kernel = auto");
    }
    if (word(AsyncWord.SHRUNK) != 0) {
      throw new DeviceException(
          "a relaxation of residuals",
          "a message made a vertex's residual less, but sendMessage only says on what is above a"
              + " tolerance: what is left at the end would have no bound",
          "hold the size against the tolerance (Math.abs), or set spark.gpugraph.kernel = auto");
    }
    return new Done(outcome.edges(), outcome.ran(), outcome.spilled());
  }

  private long word(AsyncWord word) {
    ByteBuffer words = told.buffer();
    return words.getLong(word.offset());
  }

  @Override
  public void close() {
    told.close();
  }
}
