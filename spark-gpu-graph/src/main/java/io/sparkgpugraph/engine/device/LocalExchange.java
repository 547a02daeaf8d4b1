package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.program.Kind;
import java.util.ArrayList;
import java.util.List;

/** What the partitions of a run tell each other: its lists, and how much they say. */
final class LocalExchange {
  /**
   * A link of the run.
   *
   * @param outbox number of its list among those of its home
   */
  private record Link(BoundaryLink link, int outbox) {
    int home() {
      return link.list().home();
    }
  }

  private final DeviceTeam team;
  private final List<Kind> kinds;
  private final boolean refined;
  private final List<Link> links = new ArrayList<>();

  /** Links homes and readers. */
  LocalExchange(RunSpec spec, DeviceTeam team) {
    this.team = team;
    ExchangeLists lists = spec.lists();
    kinds = spec.shippedKinds();
    refined = lists.refined();
    for (int p = 0; p < lists.placement().partitions(); p++) {
      List<BoundaryList> told = lists.from(p);
      for (int i = 0; i < told.size(); i++) {
        link(lists, told.get(i), i);
      }
    }
  }

  private void link(ExchangeLists lists, BoundaryList list, int number) {
    DevicePartition home = team.partition(list.home());
    DeviceShare share = team.share(list.home());
    BoundaryLink link =
        new BoundaryLink(
            list,
            home,
            team.partition(list.reader()),
            home.outboxes().get(number),
            lists.crosses(list) ? share.device() : null,
            kinds);
    links.add(new Link(link, number));
    share.link(link);
    if (lists.crosses(list)) {
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

  /**
   * Counts.
   *
   * @param activity activity counts too; otherwise the updates without a value do not
   */
  Volume volume(boolean activity) {
    int rowBytes = kinds.stream().mapToInt(Kind::bytes).sum();
    long updates = 0;
    long bytes = 0;
    for (Link link : links) {
      int valued = team.valued(link.home(), link.outbox());
      int said = activity || !refined ? team.updates(link.home(), link.outbox()) : valued;
      updates += said;
      bytes += RefinedUpdates.bytes(said, valued, rowBytes);
    }
    return new Volume(updates, bytes);
  }

  /** The updates that the last superstep left in each list, in the order of the homes. */
  List<DeviceOutbox.Updates> updates() {
    team.drain();
    return links.stream()
        .map(
            link ->
                link.link()
                    .outbox()
                    .read(
                        team.share(link.home()).device(),
                        team.updates(link.home(), link.outbox()),
                        kinds))
        .toList();
  }
}
