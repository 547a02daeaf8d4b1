package org.sparkgpugraph.graphs.hub;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;

/**
 * Who sends whom partial messages, where vertices with many in-edges (hubs) get them: the executor
 * graph of the sources merges what they send to a hub that another one holds, and sends that one
 * the outcome (PowerLyra's hybrid cut, Chen 2015, with edges where their sources are). Values then
 * travel only to where a vertex is read that is no hub.
 *
 * <p>All of it follows from what both of two executor graphs have: the degrees of ghosts, and the
 * edges between them, which both hold (one as in-edges, the other as out-edges). So nothing is
 * exchanged to make it, and both number hubs and vertices in the same way. Lists of partial
 * messages run against the boundary lists: what the reader of a boundary list sends the hubs of its
 * home has the number of that list.
 */
public final class HubLayout {
  private final int inEdges;
  private final List<PartialRows> partialRows = new ArrayList<>();
  private final List<HubRows> hubRows = new ArrayList<>();
  private final List<PartialList> partialLists = new ArrayList<>();
  private final List<int[]> slots = new ArrayList<>();
  private final List<BoundaryList> exports = new ArrayList<>();
  private final List<int[]> ghosts = new ArrayList<>();

  /** By partition, by ghost: number of the import that it is in; −1: none. */
  private final List<int[]> importOf = new ArrayList<>();

  /** By partition, made when they are first asked for. */
  private final Map<Integer, PartedRows> partedRows = new HashMap<>();

  /**
   * The partial rows of a partition whose hubs a partition of another executor graph holds: they
   * are side by side.
   *
   * @param partition of the sources
   * @param first the first row
   * @param size number of rows; position i of the list is row {@code first + i}
   */
  public record PartialList(int partition, int first, int size) {}

  private HubLayout(int inEdges) {
    this.inEdges = inEdges;
  }

  /**
   * Whether it can be made: rows are on the heap, out-edges were loaded.
   *
   * @param graph connected with the others
   */
  public static boolean isFor(ExecutorGraph graph) {
    return graph.hasOutEdges()
        && graph.partitions().stream().allMatch(p -> p.inEdges().onHeap() && p.outEdges().onHeap());
  }

  /**
   * Makes it.
   *
   * @param graph connected with the others
   * @param inEdges vertices with more in-edges are hubs
   */
  public static HubLayout of(ExecutorGraph graph, int inEdges) {
    HubLayout layout = new HubLayout(inEdges);
    List<RemoteBoundary> imports = graph.imports();
    List<RemoteBoundary> out = graph.exports();
    List<Numbers> slotLists = lists(imports.size());
    List<Numbers> read = lists(out.size());
    int[] exportOf = imports.stream().mapToInt(list -> counterpart(list, out)).toArray();
    for (GraphPartition partition : graph.partitions()) {
      layout.add(partition, imports, slotLists);
      layout.findReaders(partition, exportOf, read);
    }
    List<boolean[]> isRead = graph.partitions().stream().map(layout::readGhosts).toList();
    for (RemoteBoundary each : imports) {
      BoundaryList list = each.list();
      layout.partialLists.add(layout.partialList(list));
      int stored = graph.partitions().get(list.reader()).stored();
      layout.ghosts.add(
          IntStream.range(list.firstGhost(), list.firstGhost() + list.size())
              .filter(ghost -> isRead.get(list.reader())[ghost - stored])
              .toArray());
    }
    for (int k = 0; k < out.size(); k++) {
      BoundaryList list = out.get(k).list();
      layout.exports.add(
          new BoundaryList(list.home(), list.reader(), read.get(k).toArray(), list.firstGhost()));
      int back = counterpart(out.get(k), imports);
      layout.slots.add(back < 0 ? new int[0] : slotLists.get(back).toArray());
    }
    return layout;
  }

  private static List<Numbers> lists(int count) {
    return Stream.generate(Numbers::new).limit(count).toList();
  }

  /** Number of the list between the same two partitions the other way; −1: there is none. */
  private static int counterpart(RemoteBoundary of, List<RemoteBoundary> lists) {
    return IntStream.range(0, lists.size())
        .filter(
            k ->
                lists.get(k).peer() == of.peer()
                    && lists.get(k).list().home() == of.list().reader()
                    && lists.get(k).list().reader() == of.list().home())
        .findFirst()
        .orElse(-1);
  }

  private boolean isHub(GraphPartition partition, int local) {
    return partition.inDegree(local) > inEdges;
  }

