package org.sparkgpugraph.graphs.shard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.build.CsrExecutorGraph;
import org.sparkgpugraph.graphs.build.CsrGraphPartition;
import org.sparkgpugraph.graphs.build.ReversedExecutorGraph;
import org.sparkgpugraph.graphs.build.ShardPlace;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.rows.EdgeCounts;
import org.sparkgpugraph.graphs.rows.EdgeSequence;

/**
 * Connects the executor graphs (shards) of one graph: each learns which of its vertices the others
 * keep as ghosts, and the others learn whether those exist, their degrees and attributes. Nothing
 * but data: whoever calls it carries requests and replies between the shards.
 *
 * <ol>
 *   <li>every shard: {@link #requests()}, each carried to its {@link GhostRequest#home()};
 *   <li>every shard: {@link #answer} with <i>all</i> requests to it (none is legal, but it must be
 *       called), each reply carried to its {@link GhostReply#reader()};
 *   <li>every shard: {@link #accept} with all replies to it;
 *   <li>every shard: {@link #setVertexCount}.
 * </ol>
 *
 * <p>All of it may be repeated, with the same result: after another shard was built again, or after
 * a step failed half-way. It must be repeated after {@link ExecutorGraph#masked}, which changes
 * degrees. Once shards are connected, {@link #tell} and {@link #accept} are enough to bring new
 * vertex attributes to all ghosts. Every method holds the graph's lock; none may run at the same
 * time as a program on the graph. With one shard there is nothing to carry, and the graph is
 * connected from the start.
 */
public final class GhostHandshake {
  /** Enough for several threads to have something of a large boundary. */
  private static final int MESSAGE_GHOSTS = 1 << 18;

  private final CsrExecutorGraph graph;
  private final ShardPlace place;
  private final int messageGhosts;

  /**
   * @param graph made by {@link ShardBuilder}, or from such a graph by masking or reversing
   * @throws IllegalArgumentException when it was made otherwise
   */
  public GhostHandshake(ExecutorGraph graph) {
    this(graph, MESSAGE_GHOSTS);
  }

  /**
   * @param messageGhosts most ghosts of a request or reply
   */
  public GhostHandshake(ExecutorGraph graph, int messageGhosts) {
    this.graph = graph(graph);
    this.messageGhosts = messageGhosts;
    place = this.graph.place();
    if (place == null) {
      throw new IllegalArgumentException(
          "this graph was built as a whole and is no shard: ShardBuilder makes shards");
    }
  }

  static CsrExecutorGraph graph(ExecutorGraph graph) {
    return graph instanceof ReversedExecutorGraph r ? r.graph() : (CsrExecutorGraph) graph;
  }

  /** Number of this shard. */
  public int shard() {
    return place.shard();
  }

  /** Where vertices belong. */
  public VertexOwners owners() {
    return place.owners();
  }

  /** What this shard asks of others, made when asked for. */
  public Iterator<GhostRequest> requests() {
    List<Supplier<GhostRequest>> requests = new ArrayList<>();
    graph.partitions().forEach(reader -> requests(reader, requests));
    return new MadeTogether<>(graph, requests);
  }

  private void requests(CsrGraphPartition reader, List<Supplier<GhostRequest>> requests) {
    List<RemoteRun> runs = RemoteRun.of(graph, reader);
    if (runs.isEmpty()) {
      return;
    }
    int[] edges = graph.storesOutEdges() ? null : edgesLeaving(reader);
    for (RemoteRun run : runs) {
      pieces(run.size()).forEach(from -> requests.add(() -> request(reader, run, from, edges)));
    }
  }

  private GhostRequest request(CsrGraphPartition reader, RemoteRun run, int from, int[] edges) {
    long[] ghosts = reader.ghostIds();
    long[] ids = new long[Math.min(run.size() - from, messageGhosts)];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = graph.ids().original(ghosts[run.first() + from + i]);
    }
    return GhostRequest.of(
        new GhostRequest.Header(place.shard(), run.home(), reader.index(), from, run.size()),
        ids,
        edges,
        run.first() + from);
  }

  private IntStream pieces(int size) {
    return IntStream.iterate(0, from -> from < size, from -> from + messageGhosts);
  }

  /** How many of a partition's in-edges leave each of its ghosts. */
  private int[] edgesLeaving(CsrGraphPartition partition) {
    if (partition.leavingGhosts() != null) {
      return partition.leavingGhosts();
    }
    EdgeSequence edges = EdgeSequence.of(partition.inEdges());
    return graph.withWorkers(
        workers -> EdgeCounts.of(edges, true, partition.stored(), partition.ghosts(), workers));
  }

  /**
   * Takes all requests to this shard, in any order, and answers them: makes {@link
   * ExecutorGraph#exports()} and the out-degrees of the vertices held here anew.
   *
   * @param attributes attributes by dense id that the replies bring along; null: none
   * @return the replies, made when asked for
   * @throws IllegalArgumentException when a request is for another shard, one comes twice or is
   *     missing, or asks for vertices that this shard does not know
   */
  public Iterator<GhostReply> answer(Iterator<GhostRequest> requests, Columns attributes) {
    if (graph.isSpread()) {
      graph.withWorkers(
          workers -> {
            new ExportLists(graph, workers).take(requests);
            return null;
          });
    }
    return tell(attributes);
  }

  /**
   * What {@link #answer} returned, as it is now: tells all readers of this shard's vertices about
   * them without being asked. Possible once this shard has answered.
   *
   * @param attributes attributes by dense id that the replies bring along; null: none
   * @return the replies, made when asked for
   */
  public Iterator<GhostReply> tell(Columns attributes) {
    List<Supplier<GhostReply>> replies = new ArrayList<>();
    for (RemoteBoundary export : graph.exports()) {
      pieces(export.list().size())
          .forEach(from -> replies.add(() -> reply(export, from, attributes)));
    }
    return new MadeTogether<>(graph, replies);
  }

  private GhostReply reply(RemoteBoundary export, int from, Columns attributes) {
    BoundaryList list = export.list();
    int to = Math.min(list.size(), from + messageGhosts);
    return GhostReply.of(
        new GhostReply.Header(
            place.shard(), export.peer(), list.home(), list.reader(), from, list.size()),
        graph.partitions().get(list.home()),
        Arrays.copyOfRange(list.homeVertices(), from, to),
        attributes);
  }

  /**
   * Takes all replies to this shard, in any order: makes {@link ExecutorGraph#imports()}, and the
   * presence and degrees of ghosts.
   *
   * @param attributes attributes by dense id; the rows of ghosts are set to what the replies bring
   *     along. Null: not read
   * @throws IllegalArgumentException when a reply is for another shard, one comes twice or is
   *     missing, or brings other attributes than {@code attributes} has
   */
  public void accept(Iterator<GhostReply> replies, Columns attributes) {
    if (graph.isSpread()) {
      graph.withWorkers(
          workers -> {
            new ImportLists(graph, workers).take(replies, attributes);
            return null;
          });
    }
  }

  /**
   * Says how many vertices the whole graph has: the sum of {@link ExecutorGraph#heldVertices()}
   * over all shards.
   */
  public void setVertexCount(long vertices) {
    graph.setVertexCount(vertices);
  }

  /** Whether this shard has answered, accepted and knows the number of vertices. */
  public boolean isConnected() {
    return graph.isConnected();
  }
}
