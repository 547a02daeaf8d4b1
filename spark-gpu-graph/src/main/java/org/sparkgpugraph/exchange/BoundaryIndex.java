package org.sparkgpugraph.exchange;

import org.sparkgpugraph.graphs.model.BoundaryList;

/**
 * A boundary list as a bitmap with a rank directory, so that an outbox is the intersection of two
 * bitmaps and a position is a rank: ascending, without a sort (offline vertex refinement).
 */
public final class BoundaryIndex {
  private final long[] members;
  private final int[] ranks;

  /**
   * @param list the list
   * @param stored vertices that the home partition holds
   */
  public BoundaryIndex(BoundaryList list, int stored) {
    members = new long[(int) ((stored + 63L) >>> 6)];
    ranks = new int[members.length];
    int previous = -1;
    for (int vertex : list.homeVertices()) {
      if (vertex <= previous || vertex >= stored) {
        throw new IllegalArgumentException(
            "boundary list %s to %s is not ascending below %s: %s after %s"
                .formatted(list.home(), list.reader(), stored, vertex, previous));
      }
      previous = vertex;
      members[vertex >>> 6] |= 1L << vertex;
    }
    int rank = 0;
    for (int w = 0; w < members.length; w++) {
      ranks[w] = rank;
      rank += Long.bitCount(members[w]);
    }
  }

  /** The members among vertices {@code [64 word, 64 word + 64)}, as a mask. */
  public long members(int word) {
    return members[word];
  }

  /** The position in the list of its first member at or behind vertex {@code 64 word}. */
  public int rank(int word) {
    return ranks[word];
  }
}
