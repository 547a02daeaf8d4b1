package org.sparkgpugraph.runtime.load;

import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;

/**
 * Edges in columns on the GPUs of several executors, which the library that has them there sends to
 * the shards of a graph itself. Asked on the driver.
 */
@FunctionalInterface
public interface ShardTables {
  /**
   * Sends them: each edge to the shard of its destination, and to that of its source where that is
   * another one. A shard gets its edges in the order of the source, as far as anybody can tell the
   * difference.
   *
   * @param ranges which shard holds which ids
   * @param tasks that are to read what is sent to a shard, at least 1
   */
  Sent send(IdRanges ranges, int tasks);

  /**
   * What became of it.
   *
   * @param tables {@link DeviceEdgeBlock}s: each shard has the same number of partitions, which
   *     follow each other, and edges between the same vertices are in one of them; null: it is not
   *     possible
   * @param obstacle why it is not; null: it is
   */
  record Sent(JavaRDD<EdgeBlock> tables, String obstacle) {}
}
