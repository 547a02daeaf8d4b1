package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.exchange.ExchangeMode;
import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.graph.RemoteBoundary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The lists over which the partitions of a run tell each other what changed, and which of them lead
 * to another device. Under {@link ExchangeMode#ALL} a list has all vertices of its home.
 */
final class ExchangeLists {
  private final ExecutorGraph graph;
  private final ExchangeMode mode;
  private final Placement placement;
  private final List<BoundaryList> local;

  ExchangeLists(ExecutorGraph graph, ExchangeMode mode, Placement placement) {
    this.graph = graph;
    this.mode = mode;
    this.placement = placement;
    local = mode == ExchangeMode.ALL ? everything() : graph.boundaries();
  }

  private List<BoundaryList> everything() {
    List<BoundaryList> lists = new ArrayList<>();
    for (GraphPartition home : graph.partitions()) {
      for (GraphPartition reader : graph.partitions()) {
        if (home.index() != reader.index() && home.stored() > 0) {
          int[] all = IntStream.range(0, home.stored()).toArray();
          lists.add(new BoundaryList(home.index(), reader.index(), all, -1));
        }
      }
    }
    return lists;
  }

  /** Whether a run on a graph exchanges anything, so that its kernels must track changes. */
  static boolean exchanges(ExecutorGraph graph, ExchangeMode mode) {
    return !graph.boundaries().isEmpty()
        || !graph.exports().isEmpty()
        || !graph.imports().isEmpty()
        || mode == ExchangeMode.ALL && graph.partitions().size() > 1;
  }

  Placement placement() {
    return placement;
  }

  /** Whether only what changed or is active is told. */
  boolean refined() {
    return mode == ExchangeMode.REFINED;
  }

  /** All lists between partitions here. */
  List<BoundaryList> local() {
    return local;
  }

  /** Those of a home. */
  List<BoundaryList> from(int home) {
    return local.stream().filter(list -> list.home() == home).toList();
  }

  /** Those of a reader. */
  List<BoundaryList> to(int reader) {
    return local.stream().filter(list -> list.reader() == reader).toList();
  }

  /** Whether home and reader are on different devices. */
  boolean crosses(BoundaryList list) {
    return placement.device(list.home()) != placement.device(list.reader());
  }

  /** Numbers of the graph's exports whose home is a partition. */
  List<Integer> exports(int home) {
    List<RemoteBoundary> all = graph.exports();
    return IntStream.range(0, all.size())
        .filter(k -> all.get(k).list().home() == home)
        .boxed()
        .toList();
  }

  /** Size of the longest list that a partition tells another executor graph. */
  int longestExport(int home) {
    return exports(home).stream()
        .mapToInt(k -> graph.exports().get(k).list().size())
        .max()
        .orElse(0);
  }

  /** Size of the longest list that comes to a partition from elsewhere than its own device. */
  int longestImport(int reader) {
    IntStream devices = to(reader).stream().filter(this::crosses).mapToInt(BoundaryList::size);
    IntStream executors =
        graph.imports().stream()
            .filter(i -> i.list().reader() == reader)
            .mapToInt(i -> i.list().size());
    return IntStream.concat(devices, executors).max().orElse(0);
  }

  /**
   * Where the vertices of a list are ghosts at its reader: local index of each position, −1 for
   * those that are none.
   *
   * @return null when they are contiguous from {@link BoundaryList#firstGhost()} on
   */
  int[] ghostOf(BoundaryList list) {
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
}
