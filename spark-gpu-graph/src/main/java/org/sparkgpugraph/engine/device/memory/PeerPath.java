package org.sparkgpugraph.engine.device.memory;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;

/**
 * The direct path between two devices: whether there is one, and how fast it is beside the way over
 * page-locked host memory. Opening it lets both devices reach each other's memory.
 *
 * <p>A small and a large block are timed on both ways, there and back. The direct path counts as
 * faster when it is so for both blocks together: a block that takes twice as long weighs as much as
 * another one that takes half as long. Before that the small block is compared with what arrived:
 * an IOMMU that is not set up for it can make peer copies arrive wrong, without an error.
 */
public final class PeerPath {
  private static final Logger LOG = LoggerFactory.getLogger(PeerPath.class);

  /** Bytes of a block that stands for a sparse superstep's updates. */
  private static final int SMALL = 1 << 16;

  /** Bytes of a block that stands for a dense superstep's updates. */
  private static final int LARGE = 1 << 24;

  private static final int REPEATS = 5;
  private static final String PURPOSE = "timing of the exchange between devices";

  private final Device a;
  private final Device b;
  private final String obstacle;
  private Boolean faster;

  private PeerPath(Device a, Device b, String obstacle) {
    this.a = a;
    this.b = b;
    this.obstacle = obstacle;
  }

  /**
   * Opens the path between two devices; a failure there is a reason not to take it.
   *
   * @throws DeviceOutOfMemoryException when there is no room now for the blocks to try it with
   */
  static PeerPath open(Device a, Device b) {
    String obstacle = obstacle(a, b);
    if (obstacle != null) {
      LOG.info("{} and {} exchange over the host's memory: {}", name(a), name(b), obstacle);
    }
    return new PeerPath(a, b, obstacle);
  }

  private static String obstacle(Device a, Device b) {
    try {
      if (!a.canAccess(b) || !b.canAccess(a)) {
        return "they cannot reach each other's memory";
      }
      a.enableAccess(b);
      b.enableAccess(a);
      return arrives(a, b) && arrives(b, a)
          ? null
          : "what one copies to the other does not arrive as it was (is an IOMMU in the way?)";
    } catch (DeviceOutOfMemoryException e) {
      throw e;
    } catch (DeviceException e) {
      return "access to each other's memory was refused: " + e.getMessage();
    }
  }

  private static boolean arrives(Device from, Device to) {
    int[] sent = new Random(SMALL).ints(SMALL / 4).toArray();
    int[] come = new int[sent.length];
    try (DeviceMemory source = from.allocate(SMALL, PURPOSE);
        DeviceMemory target = to.allocate(SMALL, PURPOSE);
        DeviceStream stream = from.newStream()) {
      from.upload(sent, 0, sent.length, source, 0);
      to.upload(come, 0, come.length, target, 0);
      stream.copy(source, 0, target, 0, SMALL);
      stream.synchronize();
      to.download(target, 0, come, 0, come.length);
    }
    return Arrays.equals(sent, come);
  }

  /** Whether kernels of each device may write the other one's memory. */
  public boolean reaches() {
    return obstacle == null;
  }

  /**
   * Whether it is faster than the way over the host. The first call measures; where that fails it
   * is not.
   *
   * @throws DeviceOutOfMemoryException when there is no room now for the blocks to measure with
   */
  public synchronized boolean faster() {
    if (faster == null) {
      faster = obstacle == null && measure();
    }
    return faster;
  }

  private boolean measure() {
    try {
      Times small = times(SMALL);
      Times large = times(LARGE);
      boolean direct =
          Math.log((double) small.direct() / small.hub())
                  + Math.log((double) large.direct() / large.hub())
              < 0;
      LOG.info(
          "{} and {} exchange {}: {} KiB there and back take {} us directly, {} us over the host;"
              + " {} KiB {} us and {} us",
          name(a),
          name(b),
          direct ? "directly" : "over the host's memory",
          SMALL >> 10,
          micros(small.direct()),
          micros(small.hub()),
          LARGE >> 10,
          micros(large.direct()),
          micros(large.hub()));
      return direct;
    } catch (DeviceOutOfMemoryException e) {
      throw e;
    } catch (DeviceException e) {
      LOG.warn(
          "{} and {} exchange over the host's memory: the other way could not be timed",
          name(a),
          name(b),
          e);
      return false;
    }
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / 1e3);
  }

  private static String name(Device device) {
    return "GPU " + device.properties().ordinal();
  }

  /**
   * Best times of a block there and back, nanoseconds.
   *
   * @param direct from device to device
   * @param hub over page-locked memory
   */
  private record Times(long direct, long hub) {}

  private Times times(int bytes) {
    try (DeviceMemory atA = a.allocate(bytes, PURPOSE);
        DeviceMemory atB = b.allocate(bytes, PURPOSE);
        PinnedMemory host = a.allocatePinned(bytes);
        DeviceStream ofA = a.newStream();
        DeviceStream ofB = b.newStream()) {
      List<End> ends = List.of(new End(atA, ofA), new End(atB, ofB));
      long direct = Long.MAX_VALUE;
      long hub = Long.MAX_VALUE;
      // The first time warms up: drivers map memory at its first use.
      for (int i = 0; i <= REPEATS; i++) {
        long start = System.nanoTime();
        for (int from = 0; from < 2; from++) {
          ends.get(from).direct(ends.get(1 - from), bytes);
        }
        long between = System.nanoTime();
        for (int from = 0; from < 2; from++) {
          ends.get(from).hub(ends.get(1 - from), host, bytes);
        }
        if (i > 0) {
          direct = Math.min(direct, between - start);
          hub = Math.min(hub, System.nanoTime() - between);
        }
      }
      return new Times(Math.max(1, direct), Math.max(1, hub));
    }
  }

  /** A block on one device, and a stream of that. */
  private record End(DeviceMemory memory, DeviceStream stream) {
    void direct(End to, int bytes) {
      stream.copy(memory, 0, to.memory, 0, bytes);
      stream.synchronize();
    }

    void hub(End to, PinnedMemory host, int bytes) {
      stream.download(memory, 0, host, 0, bytes);
      stream.synchronize();
      to.stream.upload(host, 0, to.memory, 0, bytes);
      to.stream.synchronize();
    }
  }
}
