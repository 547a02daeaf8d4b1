package org.sparkgpugraph.exchange;

import java.util.function.IntUnaryOperator;
import org.sparkgpugraph.graphs.model.BoundaryList;

/**
 * Applies the updates of one boundary list to the ghosts of its reader. Under {@link
 * ExchangeMode#ALL} the positions that come are local indexes at home, and the reader takes its
 * ghosts out of them.
 */
public final class BoundaryInbox {
  private final BoundaryList list;
  private final int[] shipped;
  private final ExchangeMode mode;
  private final IntUnaryOperator ghost;

  /**
   * @param list the list
   * @param shipped state columns that travel
   * @param mode what travels
   */
  public BoundaryInbox(BoundaryList list, int[] shipped, ExchangeMode mode) {
    this(list, shipped, mode, position -> list.firstGhost() + position);
  }

  /**
   * Of a list whose ghosts are not side by side.
   *
   * @param ghost local index at the reader of each position
   */
  public BoundaryInbox(
      BoundaryList list, int[] shipped, ExchangeMode mode, IntUnaryOperator ghost) {
    this.list = list;
    this.shipped = shipped.clone();
    this.mode = mode;
    this.ghost = ghost;
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
    return activate(applyValues(updates, state), activity);
  }

  /**
   * Applies the values alone; several threads may apply others meanwhile.
   *
   * @param state state columns at the reader
   * @return what of the updates is of this list: for {@link #activate}
   * @throws IllegalArgumentException when the updates are not of this list
   */
  public RefinedUpdates applyValues(RefinedUpdates updates, Object[] state) {
    RefinedUpdates own = ofList(list, mode, updates);
    if (own.count() > 0) {
      own.applyValues(state, shipped, ghost);
    }
    return own;
  }

  /**
   * Adds the active ones among ghosts whose values were applied.
   *
   * @param own what {@link #applyValues} has returned
   * @param activity takes them; null when activity does not travel
   * @return number of ghosts that became active
   */
  public int activate(RefinedUpdates own, VertexBitmap activity) {
    if (activity == null || own.count() == 0) {
      return 0;
    }
    own.activate(ghost, activity);
    return own.activeCount();
  }

  /**
   * What has come of one home, in positions of a boundary list.
   *
   * @param updates under {@link ExchangeMode#ALL} about all vertices of the home
   * @throws IllegalArgumentException when the updates are not of this list
   */
  public static RefinedUpdates ofList(
      BoundaryList list, ExchangeMode mode, RefinedUpdates updates) {
    if (mode == ExchangeMode.ALL) {
      return updates.of(list.homeVertices());
    }
    int last = updates.count() == 0 ? -1 : updates.position(updates.count() - 1);
    if (last >= list.size()) {
      throw new IllegalArgumentException(
          "an update of position %s in boundary list %s to %s of %s vertices"
              .formatted(last, list.home(), list.reader(), list.size()));
    }
    return updates;
  }
}
