package org.sparkgpugraph.runtime.serial;

import org.apache.spark.Partitioner;

/** Sends key i to partition i. */
public final class PartitionNumbers extends Partitioner {
  private static final long serialVersionUID = 1L;

  private final int count;

  public PartitionNumbers(int count) {
    this.count = count;
  }

  @Override
  public int numPartitions() {
    return count;
  }

  @Override
  public int getPartition(Object key) {
    return (Integer) key;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionNumbers numbers && numbers.count == count;
  }

  @Override
  public int hashCode() {
    return count;
  }
}
