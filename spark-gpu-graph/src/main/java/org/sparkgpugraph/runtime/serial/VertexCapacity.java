package org.sparkgpugraph.runtime.serial;

import java.io.Serializable;

/**
 * Says how long a value array of a vertex partition is, even where the partition has no vertex. Not
 * a record: it travels through Spark's serializer, and Kryo cannot read records.
 */
public final class VertexCapacity implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int partition;
  private final int slots;

  public VertexCapacity(int partition, int slots) {
    this.partition = partition;
    this.slots = slots;
  }

  public int partition() {
    return partition;
  }

  public int slots() {
    return slots;
  }
}
