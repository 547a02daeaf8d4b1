package org.sparkgpugraph.runtime.held;

import java.io.Serializable;

/**
 * What the driver is told of a shard that was loaded.
 *
 * @param vertices held here that exist
 * @param edges held here
 * @param bytes of the structure
 * @param partitions that it was cut into
 * @param throughHost why edges that were in columns on a GPU went through the host; null: they did
 *     not, or were none
 */
public record ShardPiece(long vertices, long edges, long bytes, int partitions, String throughHost)
    implements Serializable {
  /** The same, of edges that went through the host. */
  public ShardPiece ofHost(String why) {
    return new ShardPiece(vertices, edges, bytes, partitions, why);
  }

  public static ShardPiece of(HeldGraph held) {
    return of(held, null);
  }

  /** As above, of edges that went through the host. */
  public static ShardPiece of(HeldGraph held, String throughHost) {
    return new ShardPiece(
        held.graph().heldVertices(),
        held.graph().edgeCount(),
        held.graph().bytes(),
        held.graph().partitions().size(),
        throughHost);
  }
}
