package io.sparkgpugraph.graph;

import java.io.Serializable;

/**
 * What one source partition has for one shard: edges, or ids of vertices of the shard that have
 * edges which the shard does not get. Made by {@link EdgeRouter}, taken by {@link ShardBuilder};
 * bounded, so that it travels as one record. Its content is one array of bytes, which Java's and
 * Kryo's serializers write as it is.
 */
public final class EdgeParcel implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int shard;
  private final int sourcePartition;
  private final int sequence;
  private final byte[] content;

  EdgeParcel(int shard, int sourcePartition, int sequence, byte[] content) {
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

  /** Place among the parcels of its source partition: edges keep this order. */
  public int sequence() {
    return sequence;
  }

  /** Size of the content in bytes. */
  public int bytes() {
    return content.length;
  }

  /** The content, not a copy. */
  byte[] content() {
    return content;
  }
}
