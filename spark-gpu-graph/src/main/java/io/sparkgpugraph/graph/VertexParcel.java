package io.sparkgpugraph.graph;

import java.io.Serializable;

/**
 * Vertices of one source partition that one shard holds. Made by {@link EdgeRouter#routeVertices},
 * taken by {@link ShardBuilder}; bounded, so that it travels as one record. Its content is one
 * array of bytes, which Java's and Kryo's serializers write as it is.
 */
public final class VertexParcel implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int shard;
  private final int sourcePartition;
  private final int sequence;
  private final byte[] content;

  VertexParcel(int shard, int sourcePartition, int sequence, byte[] content) {
    this.shard = shard;
    this.sourcePartition = sourcePartition;
    this.sequence = sequence;
    this.content = content;
  }

  /** Shard that it is for. */
  public int shard() {
    return shard;
  }

  /** Partition of the source that it comes from. */
  public int sourcePartition() {
    return sourcePartition;
  }

  /** Place among the parcels of its source partition. */
  public int sequence() {
    return sequence;
  }

  /** Size of the content in bytes. */
  public int bytes() {
    return content.length;
  }

  /**
   * Ids, slots and capacity as in the block of the source, of the vertices that are here, in the
   * block's order; without values. Decoded at every call.
   */
  public VertexBlock vertices() {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Attributes: row i is that of vertex i of {@link #vertices()}; null when none were routed.
   * Decoded at every call.
   */
  public Columns values() {
    throw new UnsupportedOperationException("not yet");
  }
}
