package org.sparkgpugraph.frame.table;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;
import org.sparkgpugraph.graphs.model.IdRanges;

/**
 * Numbers that stand for partitions, of which each shard has several: {@code
 * Dataset.repartition(partitions, key)} sends the rows of partition i's key to partition i, since
 * Spark's partitioning by hash is Murmur3 of the number, modulo the partitions, whoever computes
 * it.
 */
final class OwnerKeys {
  /** Of Spark's {@code HashPartitioning}. */
  private static final int SEED = 42;

  private final IdRanges ranges;
  private final int[] keys;

  /**
   * @param ranges which shard holds which ids
   * @param tasks partitions of each shard, whose numbers follow each other
   */
  OwnerKeys(IdRanges ranges, int tasks) {
    this.ranges = ranges;
    keys = new int[ranges.shards() * tasks];
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

  /** Of a partition. */
  int key(int partition) {
    return keys[partition];
  }

  /** Of each partition of a column of their numbers, without nulls. */
  Column of(Column partition) {
    int last = keys.length - 1;
    Column key = null;
    for (int p = 0; p < last; p++) {
      Column here = partition.equalTo(functions.lit(p));
      Column itsKey = functions.lit(keys[p]);
      key = key == null ? functions.when(here, itsKey) : key.when(here, itsKey);
    }
    Column ofLast = functions.lit(keys[last]);
    return key == null ? ofLast : key.otherwise(ofLast);
  }

  /** The shard that holds a vertex, of a column of ids without nulls. */
  Column shard(Column id) {
    int last = ranges.shards() - 1;
    Column owner = null;
    for (int shard = 0; shard < last; shard++) {
      if (ranges.least(shard) <= ranges.largest(shard)) {
        // Whoever is behind all shards before it is behind their bounds, too.
        Column here = id.leq(functions.lit(ranges.largest(shard)));
        Column itself = functions.lit(shard);
        owner = owner == null ? functions.when(here, itself) : owner.when(here, itself);
      }
    }
    Column behind = functions.lit(last);
    return owner == null ? behind : owner.otherwise(behind);
  }
}
