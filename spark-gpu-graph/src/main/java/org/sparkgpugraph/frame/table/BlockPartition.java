package org.sparkgpugraph.frame.table;

import org.apache.spark.Partition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.connector.read.InputPartition;
import org.sparkgpugraph.graphs.model.VertexBlock;

/**
 * What one task reads of a {@link BlockTable}.
 *
 * @param places hosts and executors that have it
 */
record BlockPartition(RDD<VertexBlock> blocks, Partition partition, String[] places)
    implements InputPartition {
  @Override
  public String[] preferredLocations() {
    return places;
  }
}
