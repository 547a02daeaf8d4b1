package org.sparkgpugraph.exchange;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * Collects the {@link RefinedUpdates} of one boundary list from the bitmaps and the state of its
 * home: the intersection of two bitmaps, ascending, without a sort.
 */
public final class UpdateCollector {
  private final BoundaryList list;
  private final int stored;
  private final int[] shipped;
  private final ExchangeMode mode;

  /** Null under {@link ExchangeMode#ALL}, which says all about the home whatever the list is. */
  private final BoundaryIndex index;

  private final RefinedUpdates updates;

  /**
   * @param list the boundary list
   * @param stored vertices that the home partition holds
   * @param shipped state columns that travel
   * @param stateKinds kinds of all state columns
   * @param mode what travels
   */
  public UpdateCollector(
      BoundaryList list,
      int stored,
      int[] shipped,
      List<ColumnType> stateKinds,
      ExchangeMode mode) {
    this.list = list;
    this.stored = stored;
    this.shipped = shipped.clone();
    this.mode = mode;
    index = mode == ExchangeMode.ALL ? null : new BoundaryIndex(list, stored);
    updates = new RefinedUpdates(Arrays.stream(shipped).mapToObj(stateKinds::get).toList());
  }

  /** The list that the positions refer to. */
  public BoundaryList list() {
    return list;
  }

  /** What was collected last. */
  public RefinedUpdates updates() {
    return updates;
  }

  /**
   * Collects the updates of a superstep; what was collected before is dropped.
   *
   * @param changed vertices whose shipped columns' bits changed; null: all of the list (a first or
   *     restored state)
   * @param activity vertices that are active next; null: activity does not travel
   * @param state state columns at home, with the new values
   * @return {@link #updates()}
   */
  public RefinedUpdates collect(VertexBitmap changed, VertexBitmap activity, Object[] state) {
    if (mode == ExchangeMode.ALL) {
      updates.all(stored, activity, state, shipped);
      return updates;
    }
    updates.clear();
    if (changed == null || mode == ExchangeMode.BOUNDARY) {
      int words = (int) ((lastVertex() + 64L) >>> 6);
      for (int w = 0; w < words; w++) {
        word(w, -1L, activity == null ? 0 : activity.words[w]);
      }
    } else {
      int summaries = VertexBitmap.summaryWords(lastVertex() + 1);
      for (int s = 0; s < summaries; s++) {
        long bits = changed.summary[s] | (activity == null ? 0 : activity.summary[s]);
        while (bits != 0) {
          int w = (s << 6) + Long.numberOfTrailingZeros(bits);
          bits &= bits - 1;
          // Bits behind the held vertices are ghosts of the home: not in any of its lists.
          if (w << 6 <= lastVertex()) {
            word(w, changed.words[w], activity == null ? 0 : activity.words[w]);
          }
        }
      }
    }
    updates.pack(state, shipped, list.homeVertices());
    return updates;
  }

  private int lastVertex() {
    int[] vertices = list.homeVertices();
    return vertices.length == 0 ? -1 : vertices[vertices.length - 1];
  }

  private void word(int w, long changed, long activity) {
    long members = index.members(w);
    long updated = (changed | activity) & members;
    while (updated != 0) {
      long bit = Long.lowestOneBit(updated);
      updated ^= bit;
      updates.add(
          index.rank(w) + Long.bitCount(members & (bit - 1)),
          (changed & bit) != 0,
          (activity & bit) != 0);
    }
  }
}
