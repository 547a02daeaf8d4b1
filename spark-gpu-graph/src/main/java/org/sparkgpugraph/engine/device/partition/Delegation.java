package org.sparkgpugraph.engine.device.partition;

import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.settings.DelegateLayout;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.program.LiftedProgram;

/**
 * What the launches of {@link PushQueue} need that merge by the program's own function: slots, and
 * the rings of servers, where messages go to such.
 */
final class Delegation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Delegation.class);

  private final FrameLayout.Frame frame;
  private final DelegateSettings settings;
  private final DeviceMemory slots;
  private final DeviceMemory state;
  private final DeviceMemory bits;
  private final PinnedMemory told;
  private boolean empty;
  private int servers;

  private Delegation(
      KernelLauncher launcher,
      FrameLayout.Frame frame,
      DelegateSettings settings,
      DeviceAllocations memory,
      int partition,
      int staged) {
    this.frame = frame;
    this.settings = settings;
    slots = memory.get(partition, FrameField.SLOT_STATE);
    state = memory.find(partition, FrameField.DELEGATE_STATE);
    bits = memory.find(partition, FrameField.DELEGATE_BITS);
    int resident = launcher.resident(PushQueue.KERNEL);
    if (state != null && resident < 2) {
      throw new DeviceException(
          "a launch of servers and clients",
          "the device holds " + resident + " blocks of " + PushQueue.KERNEL + " at a time",
          "set spark.gpugraph.kernel = auto");
    }
    told =
        state == null ? null : launcher.device().allocatePinned(DelegateLayout.WORDS * Long.BYTES);
    frame.set(FrameField.DELEGATE_RING, settings.ring());
    frame.set(FrameField.DELEGATE_STAGED, staged);
    frame.set(FrameField.DELEGATE_COMBINES, settings.combines() ? 1 : 0);
    frame.set(FrameField.DELEGATE_PATIENCE, settings.patience());
  }

  /**
   * For a partition; null where atomic operations merge.
   *
   * @param memory of a member of the frame
   */
  static Delegation of(
      KernelLauncher launcher,
      FrameLayout.Frame frame,
      DelegateSettings settings,
      DeviceAllocations memory,
      int partition,
      LiftedProgram program) {
    if (memory.find(partition, FrameField.SLOT_STATE) == null) {
      return null;
    }
    int room = DelegateLayout.staged(program.message().columns());
    int staged = settings.staged() == 0 ? room : Math.min(room, settings.staged());
    return new Delegation(launcher, frame, settings, memory, partition, staged);
  }

  /**
   * Makes ready for a launch.
   *
   * @param wanted blocks that its work asks for
   * @param resident blocks that the device holds at a time
   * @return blocks of the launch
   */
  int begin(DeviceStream stream, int wanted, int resident) {
    if (!empty) {
      stream.fill(slots, 0, slots.bytes(), (byte) 0);
      empty = true;
    }
    int most = settings.blocks() == 0 ? resident : Math.min(settings.blocks(), resident);
    if (state == null) {
      return Math.min(wanted, most);
    }
    int blocks = Math.min(Math.max(2, wanted), most);
    servers = settings.servers(blocks);
    frame.set(FrameField.SERVERS, servers);
    stream.fill(state, 0, state.bytes(), (byte) 0);
    stream.fill(bits, 0, bits.bytes(), (byte) 0);
    return blocks;
  }

  /** Queues the copy of what the launch counted. */
  void end(DeviceStream stream) {
    if (told != null) {
      stream.download(state, 0, told, 0, (int) state.bytes());
    }
  }

  /**
   * Looks at what the launch did, once it is done.
   *
   * @throws DeviceException when it got stuck
   */
  void finish() {
    if (told == null) {
      return;
    }
    ByteBuffer words = told.buffer();
    if (word(words, DelegateLayout.STUCK) != 0) {
      throw new DeviceException(
          "merging by servers",
          "nothing came to a server for " + settings.patience() + " rounds, but not all was there",
          "set spark.gpugraph.kernel = auto");
    }
    long sent = 0;
    long most = 0;
    for (int s = 0; s < servers; s++) {
      long own = word(words, DelegateLayout.WRITTEN + s * DelegateLayout.STRIDE);
      sent += own;
      most = Math.max(most, own);
    }
    LOG.debug(
        "{} messages to {} servers, {} of them to one; warps found a ring full {} times",
        sent,
        servers,
        most,
        word(words, DelegateLayout.FULL));
  }

  private static long word(ByteBuffer words, int index) {
    return words.getLong(index * Long.BYTES);
  }

  @Override
  public void close() {
    if (told != null) {
      told.close();
    }
  }
}
