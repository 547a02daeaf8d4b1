package io.sparkgpugraph.graph;

import java.util.Iterator;

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
  /**
   * @param graph made by {@link ShardBuilder}, or from such a graph by masking or reversing
   */
  public GhostHandshake(ExecutorGraph graph) {
    throw new UnsupportedOperationException("not yet");
  }

  /** Number of this shard. */
  public int shard() {
    throw new UnsupportedOperationException("not yet");
  }

  /** Where vertices belong. */
  public IdRanges ranges() {
    throw new UnsupportedOperationException("not yet");
  }

  /** What this shard asks of others, made when asked for. */
  public Iterator<GhostRequest> requests() {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Takes all requests to this shard, in any order, and answers them: makes {@link
   * ExecutorGraph#exports()} and the out-degrees of the vertices held here anew.
   *
   * @param attributes attributes by dense id that the replies bring along; null: none
   * @return the replies, made when asked for
   * @throws IllegalArgumentException when a request is for another shard, comes twice or asks for
   *     vertices that this shard does not know
   */
  public Iterator<GhostReply> answer(Iterator<GhostRequest> requests, Columns attributes) {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * What {@link #answer} said, as it is now: tells all readers of this shard's vertices about them
   * without being asked. Possible once this shard has answered.
   *
   * @param attributes attributes by dense id that the replies bring along; null: none
   */
  public Iterator<GhostReply> tell(Columns attributes) {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Takes all replies to this shard, in any order: makes {@link ExecutorGraph#imports()}, and the
   * presence and degrees of ghosts.
   *
   * @param attributes attributes by dense id; the rows of ghosts are set to what the replies bring
   *     along. Null: not read
   * @throws IllegalArgumentException when a reply is for another shard, one is missing, or it
   *     brings no attributes though {@code attributes} is given
   */
  public void accept(Iterator<GhostReply> replies, Columns attributes) {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Says how many vertices the whole graph has: the sum of {@link ExecutorGraph#heldVertices()}
   * over all shards.
   */
  public void setVertexCount(long vertices) {
    throw new UnsupportedOperationException("not yet");
  }

  /** Whether this shard has answered, accepted and knows the number of vertices. */
  public boolean isConnected() {
    throw new UnsupportedOperationException("not yet");
  }
}
