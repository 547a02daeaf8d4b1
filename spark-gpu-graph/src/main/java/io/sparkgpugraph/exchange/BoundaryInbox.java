package io.sparkgpugraph.exchange;

import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.program.Kind;
import java.util.Arrays;
import java.util.List;

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
    if (wholeHome) {
      return take(updates, state, activity);
    }
    int last = updates.position(updates.count() - 1);
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
    updates.apply(state, shipped, list.firstGhost(), activity);
    return activity == null ? 0 : updates.activeCount();
  }

  /** Both the positions and the list ascend. */
  private int take(RefinedUpdates updates, Object[] state, VertexBitmap activity) {
    int[] members = list.homeVertices();
    List<Kind> kinds = updates.kinds();
    int at = Arrays.binarySearch(members, updates.position(0));
    int member = at < 0 ? -at - 1 : at;
    int row = 0;
    int active = 0;
    for (int i = 0; i < updates.count() && member < members.length; i++) {
      boolean isValued = updates.isValued(i);
      while (member < members.length && members[member] < updates.position(i)) {
        member++;
      }
      if (member < members.length && members[member] == updates.position(i)) {
        int ghost = list.firstGhost() + member;
        for (int c = 0; c < shipped.length && isValued; c++) {
          RefinedUpdates.copy(
              kinds.get(c), updates.values().array(c), row, state[shipped[c]], ghost);
        }
        if (activity != null && updates.isActive(i)) {
          activity.add(ghost);
          active++;
        }
      }
      row += isValued ? 1 : 0;
    }
    return active;
  }
}
