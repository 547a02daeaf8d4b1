package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.program.Kind;
import java.util.List;

/**
 * What one partition tells another one of the same run, after every superstep. On one device the
 * reader's kernel reads the home's outbox. Between devices the updates go over the hub (Khorasani
 * 2016, section 2.4), which is page-locked host memory: the home copies exactly the entries of its
 * outbox there, the reader copies them to an inbox of its own. The hub has two halves, for even and
 * odd supersteps, so one barrier per superstep is enough: while a home fills one half in superstep
 * t + 1 readers still empty the other one, which is filled again in superstep t + 2 at the
 * earliest, after the barrier that every reader passes with its copies done.
 *
 * <p>{@link #send} is called by the home's thread, {@link #receive} by the reader's.
 */
final class BoundaryLink implements AutoCloseable {
  private final BoundaryList list;
  private final DevicePartition home;
  private final DevicePartition reader;
  private final DeviceOutbox outbox;
  private final StagedUpdates[] hub;
  private final int[] counts = new int[2];

  /**
   * @param outbox where the home's kernels leave the updates
   * @param hub device of the home, when the reader is on another one; else null
   * @param kinds kinds of the columns that travel
   */
  BoundaryLink(
      BoundaryList list,
      DevicePartition home,
      DevicePartition reader,
      DeviceOutbox outbox,
      Device hub,
      List<Kind> kinds) {
    this.list = list;
    this.home = home;
    this.reader = reader;
    this.outbox = outbox;
    this.hub =
        hub == null
            ? null
            : new StagedUpdates[] {new StagedUpdates(hub, kinds), new StagedUpdates(hub, kinds)};
  }

  BoundaryList list() {
    return list;
  }

  /** Whether it leads to another device. */
  boolean crosses() {
    return hub != null;
  }

  DevicePartition home() {
    return home;
  }

  DevicePartition reader() {
    return reader;
  }

  DeviceOutbox outbox() {
    return outbox;
  }

  /**
   * Queues what the home has to do behind a superstep.
   *
   * @param parity 0 after an even superstep, 1 after an odd one
   * @param updates how many updates the outbox has
   * @return bytes that are copied to the hub
   */
  long send(DeviceStream stream, int parity, int updates) {
    counts[parity] = updates;
    if (hub == null || updates == 0) {
      return 0;
    }
    hub[parity].download(stream, outbox, updates, list.size());
    return hub[parity].bytes();
  }

  /**
   * Queues what the reader has to do before the next superstep.
   *
   * @return bytes that are copied from the hub
   */
  long receive(DeviceStream stream, int parity) {
    int count = counts[parity];
    if (count == 0) {
      return 0;
    }
    DeviceMemory ghostOf = reader.ghostOf(list.home());
    if (hub == null) {
      reader.receive(outbox, list, ghostOf, count);
      return 0;
    }
    hub[parity].upload(stream, reader.staging());
    reader.receive(reader.staging(), list, ghostOf, count);
    return hub[parity].bytes() + StagedUpdates.COUNTS;
  }

  @Override
  public void close() {
    if (hub != null) {
      Closing.all(List.of(hub));
    }
  }
}
