package org.sparkgpugraph.frame.table;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;
import org.sparkgpugraph.graphs.model.IdRanges;

/**
 * Numbers that stand for shards: {@code Dataset.repartition(shards, key)} sends the rows of shard
 * i's key to partition i, since Spark's partitioning by hash is Murmur3 of the number, modulo the
 * partitions, whoever computes it.
 */
final class OwnerKeys {
  /** Of Spark's {@code HashPartitioning}. */
  private static final int SEED = 42;

  private final IdRanges ranges;
  private final int[] keys;

  OwnerKeys(IdRanges ranges) {
    this.ranges = ranges;
    keys = new int[ranges.shards()];
    int missing = keys.length;
    boolean[] found = new boolean[keys.length];
    for (int key = 0; missing > 0; key++) {
      int partition = Math.floorMod(Murmur3_x86_32.hashInt(key, SEED), keys.length);
      if (!found[partition]) {
        found[partition] = true;
        keys[partition] = key;
        missing--;
      }
    }
  }

  /** Of a shard. */
  int key(int shard) {
    return keys[shard];
  }

  /** Of the shard that holds a vertex, of a column of ids without nulls. */
  Column of(Column id) {
    int last = keys.length - 1;
    Column key = null;
    for (int shard = 0; shard < last; shard++) {
      if (ranges.least(shard) <= ranges.largest(shard)) {
        // Whoever is behind all shards before it is behind their bounds, too.
        Column here = id.leq(functions.lit(ranges.largest(shard)));
        Column itsKey = functions.lit(keys[shard]);
        key = key == null ? functions.when(here, itsKey) : key.when(here, itsKey);
      }
    }
    Column behind = functions.lit(keys[last]);
    return key == null ? behind : key.otherwise(behind);
  }
}
