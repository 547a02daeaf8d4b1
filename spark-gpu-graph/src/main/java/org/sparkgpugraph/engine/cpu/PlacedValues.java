package org.sparkgpugraph.engine.cpu;

import java.util.List;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * The values and the activity of a run that pushes in another {@linkplain PushOrder order}: while
 * it does they are by place, before and behind, and whenever somebody looks, by vertex.
 */
final class PlacedValues {
  private final PushOrder order;
  private final KernelFrame frame;
  private final WorkerTeam team;

  /** Where values are moved to. */
  private final Object[] spare;

  private boolean placed;

  /**
   * @param state columns of the values, no arrays among them
   */
  PlacedValues(PushOrder order, KernelFrame frame, WorkerTeam team, List<ColumnType> state) {
    this.order = order;
    this.frame = frame;
    this.team = team;
    int[] places = order.places();
    spare = state.stream().map(type -> Columns.newArray(type, places.length)).toArray();
  }

  /** The vertex that a kernel knows by an index. */
  int vertex(int index) {
    return placed ? order.vertex(index) : index;
  }

  /** Says that values and activity were written, by vertex. */
  void written() {
    placed = false;
  }

  /**
   * Before a superstep.
   *
   * @param activity whether the activity counts
   */
  void place(boolean activity) {
    if (!placed) {
      move(activity, true);
      placed = true;
    }
  }

  /** Before somebody looks. */
  void takeBack() {
    if (placed) {
      move(true, false);
      placed = false;
    }
  }

  /**
   * @param toPlaces from vertices to places; otherwise back
   */
  private void move(boolean activity, boolean toPlaces) {
    int[] places = order.places();
    VertexBitmap active = frame.active;
    VertexBitmap next = frame.nextActive;
    boolean any = activity && active.members() > 0;
    team.each(
        true,
        active.summary.length,
        (member, s) -> {
          int from = s * VertexBitmap.SUMMARY_SPAN;
          int to = Math.min(active.size(), from + VertexBitmap.SUMMARY_SPAN);
          for (int c = 0; c < spare.length; c++) {
            ColumnCopy.copy(
                frame.current[c],
                1,
                toPlaces ? null : places,
                from,
                to,
                spare[c],
                toPlaces ? places : null);
          }
          if (any) {
            for (int v = from; v < to; v++) {
              if (active.contains(toPlaces ? v : places[v])) {
                next.addShared(toPlaces ? places[v] : v);
              }
            }
          }
        });
    for (int c = 0; c < spare.length; c++) {
      Object moved = spare[c];
      spare[c] = frame.current[c];
      frame.current[c] = moved;
    }
    if (any) {
      active.clearAll();
      boolean shared = frame.ran == next;
      frame.active = next;
      frame.nextActive = active;
      if (shared) {
        frame.ran = active;
      }
    }
  }
}
