package org.sparkgpugraph.graphs.rows;

import org.sparkgpugraph.graphs.model.VertexIds;

/**
 * Arbitrary ids: the sorted original ids, and a directory over their leading bits that narrows the
 * binary search to a bucket (one or two ids when they are spread evenly, as hashes are).
 */
public final class SortedVertexIds implements VertexIds {
  private final long[] sorted;
  private final int[] buckets;
  private final long smallest;
  private final int shift;

  /**
   * @param sorted original ids, ascending and distinct; not copied
   */
  SortedVertexIds(long[] sorted) {
    this.sorted = sorted;
    this.smallest = sorted.length == 0 ? 0 : sorted[0];
    long span = sorted.length == 0 ? 0 : sorted[sorted.length - 1] - smallest;
    int bits = 64 - Long.numberOfLeadingZeros(span);
    int bucketBits = Math.min(bits, Math.max(1, 32 - Integer.numberOfLeadingZeros(sorted.length)));
    bucketBits = Math.min(bucketBits, 28);
    this.shift = bits - bucketBits;
    this.buckets = new int[(1 << bucketBits) + 1];
    int next = 0;
    for (int b = 0; b < buckets.length; b++) {
      while (next < sorted.length && bucket(sorted[next]) < b) {
        next++;
      }
      buckets[b] = next;
    }
  }

  /** The distance to the smallest id is taken as unsigned: it may need all 64 bits. */
  private int bucket(long original) {
    return shift == 64 ? 0 : (int) ((original - smallest) >>> shift);
  }

  @Override
  public long size() {
    return sorted.length;
  }

  @Override
  public long original(long dense) {
    return sorted[Math.toIntExact(dense)];
  }

  @Override
  public long dense(long original) {
    if (sorted.length == 0 || original < smallest || original > sorted[sorted.length - 1]) {
      return -1;
    }
    int b = bucket(original);
    int low = buckets[b];
    int high = buckets[b + 1] - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long id = sorted[middle];
      if (id < original) {
        low = middle + 1;
      } else if (id > original) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return -1;
  }

  @Override
  public long bytes() {
    return 8L * sorted.length + 4L * buckets.length;
  }
}
