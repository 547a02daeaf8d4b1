package org.sparkgpugraph.graphs.shard;

import java.io.Serializable;

/**
 * What one source partition has for one shard; bounded, so that it travels as one record. Its
 * content is one array of bytes, which Java's and Kryo's serializers write as it is.
 */
public abstract sealed class Parcel implements Serializable permits EdgeParcel, VertexParcel {
  private static final long serialVersionUID = 1L;

  private final int shard;
  private final int sourcePartition;
  private final int sequence;
  private final byte[] content;

  Parcel(int shard, int sourcePartition, int sequence, byte[] content) {
    this.shard = shard;
    this.sourcePartition = sourcePartition;
    this.sequence = sequence;
    this.content = content;
  }

  /** Shard that it is for. */
  public final int shard() {
    return shard;
  }

  /** Partition of the source that it comes from. */
  public final int sourcePartition() {
    return sourcePartition;
  }

  /** Place among the parcels of its source partition, whose order is kept. */
  public final int sequence() {
    return sequence;
  }

  /** Size of the content in bytes. */
  public final int bytes() {
    return content.length;
  }

  /** The content, not a copy. */
  protected final byte[] content() {
    return content;
  }
}
