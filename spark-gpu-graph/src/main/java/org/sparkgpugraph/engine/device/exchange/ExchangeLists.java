package org.sparkgpugraph.engine.device.exchange;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.exchange.BoundaryInbox;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.hub.HubGraph;
import org.sparkgpugraph.graphs.hub.HubLayout;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RemoteBoundary;

/**
 * The lists over which the partitions of a run tell each other what changed, and on which routes.
 * Under {@link ExchangeMode#ALL} a list has all vertices of its home.
 */
public final class ExchangeLists {
  private final ExecutorGraph graph;
  private final ExchangeMode mode;
  private final DevicePlacement placement;
  private final Routes routes;
  private final List<BoundaryList> local;
  private final List<BoundaryList> exports;

  /** Null where hubs are not sent partial messages. */
  private final HubLayout hubs;

  public ExchangeLists(
      ExecutorGraph graph, ExchangeMode mode, DevicePlacement placement, Routes routes) {
    this.graph = graph;
    this.mode = mode;
    this.placement = placement;
    this.routes = routes;
    local = told(graph.boundaries());
    exports = told(graph.exports().stream().map(RemoteBoundary::list).toList());
    hubs = graph instanceof HubGraph parted ? parted.layout() : null;
  }

  private List<BoundaryList> told(List<BoundaryList> lists) {
    return mode == ExchangeMode.ALL ? lists.stream().map(this::whole).toList() : lists;
  }

  private BoundaryList whole(BoundaryList list) {
    int stored = graph.partitions().get(list.home()).stored();
    return new BoundaryList(
        list.home(), list.reader(), IntStream.range(0, stored).toArray(), list.firstGhost());
  }

  public DevicePlacement placement() {
    return placement;
  }

  /** Whether only what changed or is active is told. */
  public boolean refined() {
    return mode == ExchangeMode.REFINED;
  }

  /**
   * Whether kernels of all devices can tell each other what changed while they run: each has one
   * partition and writes the others' memory, and nobody else waits for what changed.
   */
  public boolean mayMeet() {
    int devices = placement.devices();
    return refined()
        && devices > 1
        && devices <= DeviceProperties.WARP
        && placement.partitions() == devices
        && graph.exports().isEmpty()
        && graph.imports().isEmpty()
        && IntStream.range(0, devices * devices)
            .allMatch(i -> routes.between(i / devices, i % devices) != Route.HUB);
  }

  /** All lists between partitions here. */
  public List<BoundaryList> local() {
    return local;
  }

  /** Those of a home. */
  public List<BoundaryList> from(int home) {
    return local.stream().filter(list -> list.home() == home).toList();
  }

  /** Those of a reader. */
  public List<BoundaryList> to(int reader) {
    return local.stream().filter(list -> list.reader() == reader).toList();
  }

  /** How the updates of a list between partitions here come to its reader. */
  public Route route(BoundaryList list) {
    return routes.between(placement.device(list.home()), placement.device(list.reader()));
  }

  /** Numbers of the graph's exports whose home is a partition. */
  public List<Integer> exports(int home) {
    return IntStream.range(0, exports.size())
        .filter(k -> exports.get(k).home() == home)
        .boxed()
        .toList();
  }

  /** What one of the graph's exports tells, by its number among them. */
  public BoundaryList export(int number) {
    return exports.get(number);
  }

  /**
   * The lists by which changes of a home are collected for other executor graphs: those of {@link
   * #exports(int)}, and behind them, where hubs are sent partial messages, these again without the
   * vertices that only hubs read.
   */
  public List<BoundaryList> collected(int home) {
    Stream<BoundaryList> whole = exports(home).stream().map(exports::get);
    Stream<BoundaryList> read =
        hubs == null ? Stream.empty() : exports(home).stream().map(hubs.exports()::get);
    return Stream.concat(whole, read).toList();
  }

  /**
   * What of one of the graph's imports is read for something else than hubs: at its reader, where
   * position i is ghost {@link BoundaryList#homeVertices()} i.
   *
   * @throws IllegalStateException where hubs are not sent partial messages
   */
  public BoundaryList read(int number) {
    if (hubs == null) {
      throw new IllegalStateException("hubs are not sent partial messages");
    }
    BoundaryList list = graph.imports().get(number).list();
    return new BoundaryList(list.home(), list.reader(), hubs.ghosts().get(number), -1);
  }

  /** Size of the longest list that a partition tells another executor graph. */
  public int longestExport(int home) {
    return exports(home).stream().mapToInt(k -> export(k).size()).max().orElse(0);
  }

  /** Size of the longest list that comes to a partition over the host. */
  public int longestImport(int reader) {
    IntStream devices =
        to(reader).stream().filter(list -> route(list) == Route.HUB).mapToInt(BoundaryList::size);
    IntStream executors =
        graph.imports().stream()
            .filter(i -> i.list().reader() == reader)
            .mapToInt(i -> i.list().size());
    return IntStream.concat(devices, executors).max().orElse(0);
  }

  /**
   * Where the vertices of a list between partitions here are at its reader, as ghosts or, where
   * ranges overlap, also as vertices that it holds: local index of each position, −1 for those that
   * it does not have.
   *
   * @return null when all are, contiguous from {@link BoundaryList#firstGhost()} on
   */
  public int[] ghostOf(BoundaryList list) {
    int[] locals = graph.locals(list);
    if (locals != null) {
      return locals;
    }
    if (mode != ExchangeMode.ALL) {
      return null;
    }
    int[] ghosts = new int[list.size()];
    Arrays.fill(ghosts, -1);
    for (BoundaryList boundary : graph.boundaries()) {
      if (boundary.home() == list.home() && boundary.reader() == list.reader()) {
        for (int position = 0; position < boundary.size(); position++) {
          ghosts[boundary.homeVertices()[position]] = boundary.firstGhost() + position;
        }
      }
    }
    return ghosts;
  }

  /** See {@link BoundaryInbox#ofList}. */
  public RefinedUpdates ofList(BoundaryList list, RefinedUpdates updates) {
    return BoundaryInbox.ofList(list, mode, updates);
  }
}
