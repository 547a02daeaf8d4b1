package org.sparkgpugraph.graphs.model;

import java.util.Arrays;

/**
 * Which shard holds which vertices: the signed 64-bit original ids, cut into one contiguous range
 * for each shard; ranges ascend with the shard. Empty ranges are legal.
 */
public final class IdRanges implements VertexOwners {
  private static final long serialVersionUID = 1L;

  private final long[] cuts;

  /**
   * @param cuts {@code long[shards − 1]}, ascending, equal ones allowed: the smallest id of shards
   *     1, 2, …
   * @throws IllegalArgumentException when they do not ascend
   */
  public IdRanges(long... cuts) {
    this.cuts = cuts.clone();
    for (int i = 1; i < cuts.length; i++) {
      if (cuts[i] < cuts[i - 1]) {
        throw new IllegalArgumentException(
            "cut " + i + " is " + cuts[i] + ", below the cut before it, " + cuts[i - 1]);
      }
    }
  }

  @Override
  public int shards() {
    return cuts.length + 1;
  }

  @Override
  public int shardOf(long id) {
    int low = 0;
    int high = cuts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cuts[middle] <= id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The least id of a shard's range.
   *
   * @return more than {@link #largest} where the range is empty
   */
  public long least(int shard) {
    return isEmpty(shard) ? Long.MAX_VALUE : begin(shard);
  }

  /** The largest id of a shard's range; see {@link #least}. */
  public long largest(int shard) {
    if (isEmpty(shard)) {
      return Long.MIN_VALUE;
    }
    return shard == cuts.length ? Long.MAX_VALUE : cuts[shard] - 1;
  }

  private long begin(int shard) {
    return shard == 0 ? Long.MIN_VALUE : cuts[shard - 1];
  }

  private boolean isEmpty(int shard) {
    return shard < cuts.length && cuts[shard] == begin(shard);
  }

  @Override
  public boolean ascending() {
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IdRanges ranges && Arrays.equals(cuts, ranges.cuts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(cuts);
  }

  /** The ranges, for messages. */
  @Override
  public String toString() {
    return shards() + " ranges of ids, cut at " + Arrays.toString(cuts);
  }
}
