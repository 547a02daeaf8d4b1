package org.sparkgpugraph.runtime.load;

import java.io.Serializable;
import org.sparkgpugraph.graphs.shard.Parcel;
import org.sparkgpugraph.runtime.cluster.PinnedLanes;

/**
 * By which partition of a shuffle parcels travel to the shard that reads them in {@linkplain
 * PinnedLanes lanes}: about as many by each lane. Those of one partition of the source keep
 * together where there are partitions enough for that: fewer blocks are read faster.
 *
 * @param lanes of each shard
 * @param shards of the graph
 * @param sourcePartitions that parcels come from
 */
record ParcelLanes(int lanes, int shards, int sourcePartitions) implements Serializable {
  /** Partitions of the source for each lane that are enough. */
  private static final int ENOUGH = 4;

  /** The partition of the shuffle for a parcel. */
  int of(Parcel parcel) {
    boolean together = sourcePartitions >= (long) ENOUGH * lanes;
    // Parcels for other shards have numbers in between.
    long place = parcel.sourcePartition() + (together ? 0L : parcel.sequence() / shards);
    return parcel.shard() * lanes + (int) (place % lanes);
  }
}
