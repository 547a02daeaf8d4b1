package org.sparkgpugraph.engine.device.partition;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.memory.Tiles;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.TileLayout;
import org.sparkgpugraph.engine.device.settings.TileSettings;

/** The launches in which blocks relax the tiles that they own ({@code sgg/tiles.cuh}). */
final class TileLoop implements Relaxation {
  private static final Logger LOG = LoggerFactory.getLogger(TileLoop.class);
  private static final String KERNEL = "tile_loop";

  /**
   * What counts as an edge value where none is sent: hops come in about their order by themselves,
   * and a narrow horizon only makes blocks wait.
   */
  private static final double HOPS = 64;

  private final KernelLauncher launcher;
  private final FrameLayout.Frame frame;
  private final DeviceMemory state;
  private final DeviceMemory inbox;
  private final DeviceMemory sums;
  private final PinnedMemory told;
  private final int patience;
  private final int threads;
  private final int sharedBytes;
  private final int owners;

  /**
   * @param launcher of the kernels that relax
   * @param layout of their parameter
   * @param memory of a member of the frame
   * @param tiles of the partition
   * @param both whether edges of both sides are walked
   * @param edgeValue the mean of the edge values that are sent; 0: none are
   * @param edges of the partition, on the sides that are walked
   * @param vertices of the partition
   */
  TileLoop(
      KernelLauncher launcher,
      FrameLayout layout,
      AsyncSettings settings,
      Tiles tiles,
      DeviceAllocations memory,
      int partition,
      boolean both,
      double edgeValue,
      long edges,
      long vertices) {
    this.launcher = launcher;
    frame = layout.newFrame(memory.members(partition));
    state = memory.get(partition, FrameField.TILE_STATE);
    inbox = memory.get(partition, FrameField.TILE_INBOX);
    sums = memory.get(partition, FrameField.TILE_SUMS);
    told = launcher.device().allocatePinned(TileLayout.BLOCKS * Long.BYTES);
    patience = settings.patience();
    owners = tiles.owners();
    Device device = launcher.device();
    device.upload(
        tiles.places(), 0, tiles.places().length, memory.get(partition, FrameField.TILE_PLACES), 0);
    device.upload(
        tiles.rows(), 0, tiles.rows().length, memory.get(partition, FrameField.TILE_ROWS), 0);
    int words = tiles.words();
    TileSettings how =
        settings.tiles().fitting(words, both, device.properties().sharedBytes()).orElseThrow();
    threads = TileLayout.threads(how);
    sharedBytes = TileLayout.sharedBytes(how, words, both);
    double mean = Math.max(1, (double) edges / Math.max(1, vertices));
    double unit = (edgeValue > 0 ? edgeValue : HOPS) / mean;
    frame.set(FrameField.TILE_EDGES, both ? edges / 2 : edges);
    frame.set(FrameField.TILE_LONGEST, both ? Integer.MAX_VALUE : tiles.longest());
    frame.set(FrameField.TILE_OWNERS, owners);
    frame.set(FrameField.TILE_WORDS, words);
    frame.set(FrameField.TILE_NEAR, how.near());
    frame.set(FrameField.TILE_FAR, how.far());
    frame.set(FrameField.TILE_POSTS, how.posts());
    frame.set(FrameField.TILE_BYTES, sharedBytes);
    frame.set(FrameField.TILE_GROUP, group(mean));
    frame.set(FrameField.TILE_PATIENCE, patience);
    frame.box(FrameField.TILE_WIDTH, how.width() * unit);
  }

  /** Logarithm of the lanes that walk a vertex's edges together: as many as it has, about. */
  private static int group(double degree) {
    int lanes = Math.min(TileLayout.WORD, Integer.highestOneBit(2 * (int) Math.ceil(degree) - 1));
    return Integer.numberOfTrailingZeros(lanes);
  }

  @Override
  public boolean fits() {
    return launcher.resident(KERNEL, threads, sharedBytes) > owners;
  }

  @Override
  public void launch(FrameLayout.Frame plain, boolean far, long work) {
    DeviceStream stream = launcher.stream();
    for (DeviceMemory cleared : new DeviceMemory[] {state, inbox, sums}) {
      stream.fill(cleared, 0, cleared.bytes(), (byte) 0);
    }
    frame.copy(plain);
    frame.set(FrameField.ASYNC_FAR, far ? 1 : 0);
    launcher.launchCooperative(KERNEL, owners + 1, threads, sharedBytes, frame);
    stream.download(state, 0, told, 0, TileLayout.BLOCKS * Long.BYTES);
  }

  @Override
  public Done finish() {
    Done done = new Done(word(TileLayout.Word.EDGES), word(TileLayout.Word.RAN), 0);
    String what =
        done.ran()
            + " vertices walked over "
            + done.edges()
            + " edges by "
            + owners
            + " owners, "
            + word(TileLayout.Word.MAILED)
            + " of other owners' finding, "
            + word(TileLayout.Word.STALE)
            + " entries dropped, "
            + word(TileLayout.Word.HELD)
            + " held back, "
            + word(TileLayout.Word.MOST_ROUNDS)
            + " rounds, "
            + word(TileLayout.Word.ROUNDS)
            + " of the manager";
    LOG.debug("relaxed without supersteps: {}", what);
    if (word(TileLayout.Word.STUCK) != 0) {
      throw new DeviceException(
          "a relaxation without supersteps",
          "nothing happened for " + patience + " rounds, but vertices were left: " + what,
          "set spark.gpugraph.kernel = auto");
    }
    return done;
  }

  private long word(TileLayout.Word word) {
    return told.buffer().getLong(word.offset());
  }

  @Override
  public void close() {
    told.close();
  }
}
