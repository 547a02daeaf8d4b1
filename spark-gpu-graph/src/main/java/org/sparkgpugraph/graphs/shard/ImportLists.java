package org.sparkgpugraph.graphs.shard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.sparkgpugraph.graphs.build.CsrExecutorGraph;
import org.sparkgpugraph.graphs.build.CsrGraphPartition;
import org.sparkgpugraph.graphs.build.RemoteGhosts;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.RemoteBoundary;

/** Makes a shard's imports, and what it knows of ghosts, from the replies of the other shards. */
final class ImportLists {
  private static final Comparator<GhostReply> ORDER =
      Comparator.comparing(
          GhostReply::header,
          Comparator.comparingInt(GhostReply.Header::home)
              .thenComparingInt(GhostReply.Header::homePartition)
              .thenComparingInt(GhostReply.Header::readerPartition)
              .thenComparingInt(GhostReply.Header::first));

  private final CsrExecutorGraph graph;
  private final Workers workers;
  private final int[] inDegrees;
  private final int[] outDegrees;
  private final long[] present;
  private final List<RemoteBoundary> lists = new ArrayList<>();
  // By partition: the runs of its remote ghosts, and how much of the current one is covered.
  private final List<List<RemoteRun>> runs = new ArrayList<>();
  private final int[] run;
  private final int[] covered;

  ImportLists(CsrExecutorGraph graph, Workers workers) {
    this.graph = graph;
    this.workers = workers;
    int known = Math.toIntExact(graph.ids().size());
    int remote = known - (int) (graph.endHeld() - graph.firstHeld());
    inDegrees = new int[remote];
    outDegrees = new int[remote];
    present = present(known);
    for (CsrGraphPartition partition : graph.partitions()) {
      runs.add(RemoteRun.of(graph, partition));
    }
    run = new int[runs.size()];
    covered = new int[runs.size()];
  }

  /**
   * Takes all replies.
   *
   * @param attributes by dense id; ghosts' rows are set; null: not read
   */
  void take(Iterator<GhostReply> replies, Columns attributes) {
    List<GhostReply> all = new ArrayList<>();
    replies.forEachRemaining(all::add);
    all.sort(ORDER);
    for (int next = 0; next < all.size(); ) {
      next = takeList(all, next, attributes);
    }
    for (int p = 0; p < run.length; p++) {
      if (run[p] < runs.get(p).size()) {
        RemoteRun missing = runs.get(p).get(run[p]);
        throw new IllegalArgumentException(
            "shard %s has told shard %s, partition %s, of %s of %s ghosts: a reply is missing"
                .formatted(missing.home(), graph.place().shard(), p, covered[p], missing.size()));
      }
    }
    graph.setRemote(
        new RemoteGhosts(List.copyOf(lists), inDegrees, outDegrees), allPresent() ? null : present);
  }

  /** All bits, but for those of held vertices that are none. */
  private long[] present(int known) {
    long[] bits = new long[(known + 63) >>> 6];
    Arrays.fill(bits, -1);
    if (known % Long.SIZE != 0) {
      bits[bits.length - 1] = (1L << known) - 1;
    }
    long[] old = graph.present();
    for (int v = (int) graph.firstHeld(); old != null && v < graph.endHeld(); v++) {
      if ((old[v >>> 6] >>> v & 1) == 0) {
        bits[v >>> 6] &= ~(1L << v);
      }
    }
    return bits;
  }

  /** Two replies may be about ghosts whose bits are in one word. */
  private synchronized void clear(long[] bits, int[] dense) {
    for (int i = 0; i < dense.length; i++) {
      if ((bits[i >>> 6] >>> i & 1) == 0) {
        present[dense[i] >>> 6] &= ~(1L << dense[i]);
      }
    }
  }

  private boolean allPresent() {
    long vertices = 0;
    for (long word : present) {
      vertices += Long.bitCount(word);
    }
    return vertices == graph.ids().size();
  }

  /** Takes the replies of one boundary list; returns where the next begin. */
  private int takeList(List<GhostReply> all, int from, Columns attributes) {
    GhostReply.Header whole = all.get(from).header();
    int firstGhost = firstGhost(all.get(from), whole);
    int[] vertices = new int[whole.total()];
    int size = 0;
    int next = from;
    while (next < all.size()) {
      GhostReply reply = all.get(next);
      GhostReply.Header header = reply.header();
      if (header.home() != whole.home()
          || header.homePartition() != whole.homePartition()
          || header.readerPartition() != whole.readerPartition()) {
        break;
      }
      if (header.first() != size || header.total() != whole.total()) {
        throw new IllegalArgumentException(
            reply + (header.first() < size ? " came twice" : ": the one before it is missing"));
      }
      size += reply.size();
      next++;
    }
    if (size != vertices.length) {
      throw new IllegalArgumentException(all.get(next - 1) + ": the one behind it is missing");
    }
    // Each ghost is in one reply.
    workers.run(next - from, i -> take(all.get(from + i), firstGhost, vertices, attributes));
    int stored = graph.partitions().get(whole.readerPartition()).stored();
    lists.add(
        new RemoteBoundary(
            whole.home(),
            new BoundaryList(
                whole.homePartition(), whole.readerPartition(), vertices, stored + firstGhost)));
    return next;
  }

  /** Index among the ghosts of the reader partition at which a list begins. */
  private int firstGhost(GhostReply reply, GhostReply.Header list) {
    if (list.reader() != graph.place().shard()) {
      throw new IllegalArgumentException(reply + " came to shard " + graph.place().shard());
    }
    int p = list.readerPartition();
    RemoteRun current =
        p < run.length && run[p] < runs.get(p).size() ? runs.get(p).get(run[p]) : null;
    if (current == null
        || current.home() != list.home()
        || covered[p] + list.total() > current.size()) {
      throw new IllegalArgumentException(
          reply
              + " does not fit the ghosts that are there: a reply is missing, or the shards were"
              + " not loaded from the same source");
    }
    int first = current.first() + covered[p];
    covered[p] += list.total();
    if (covered[p] == current.size()) {
      covered[p] = 0;
      run[p]++;
    }
    return first;
  }

  private void take(GhostReply reply, int firstOfList, int[] vertices, Columns attributes) {
    GhostReply.Content content = reply.content();
    int firstGhost = firstOfList + content.header().first();
    System.arraycopy(
        content.vertices(), 0, vertices, content.header().first(), content.vertices().length);
    long[] ghosts = graph.partitions().get(content.header().readerPartition()).ghostIds();
    int size = content.vertices().length;
    int[] dense = new int[size];
    for (int i = 0; i < size; i++) {
      dense[i] = (int) ghosts[firstGhost + i];
      int remote = graph.remoteIndex(dense[i]);
      inDegrees[remote] = content.inDegrees()[i];
      outDegrees[remote] = content.outDegrees()[i];
    }
    if (content.present() != null) {
      clear(content.present(), dense);
    }
    if (attributes != null) {
      Columns received = content.attributes();
      if (received == null || !received.kinds().equals(attributes.kinds())) {
        throw new IllegalArgumentException(
            "%s brings %s, not %s"
                .formatted(
                    reply,
                    received == null ? "no attributes" : "attributes of " + received.kinds(),
                    attributes.kinds()));
      }
      attributes.copyFrom(received, null, 0, size, dense);
    }
  }
}
