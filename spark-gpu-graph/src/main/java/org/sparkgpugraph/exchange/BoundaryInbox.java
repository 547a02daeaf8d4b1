package org.sparkgpugraph.exchange;

import org.sparkgpugraph.graph.model.BoundaryList;

/**
 * Applies the updates of one boundary list to the ghosts of its reader. Under {@link
 * ExchangeMode#ALL} the positions that come are local indexes at home, and the reader takes its
 * ghosts out of them.
 */
public final class BoundaryInbox {
  private final BoundaryList list;
  private final int[] shipped;
  private final boolean wholeHome;

  /**
   * @param list the list
   * @param shipped state columns that travel
   * @param mode what travels
   */
  public BoundaryInbox(BoundaryList list, int[] shipped, ExchangeMode mode) {
    this.list = list;
    this.shipped = shipped.clone();
    wholeHome = mode == ExchangeMode.ALL;
  }

  /** The list. */
  public BoundaryList list() {
    return list;
  }

  /**
   * Applies.
   *
   * @param state state columns at the reader
   * @param activity takes the active ghosts; null when activity does not travel
   * @return number of ghosts that became active
   * @throws IllegalArgumentException when the updates are not of this list
   */
  public int apply(RefinedUpdates updates, Object[] state, VertexBitmap activity) {
    if (updates.count() == 0) {
      return 0;
    }
    RefinedUpdates own = wholeHome ? updates.of(list.homeVertices()) : updates;
    if (own.count() == 0) {
      return 0;
    }
    int last = own.position(own.count() - 1);
    if (last >= list.size()) {
      throw new IllegalArgumentException(
          "an update of position "
              + last
              + " in boundary list "
              + list.home()
              + " to "
              + list.reader()
              + " of "
              + list.size()
              + " vertices");
    }
    own.apply(state, shipped, list.firstGhost(), activity);
    return activity == null ? 0 : own.activeCount();
  }
}
