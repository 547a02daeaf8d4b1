package org.sparkgpugraph.runtime.held;

import java.io.Serializable;

/**
 * What the driver is told of a shard that was loaded.
 *
 * @param vertices held here that exist
 * @param edges held here
 * @param bytes of the structure
 * @param partitions that it was cut into
 */
public record ShardPiece(long vertices, long edges, long bytes, int partitions)
    implements Serializable {
  public static ShardPiece of(HeldGraph held) {
    return new ShardPiece(
        held.graph().heldVertices(),
        held.graph().edgeCount(),
        held.graph().bytes(),
        held.graph().partitions().size());
  }
}
