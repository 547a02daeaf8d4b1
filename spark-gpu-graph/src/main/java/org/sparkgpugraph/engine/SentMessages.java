package org.sparkgpugraph.engine;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.program.LiftedProgram;

/** What hubs elsewhere have of the partial rows of a partition, where they keep what they have. */
public final class SentMessages {
  /** Rows, or updates, that a thread takes at a time: whole words of flags. */
  private static final int PIECE = 1 << 14;

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
   * @param isSent whether the row has a message now
   * @param messages the rows' messages now
   */
  public void add(int row, int position, boolean isSent, Columns messages, RefinedUpdates updates) {
    if (isSent ? had[row] && isSame(messages, row) : !had[row]) {
      return;
    }
    had[row] = isSent;
    updates.add(position, isSent, isSent);
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

  /** Finds what hubs do not have yet of all rows of a list, by several threads. */
  public final class Collector {
    private final int first;
    private final int size;
    private final boolean[] differs;

    /** By update: its position, its row or −1 where it has no value, and where its value goes. */
    private final int[] positions;

    private final int[] rows;
    private final int[] places;
    private final byte[] flags;

    /**
     * @param first the row of position 0
     * @param size number of rows
     */
    public Collector(int first, int size) {
      this.first = first;
      this.size = size;
      differs = new boolean[size];
      positions = new int[size];
      rows = new int[size];
      places = new int[size];
      flags = new byte[size];
    }

    /**
     * Makes updates of the rows whose hubs have something else.
     *
     * @param isSent by row: whether it has a message now
     * @param messages the rows' messages now
     * @param workers take a piece each
     */
    public void collect(
        boolean[] isSent, Columns messages, RefinedUpdates updates, Workers workers) {
      int pieces = pieces(size);
      int[] starts = new int[pieces + 1];
      workers.run(pieces, p -> starts[p + 1] = compare(p * PIECE, end(p, size), isSent, messages));
      Arrays.parallelPrefix(starts, Integer::sum);
      workers.run(pieces, p -> compact(p * PIECE, end(p, size), isSent, starts[p]));
      int count = starts[pieces];
      updates.begin(count);
      int written = pieces(count);
      int[] values = new int[written + 1];
      workers.run(
          written,
          p -> {
            int from = p * PIECE;
            int updated = end(p, count) - from;
            values[p + 1] =
                updates.put(
                    from,
                    IntBuffer.wrap(positions, from, updated),
                    ByteBuffer.wrap(flags, from, updated));
          });
      Arrays.parallelPrefix(values, Integer::sum);
      updates.written(values[written]);
      Columns into = updates.values();
      workers.run(written, p -> take(p * PIECE, end(p, count), values[p], messages, into));
    }

    private static int pieces(int of) {
      return (int) ((of + PIECE - 1L) / PIECE);
    }

    private static int end(int piece, int of) {
      return (int) Math.min(of, (piece + 1L) * PIECE);
    }

    /** Marks positions whose hubs have something else; returns how many. */
    private int compare(int from, int to, boolean[] isSent, Columns messages) {
      for (int i = from; i < to; i++) {
        differs[i] = isSent[first + i] != had[first + i];
      }
      for (int c = 0; c < sent.width(); c++) {
        compare(from, to, isSent, messages.array(c), sent.array(c));
      }
      int count = 0;
      for (int i = from; i < to; i++) {
        count += differs[i] ? 1 : 0;
      }
      return count;
    }

    private void compare(int from, int to, boolean[] isSent, Object now, Object before) {
      if (now instanceof double[] a) {
        double[] b = (double[]) before;
        for (int i = from, row = first + from; i < to; i++, row++) {
          differs[i] |=
              isSent[row]
                  & Double.doubleToRawLongBits(a[row]) != Double.doubleToRawLongBits(b[row]);
        }
      } else if (now instanceof float[] a) {
        float[] b = (float[]) before;
        for (int i = from, row = first + from; i < to; i++, row++) {
          differs[i] |=
              isSent[row] & Float.floatToRawIntBits(a[row]) != Float.floatToRawIntBits(b[row]);
        }
      } else {
        for (int i = from, row = first + from; i < to; i++, row++) {
          differs[i] |= isSent[row] && !isSame(now, before, row);
        }
      }
    }

    /** Moves what was marked together, from an update on. */
    private void compact(int from, int to, boolean[] isSent, int at) {
      int update = at;
      for (int i = from; i < to; i++) {
        if (differs[i]) {
          boolean valued = isSent[first + i];
          had[first + i] = valued;
          positions[update] = i;
          rows[update] = valued ? first + i : -1;
          flags[update] = (byte) (valued ? RefinedUpdates.VALUED | RefinedUpdates.ACTIVE : 0);
          update++;
        }
      }
    }

    /** Copies the values of updates, of which the first goes to a place. */
    private void take(int from, int to, int place, Columns messages, Columns into) {
      int next = place;
      for (int i = from; i < to; i++) {
        places[i] = next;
        next += rows[i] >= 0 ? 1 : 0;
      }
      for (int c = 0; c < sent.width(); c++) {
        ColumnCopy.copy(messages.array(c), 1, rows, from, to, into.array(c), places);
        ColumnCopy.copy(messages.array(c), 1, rows, from, to, sent.array(c), rows);
      }
    }
  }
}
