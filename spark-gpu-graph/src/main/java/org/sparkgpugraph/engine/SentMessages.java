package org.sparkgpugraph.engine;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.LiftedProgram;

/** What hubs elsewhere have of the partial rows of a partition, where they keep what they have. */
public final class SentMessages {
  private final boolean[] had;
  private final Columns sent;

  /** Nothing yet, of so many rows. */
  public SentMessages(LiftedProgram program, int rows) {
    had = new boolean[rows];
    sent = Columns.allocate(program.message().columns(), rows);
  }

  /** Hubs have nothing. */
  public void restart() {
    Arrays.fill(had, false);
  }

  /**
   * Adds a row to updates if its hub has something else; {@link #pack} has to follow.
   *
   * @param position the row's position in the updates
   * @param told whether the row has a message now
   * @param messages the rows' messages now
   */
  public void tell(int row, int position, boolean told, Columns messages, RefinedUpdates updates) {
    if (told ? had[row] && isSame(messages, row) : !had[row]) {
      return;
    }
    had[row] = told;
    updates.add(position, told, told);
  }

  /**
   * Writes the messages of rows that were added.
   *
   * @param first the row of position 0
   */
  public void pack(int first, Columns messages, RefinedUpdates updates) {
    int[] columns = IntStream.range(0, sent.width()).toArray();
    updates.pack(messages.arrays(), columns, position -> first + position);
    updates.applyValues(sent.arrays(), columns, position -> first + position);
  }

  private boolean isSame(Columns messages, int row) {
    for (int c = 0; c < sent.width(); c++) {
      if (!isSame(messages.array(c), sent.array(c), row)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(Object now, Object before, int row) {
    if (now instanceof double[] a) {
      return Double.doubleToRawLongBits(a[row])
          == Double.doubleToRawLongBits(((double[]) before)[row]);
    } else if (now instanceof float[] a) {
      return Float.floatToRawIntBits(a[row]) == Float.floatToRawIntBits(((float[]) before)[row]);
    } else if (now instanceof int[] a) {
      return a[row] == ((int[]) before)[row];
    } else if (now instanceof long[] a) {
      return a[row] == ((long[]) before)[row];
    }
    return ((boolean[]) now)[row] == ((boolean[]) before)[row];
  }
}
