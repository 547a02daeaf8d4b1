package org.sparkgpugraph.engine.device.partition;

import java.util.List;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.exchange.DeviceOutbox;
import org.sparkgpugraph.engine.device.exchange.Route;
import org.sparkgpugraph.engine.device.exchange.StagedUpdates;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * What one partition tells another one of the same run, after every superstep; how, its {@link
 * Route} says. On one device the reader's kernel reads the home's outbox. Between devices that
 * reach each other's memory it does so too, but the outbox is on the reader's device: the home's
 * kernels have written there while they computed, so that updates travel beside the computing,
 * nothing is queued for them behind a superstep, and nobody waits. Otherwise the updates go over
 * the hub (Khorasani 2016, section 2.4), which is page-locked host memory: the home copies exactly
 * the entries of its outbox there, the reader copies them to memory of its own.
 *
 * <p>Between devices the updates of even and of odd supersteps have a place each, so one barrier
 * per superstep is enough: while a home fills one in superstep t + 1 readers still empty the other
 * one, which is filled again in superstep t + 2 at the earliest, after the barrier that every
 * reader passes with its part done.
 *
 * <p>{@link #send} is called by the home's thread, {@link #receive} by the reader's.
 */
public final class BoundaryLink implements AutoCloseable {
  private final BoundaryList list;
  private final Route route;
  private final Partitions ends;
  private final List<DeviceOutbox> inboxes;
  private final List<StagedUpdates> hub;
  private final List<ColumnType> kinds;
  private final int[] counts = new int[2];
  private final boolean[] fixedSlots = new boolean[2];

  /** The partitions at both ends, which may be on different devices. */
  public record Partitions(DevicePartition home, DevicePartition reader) {}

  /**
   * @param inboxes what the reader's kernels know the updates by, after even and after odd
   *     supersteps, when they need not be copied
   * @param device the home's
   * @param kinds kinds of the columns that travel
   */
  public BoundaryLink(
      BoundaryList list,
      Route route,
      Partitions ends,
      List<DeviceOutbox> inboxes,
      Device device,
      List<ColumnType> kinds) {
    this.list = list;
    this.route = route;
    this.ends = ends;
    this.inboxes = inboxes;
    this.kinds = kinds;
    hub =
        route == Route.HUB
            ? List.of(new StagedUpdates(device, kinds), new StagedUpdates(device, kinds))
            : List.of();
  }

  public BoundaryList list() {
    return list;
  }

  public Route route() {
    return route;
  }

  public DevicePartition home() {
    return ends.home();
  }

  DevicePartition reader() {
    return ends.reader();
  }

  /**
   * Queues what the home has to do behind a superstep.
   *
   * @param parity 0 after an even superstep, 1 after an odd one
   * @param outbox where the updates are
   * @param updates how many there are
   * @return bytes that are copied to the hub
   */
  long send(DeviceStream stream, int parity, DeviceOutbox outbox, int updates) {
    counts[parity] = updates;
    fixedSlots[parity] = ends.home().fixedSlots();
    if (route != Route.HUB || updates == 0) {
      return 0;
    }
    hub.get(parity).download(stream, outbox, updates, list.size());
    return hub.get(parity).bytes();
  }

  /** Nothing has been said. */
  void forget() {
    counts[0] = 0;
    counts[1] = 0;
  }

  /**
   * Queues what the reader has to do before the next superstep.
   *
   * @return bytes that come from the hub or the other device
   */
  long receive(DeviceStream stream, int parity) {
    int count = counts[parity];
    if (count == 0) {
      return 0;
    }
    DevicePartition reader = ends.reader();
    DeviceMemory ghostOf = reader.ghostOf(list.home());
    if (route == Route.HUB) {
      hub.get(parity).upload(stream, reader.staging());
      reader.receive(reader.staging(), list, ghostOf, count);
    } else if (fixedSlots[parity]) {
      reader.receiveFixed(inboxes.get(parity), list, ghostOf);
    } else {
      reader.receive(inboxes.get(parity), list, ghostOf, count);
    }
    if (route == Route.HERE) {
      return 0;
    }
    // In places, flags of all, no positions.
    return fixedSlots[parity]
        ? list.size() + count * StagedUpdates.bytes(1, kinds) - 5L * count
        : StagedUpdates.bytes(count, kinds);
  }

  @Override
  public void close() {
    Closing.all(hub);
  }
}
