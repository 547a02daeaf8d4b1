package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.storage.BlockManagerId;

/**
 * Where one of the outputs of a {@linkplain StandingTask task that stays} is: what Spark's map
 * output tracker would know of it.
 *
 * @param owner who serves it
 * @param mapId its id within the shuffle
 * @param shard who has written it
 * @param lengths bytes of each of its blocks, by number of the block; in a {@link StandingOrder} of
 *     those for the shard that is told, by number of the lane
 */
record ShardOutput(BlockManagerId owner, long mapId, int shard, long[] lengths)
    implements Serializable {
  /** The same output with other lengths. */
  ShardOutput with(long[] others) {
    return new ShardOutput(owner, mapId, shard, others);
  }

  /**
   * Lengths of the blocks for one of its readers.
   *
   * @param readers how many there are
   */
  long[] lengthsFor(int reader, int readers) {
    int lanes = lengths.length / readers;
    return Arrays.copyOfRange(lengths, reader * lanes, (reader + 1) * lanes);
  }
}
