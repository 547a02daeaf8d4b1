package org.sparkgpugraph.graphs.memory;

/**
 * A bitmap with a rank directory: {@link #rank} counts the set bits before a position in constant
 * time, {@link #select} finds the n-th set bit. Immutable once made.
 *
 * <p>The directory holds one count per word of 64 bits, so it adds half the bitmap's size.
 */
public final class RankedBitmap {
  private final long[] words;
  private final int[] before;
  private final int cardinality;

  /**
   * @param words bit i is bit {@code i & 63} of {@code words[i >>> 6]}; not copied
   * @throws IllegalArgumentException when 2³¹ bits or more are set
   */
  public RankedBitmap(long[] words) {
    this.words = words;
    this.before = new int[words.length];
    long count = 0;
    for (int w = 0; w < words.length; w++) {
      before[w] = (int) count;
      count += Long.bitCount(words[w]);
    }
    if (count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          ("%s vertices, but an executor holds at most %s, those counted that only its"
                  + " edges name: spread the graph over more executors (spark.gpugraph.executors),"
                  + " or leave out vertices that are not needed")
              .formatted(count, Integer.MAX_VALUE));
    }
    this.cardinality = (int) count;
  }

  /** Number of set bits. */
  public int cardinality() {
    return cardinality;
  }

  /** {@code int[words]}: number of set bits before each word; not to be changed. */
  public int[] ranks() {
    return before;
  }

  /** Whether the bit is set; false outside the bitmap. */
  public boolean get(long bit) {
    return bit >= 0
        && bit < (long) words.length << 6
        && (words[(int) (bit >>> 6)] >>> bit & 1) != 0;
  }

  /** Number of set bits before {@code bit}, which must lie in the bitmap. */
  public int rank(long bit) {
    int w = (int) (bit >>> 6);
    return before[w] + Long.bitCount(words[w] & ((1L << bit) - 1));
  }

  /** Position of the set bit that has {@code rank} set bits before it. */
  public long select(int rank) {
    if (rank < 0 || rank >= cardinality) {
      throw new IndexOutOfBoundsException("rank " + rank + " of " + cardinality);
    }
    int low = 0;
    int high = words.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (before[middle] <= rank) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long word = words[low];
    for (int skip = rank - before[low]; skip > 0; skip--) {
      word &= word - 1;
    }
    return ((long) low << 6) + Long.numberOfTrailingZeros(word);
  }

  /** Positions of the set bits, ascending. */
  public long[] members() {
    long[] members = new long[cardinality];
    int next = 0;
    for (int w = 0; w < words.length; w++) {
      for (long word = words[w]; word != 0; word &= word - 1) {
        members[next++] = ((long) w << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return members;
  }

  /** The words, not a copy. */
  public long[] words() {
    return words;
  }

  public long bytes() {
    return 8L * words.length + 4L * before.length;
  }
}
