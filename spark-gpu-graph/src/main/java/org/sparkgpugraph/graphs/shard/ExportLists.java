package org.sparkgpugraph.graphs.shard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.sparkgpugraph.graphs.build.CsrExecutorGraph;
import org.sparkgpugraph.graphs.build.CsrGraphPartition;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.RemoteBoundary;

/** Makes a shard's exports, and its out-degrees, from the requests of the other shards. */
final class ExportLists {
  private static final Comparator<GhostRequest> ORDER =
      Comparator.comparing(
          GhostRequest::header,
          Comparator.comparingInt(GhostRequest.Header::reader)
              .thenComparingInt(GhostRequest.Header::partition)
              .thenComparingInt(GhostRequest.Header::first));

  private final CsrExecutorGraph graph;
  private final int first;
  private final int[] elsewhere;
  private final List<RemoteBoundary> lists = new ArrayList<>();
  private final Workers workers;

  ExportLists(CsrExecutorGraph graph, Workers workers) {
    this.graph = graph;
    this.workers = workers;
    first = (int) graph.firstHeld();
    elsewhere = new int[(int) graph.endHeld() - first];
  }

  /** Takes all requests. */
  void take(Iterator<GhostRequest> requests) {
    List<GhostRequest> all = new ArrayList<>();
    requests.forEachRemaining(all::add);
    all.sort(ORDER);
    for (int next = 0; next < all.size(); ) {
      next = takeList(all, next);
    }
    lists.sort(
        Comparator.comparingInt(RemoteBoundary::peer)
            .thenComparingInt(l -> l.list().home())
            .thenComparingInt(l -> l.list().reader()));
    graph.setExports(lists, elsewhere);
  }

  /** Takes the requests for all ghosts of one reader partition; returns where the next begin. */
  private int takeList(List<GhostRequest> all, int from) {
    GhostRequest.Header whole = all.get(from).header();
    int[] vertices = new int[whole.total()];
    int size = 0;
    int next = from;
    while (next < all.size()) {
      GhostRequest request = all.get(next);
      GhostRequest.Header header = request.header();
      if (header.reader() != whole.reader() || header.partition() != whole.partition()) {
        break;
      }
      if (header.home() != graph.place().shard()) {
        throw new IllegalArgumentException(request + " came to shard " + graph.place().shard());
      }
      if (header.first() != size || header.total() != whole.total()) {
        throw new IllegalArgumentException(
            request
                + (header.first() < size ? " came twice" : ": the one before it is missing")
                + "; carry each request to its shard once, and answer all at once");
      }
      size += request.size();
      next++;
    }
    if (size != vertices.length) {
      throw new IllegalArgumentException(
          all.get(next - 1)
              + ": the one behind it is missing; carry each request to its shard once, and answer"
              + " all at once");
    }
    // Each ghost is asked for once by a reader: requests have nothing in common.
    workers.run(next - from, i -> take(all.get(from + i), vertices));
    addLists(whole, vertices);
    return next;
  }

  private void take(GhostRequest request, int[] vertices) {
    GhostRequest.Content content = request.content();
    int next = content.header().first();
    for (int i = 0; i < content.ids().length; i++) {
      int dense = (int) graph.ids().dense(content.ids()[i]);
      int held = dense - first;
      if (dense < 0 || held < 0 || held >= elsewhere.length) {
        throw new IllegalArgumentException(
            ("%s names vertex %s, which shard %s does not hold: the shards were not loaded"
                    + " from the same source")
                .formatted(request, content.ids()[i], graph.place().shard()));
      }
      vertices[next++] = dense;
      if (content.edges() != null) {
        long sum = (long) elsewhere[held] + content.edges()[i];
        if (sum > Integer.MAX_VALUE) {
          throw graph.tooManyOutEdges(held, sum);
        }
        elsewhere[held] = (int) sum;
      }
    }
  }

  /** Cuts the vertices that a reader asked for, ascending, by home partition. */
  private void addLists(GhostRequest.Header reader, int[] vertices) {
    int from = 0;
    for (CsrGraphPartition home : graph.partitions()) {
      int begin = (int) home.firstVertex();
      int at = Arrays.binarySearch(vertices, begin + home.stored());
      int to = at >= 0 ? at : -at - 1;
      if (from < to) {
        int[] local = new int[to - from];
        for (int i = 0; i < local.length; i++) {
          local[i] = vertices[from + i] - begin;
        }
        lists.add(
            new RemoteBoundary(
                reader.reader(), new BoundaryList(home.index(), reader.partition(), local, -1)));
      }
      from = to;
    }
  }
}