  private void add(
      GraphPartition partition, List<RemoteBoundary> imports, List<Numbers> slotLists) {
    int stored = partition.stored();
    int[] lists = new int[partition.ghosts()];
    Arrays.fill(lists, -1);
    for (int i = 0; i < imports.size(); i++) {
      BoundaryList list = imports.get(i).list();
      if (list.reader() == partition.index()) {
        int first = list.firstGhost() - stored;
        Arrays.fill(lists, first, first + list.size(), i);
      }
    }
    importOf.add(lists);
    boolean[] isRemoteHub = new boolean[lists.length];
    for (int g = 0; g < lists.length; g++) {
      isRemoteHub[g] = lists[g] >= 0 && isHub(partition, stored + g);
    }
    partialRows.add(PartialRows.of(partition, isRemoteHub));
    boolean[] isHub = new boolean[stored];
    for (int v = 0; v < stored; v++) {
      isHub[v] = isHub(partition, v);
    }
    hubRows.add(HubRows.of(partition, isHub, lists, slotLists));
  }

  /** Finds the vertices that others read for something else than hubs, by export. */
  private void findReaders(GraphPartition partition, int[] exportOf, List<Numbers> read) {
    int stored = partition.stored();
    int[] lists = importOf.get(partition.index());
    boolean[] isHub = new boolean[lists.length];
    for (int g = 0; g < lists.length; g++) {
      isHub[g] = isHub(partition, stored + g);
    }
    int[] starts = partition.outEdges().offsets();
    int[] neighbours = partition.outEdges().neighbours();
    int[] last = new int[read.size()];
    Arrays.fill(last, -1);
    for (int v = 0; v < stored; v++) {
      for (int e = starts[v]; e < starts[v + 1]; e++) {
        int ghost = neighbours[e] - stored;
        if (ghost >= 0 && lists[ghost] >= 0 && !isHub[ghost]) {
          int list = exportOf[lists[ghost]];
          if (last[list] != v) {
            last[list] = v;
            read.get(list).add(v);
          }
        }
      }
    }
  }

  private PartialList partialList(BoundaryList list) {
    PartialRows rows = partialRows.get(list.reader());
    int first = Arrays.binarySearch(rows.hubs(), list.firstGhost());
    int end = Arrays.binarySearch(rows.hubs(), list.firstGhost() + list.size());
    first = first < 0 ? ~first : first;
    return new PartialList(list.reader(), first, (end < 0 ? ~end : end) - first);
  }

  /** Which ghosts of a partition are read for something else than hubs. */
  private boolean[] readGhosts(GraphPartition partition) {
    int stored = partition.stored();
    int[] starts = partition.inEdges().offsets();
    int[] neighbours = partition.inEdges().neighbours();
    boolean[] isRead = new boolean[partition.ghosts()];
    for (int v = 0; v < stored; v++) {
      if (!isHub(partition, v)) {
        for (int e = starts[v]; e < starts[v + 1]; e++) {
          if (neighbours[e] >= stored) {
            isRead[neighbours[e] - stored] = true;
          }
        }
      }
    }
    return isRead;
  }

  /** The partial rows of each partition. */
  public List<PartialRows> partialRows() {
    return partialRows;
  }

  /** The rows of each partition. */
  public List<HubRows> hubRows() {
    return hubRows;
  }

  /** What is sent to hubs, by import: the home of that list takes it. */
  public List<PartialList> partialLists() {
    return partialLists;
  }

  /**
   * Where what hubs are sent goes, by export: slots of its home, by position in the partial list of
   * its reader.
   */
  public List<int[]> slots() {
    return slots;
  }

  /**
   * The exports without the vertices that only hubs read, in their order. Position i at the reader
   * is {@link #ghosts()} i.
   */
  public List<BoundaryList> exports() {
    return exports;
  }

  /** Local indexes of the ghosts of each import whose values still come, ascending. */
  public List<int[]> ghosts() {
    return ghosts;
  }

  /** The in-edges of a partition in two parts, kept with this. */
  public PartedRows partedRows(GraphPartition partition) {
    int p = partition.index();
    synchronized (partedRows) {
      return partedRows.computeIfAbsent(
          p, made -> new PartedRows(partition, hubRows.get(p), importOf.get(p)));
    }
  }

  /** The values of the edges of hubs in {@link #hubRows()}; null when there are none. */
  public Columns hubValues(GraphPartition partition) {
    int p = partition.index();
    return hubRows.get(p).values(partition, importOf.get(p));
  }

  /** Bytes held. */
  public long bytes() {
    long parted;
    synchronized (partedRows) {
      parted = partedRows.values().stream().mapToLong(PartedRows::bytes).sum();
    }
    return parted
        + partialRows.stream().mapToLong(PartialRows::bytes).sum()
        + hubRows.stream().mapToLong(HubRows::bytes).sum()
        + 4L * importOf.stream().mapToLong(lists -> lists.length).sum()
        + 4L * slots.stream().mapToLong(list -> list.length).sum()
        + 4L * exports.stream().mapToLong(BoundaryList::size).sum()
        + 4L * ghosts.stream().mapToLong(list -> list.length).sum();
  }
}
