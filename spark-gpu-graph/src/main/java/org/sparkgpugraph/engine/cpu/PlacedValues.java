package org.sparkgpugraph.engine.cpu;

import java.util.List;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.exchange.VertexBitmap;
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
      move(
          activity,
          (column, into, from, to) -> scatter(column, order.places(), from, to, into),
          (active, next, from, to) -> {
            for (int v = from; v < to; v++) {
              if (active.contains(v)) {
                next.addShared(order.places()[v]);
              }
            }
          });
      placed = true;
    }
  }

  /** Before somebody looks. */
  void takeBack() {
    if (placed) {
      move(
          true,
          (column, into, from, to) -> gather(column, order.places(), from, to, into),
          (active, next, from, to) -> {
            for (int v = from; v < to; v++) {
              if (active.contains(order.places()[v])) {
                next.addShared(v);
              }
            }
          });
      placed = false;
    }
  }

  @FunctionalInterface
  private interface Column {
    void move(Object column, Object into, int from, int to);
  }

  @FunctionalInterface
  private interface Activity {
    void move(VertexBitmap active, VertexBitmap next, int from, int to);
  }

  private void move(boolean activity, Column column, Activity bits) {
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
            column.move(frame.current[c], spare[c], from, to);
          }
          if (any) {
            bits.move(active, next, from, to);
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

  private static void scatter(Object column, int[] places, int from, int to, Object into) {
    if (column instanceof int[] ints) {
      for (int v = from; v < to; v++) {
        ((int[]) into)[places[v]] = ints[v];
      }
    } else if (column instanceof long[] longs) {
      for (int v = from; v < to; v++) {
        ((long[]) into)[places[v]] = longs[v];
      }
    } else if (column instanceof float[] floats) {
      for (int v = from; v < to; v++) {
        ((float[]) into)[places[v]] = floats[v];
      }
    } else if (column instanceof double[] doubles) {
      for (int v = from; v < to; v++) {
        ((double[]) into)[places[v]] = doubles[v];
      }
    } else {
      for (int v = from; v < to; v++) {
        ((boolean[]) into)[places[v]] = ((boolean[]) column)[v];
      }
    }
  }

  private static void gather(Object column, int[] places, int from, int to, Object into) {
    if (column instanceof int[] ints) {
      for (int v = from; v < to; v++) {
        ((int[]) into)[v] = ints[places[v]];
      }
    } else if (column instanceof long[] longs) {
      for (int v = from; v < to; v++) {
        ((long[]) into)[v] = longs[places[v]];
      }
    } else if (column instanceof float[] floats) {
      for (int v = from; v < to; v++) {
        ((float[]) into)[v] = floats[places[v]];
      }
    } else if (column instanceof double[] doubles) {
      for (int v = from; v < to; v++) {
        ((double[]) into)[v] = doubles[places[v]];
      }
    } else {
      for (int v = from; v < to; v++) {
        ((boolean[]) into)[v] = ((boolean[]) column)[places[v]];
      }
    }
  }
}
