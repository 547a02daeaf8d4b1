package org.sparkgpugraph.adapter.data;

import org.apache.spark.Partition;

/** The partition of an RDD that has one and needs nothing to tell it by. */
public record OnlyPartition() implements Partition {
  @Override
  public int index() {
    return 0;
  }
}
