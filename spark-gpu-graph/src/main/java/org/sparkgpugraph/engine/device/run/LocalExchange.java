package org.sparkgpugraph.engine.device.run;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.engine.device.exchange.DeviceOutbox;
import org.sparkgpugraph.engine.device.exchange.ExchangeLists;
import org.sparkgpugraph.engine.device.exchange.Route;
import org.sparkgpugraph.engine.device.partition.BoundaryLink;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceShare;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.partition.Meeting;
import org.sparkgpugraph.engine.device.partition.OutboxTable;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.engine.device.plan.DevicePlanner;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * The exchange between partitions of this executor: boundary lists, and the number and bytes of
 * updates.
 */
final class LocalExchange {
  /**
   * A link of the run.
   *
   * @param outbox number of its list among those of its home
   */
  record Link(BoundaryLink link, int outbox) {
    int home() {
      return link.list().home();
    }
  }

  final DeviceTeam team;
  private final ExchangeLists lists;
  final List<ColumnType> kinds;
  final List<Link> links = new ArrayList<>();

  /** Whether supersteps that push may tell what changed while they run, several in a launch. */
  final boolean meets;

  /** Links homes and readers. */
  LocalExchange(RunSpec spec, DeviceTeam team) {
    this.team = team;
    lists = spec.lists();
    kinds = spec.shippedKinds();
    Map<BoundaryList, List<DeviceOutbox>> inboxes = new IdentityHashMap<>();
    for (int p = 0; p < lists.placement().partitions(); p++) {
      makeInboxes(p, inboxes);
      makeOutboxes(p, inboxes);
    }
    for (int p = 0; p < lists.placement().partitions(); p++) {
      List<BoundaryList> told = lists.from(p);
      for (int i = 0; i < told.size(); i++) {
        link(told.get(i), i, inboxes.getOrDefault(told.get(i), List.of()));
      }
    }
    meets = Meeting.join(team, lists.local(), inboxes);
  }

  /** Where the updates of one of a home's lists are after even (0) and after odd supersteps (1). */
  private OutboxTable.Buffers buffers(BoundaryList list, int number, int parity) {
    Route route = lists.route(list);
    String half = parity == 1 && route == Route.PEER ? DevicePlanner.ODD : "";
    return route == Route.PEER
        ? team.partition(list.reader()).buffers(DevicePlanner.inbox(list) + half)
        : team.partition(list.home()).buffers("outbox" + number + "." + half);
  }

  private void makeOutboxes(int home, Map<BoundaryList, List<DeviceOutbox>> inboxes) {
    DevicePartition partition = team.partition(home);
    List<BoundaryList> told = lists.from(home);
    List<List<OutboxTable.Entry>> entries = List.of(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < told.size(); i++) {
      for (int parity = 0; parity < 2; parity++) {
        entries
            .get(parity)
            .add(
                new OutboxTable.Entry(
                    "outbox" + i + ".", partition.counts(i), buffers(told.get(i), i, parity)));
      }
    }
    team.share(home).on(() -> partition.outboxes(entries.get(0), entries.get(1)));
    for (int i = 0; i < told.size(); i++) {
      if (lists.route(told.get(i)) == Route.HERE) {
        inboxes.put(
            told.get(i), List.of(partition.outboxes(0).get(i), partition.outboxes(1).get(i)));
      }
    }
  }

  /** What a reader's kernels know the updates by that come directly from other devices. */
  private void makeInboxes(int reader, Map<BoundaryList, List<DeviceOutbox>> inboxes) {
    List<BoundaryList> direct =
        lists.to(reader).stream().filter(list -> lists.route(list) == Route.PEER).toList();
    List<OutboxTable.Buffers> buffers = new ArrayList<>();
    for (BoundaryList list : direct) {
      int number = lists.from(list.home()).indexOf(list);
      buffers.add(buffers(list, number, 0));
      buffers.add(buffers(list, number, 1));
    }
    List<DeviceOutbox> made = team.share(reader).on(() -> team.partition(reader).inboxes(buffers));
    for (int i = 0; i < direct.size(); i++) {
      inboxes.put(direct.get(i), made.subList(2 * i, 2 * i + 2));
    }
  }

  private void link(BoundaryList list, int number, List<DeviceOutbox> inboxes) {
    DeviceShare share = team.share(list.home());
    BoundaryLink link =
        new BoundaryLink(
            list,
            lists.route(list),
            new BoundaryLink.Partitions(team.partition(list.home()), team.partition(list.reader())),
            inboxes,
            share.device(),
            kinds);
    links.add(new Link(link, number));
    share.link(link);
    if (link.route() != Route.HERE) {
      team.share(list.reader()).link(link);
    }
  }

  /**
   * What the partitions told each other after the last superstep.
   *
   * @param updates number of updates
   * @param bytes their bytes, as {@link RefinedUpdates} lays them out
   */
  record Volume(long updates, long bytes) {}

  /** Of updates that all have a value. */
  Volume told(long updates) {
    return new Volume(updates, RefinedUpdates.bytes((int) updates, (int) updates, rowBytes()));
  }

  private int rowBytes() {
    return kinds.stream().mapToInt(ColumnType::bytes).sum();
  }

  /**
   * Counts.
   *
   * @param activity activity counts too; otherwise the updates without a value do not
   */
  Volume volume(boolean activity) {
    int rowBytes = rowBytes();
    long updates = 0;
    long bytes = 0;
    for (Link link : links) {
      int valued = team.valued(link.home(), link.outbox());
      int said = activity || !lists.refined() ? team.updates(link.home(), link.outbox()) : valued;
      updates += said;
      bytes += RefinedUpdates.bytes(said, valued, rowBytes);
    }
    return new Volume(updates, bytes);
  }
}
