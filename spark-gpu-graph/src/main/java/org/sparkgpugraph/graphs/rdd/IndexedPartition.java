package org.sparkgpugraph.graphs.rdd;

import org.apache.spark.Partition;

/**
 * A partition of an RDD: of the partitions of one kind, those with equal numbers are equal. Written
 * by Java's serializer, whatever {@code spark.serializer} says.
 */
public abstract class IndexedPartition implements Partition {
  private static final long serialVersionUID = 1L;

  private final int index;

  protected IndexedPartition(int index) {
    this.index = index;
  }

  @Override
  public final int index() {
    return index;
  }

  @Override
  public final int hashCode() {
    return index;
  }

  @Override
  public final boolean equals(Object other) {
    return other != null
        && other.getClass() == getClass()
        && ((IndexedPartition) other).index == index;
  }
}
