package org.sparkgpugraph.exchange;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * What the reader of a boundary list in another executor graph has: the arrays that it was last
 * sent, by position, so that of an array only the elements travel whose bits differ from those.
 *
 * <p>The reader needs no such copy, its ghosts are one: nothing else writes them. Both begin with
 * the values of superstep 0, which home and reader compute from the same inputs ({@link #start}).
 * Each exchange tells what differs then and replaces it here ({@link #refine}), whatever happened
 * in between: one superstep, or several in place. Records that a task sends once more are the same
 * records, and to write the same elements twice changes nothing. After a restore, when ghosts may
 * hold anything, whole rows of the whole list are told ({@link #start} again).
 *
 * <p>Takes the list's length times the bytes of the arrays in a row. Not thread-safe.
 */
public final class LastSent {
  /** Numbers that are compared at a time: a word of bits. */
  private static final int WORD = 64;

  private final List<ColumnType> kinds;

  /** By column; null: numbers that are told whenever their row is. */
  private final Object[] sent;

  /** Used again by every exchange. */
  private final long[][] bits;

  /**
   * @param kinds kinds of the columns that travel
   * @param size length of the list
   */
  public LastSent(List<ColumnType> kinds, int size) {
    this(kinds, size, false);
  }

  private LastSent(List<ColumnType> kinds, int size, boolean wholeRows) {
    this.kinds = List.copyOf(kinds);
    sent = new Object[kinds.size()];
    bits = new long[kinds.size()][];
    for (int c = 0; c < sent.length; c++) {
      if (wholeRows || isCompared(kinds.get(c))) {
        sent[c] = Columns.newArray(kinds.get(c), size);
        bits[c] = new long[0];
      }
    }
  }

  /**
   * Keeps numbers, too, so that it can be said of whole rows whether the reader has them: {@link
   * #differs}, and {@link #takeNumbers} if so.
   */
  static LastSent ofWholeRows(List<ColumnType> kinds, int size) {
    return new LastSent(kinds, size, true);
  }

  /** Whether it is worth knowing what was sent: some rows have several numbers. */
  public static boolean isOfUse(List<ColumnType> kinds) {
    return kinds.stream().anyMatch(LastSent::isCompared);
  }

  private static boolean isCompared(ColumnType type) {
    return type.width() > 1;
  }

  /** Bytes that this takes for each position of a list. */
  public static int bytes(List<ColumnType> kinds) {
    return kinds.stream().filter(LastSent::isCompared).mapToInt(ColumnType::bytes).sum();
  }

  /**
   * Takes over what the reader has from now on.
   *
   * @param all whole rows of all of the list
   */
  public void start(RefinedUpdates all) {
    int[] positions = all.valuedPlaces(position -> position);
    for (int c = 0; c < sent.length; c++) {
      if (sent[c] != null) {
        int width = kinds.get(c).width();
        ColumnCopy.scatter(all.values().array(c), width, 0, positions.length, sent[c], positions);
      }
    }
  }

  /**
   * Finds out which elements of arrays the reader does not have yet; from now on it has them.
   *
   * @param updates whole rows; says afterwards which {@linkplain RefinedUpdates#elements(int)
   *     elements} travel
   */
  public void refine(RefinedUpdates updates) {
    refine(updates, (rows, compare) -> compare.accept(0, rows));
  }

  /** As above, by several threads. */
  public void refine(RefinedUpdates updates, Workers workers) {
    // Chunks begin at multiples of 64 rows: no word of bits is of two of them.
    refine(updates, workers::forEachChunk);
  }

  /** Who compares rows: all at once, or chunks of them. */
  private interface Rows {
    void compare(int rows, Workers.Chunk compare);
  }

  private void refine(RefinedUpdates updates, Rows how) {
    int[] positions = updates.valuedPlaces(position -> position);
    for (int c = 0; c < sent.length; c++) {
      if (isCompared(kinds.get(c))) {
        int column = c;
        Object now = updates.values().array(c);
        clear(c, positions.length);
        how.compare(positions.length, (from, to) -> refine(column, now, positions, from, to));
        updates.elements(c, bits[c]);
      }
    }
  }

  /**
   * Which rows the reader does not have.
   *
   * @param values rows
   * @param first the first of them that is asked about
   * @param positions of each; the first {@code count}
   * @param count at most 64
   * @return a bit for each
   */
  long differs(Columns values, int first, int[] positions, int count) {
    long rows = 0;
    for (int c = 0; c < sent.length; c++) {
      Object now = values.array(c);
      if (isCompared(kinds.get(c))) {
        int width = kinds.get(c).width();
        for (int row = 0; row < count; row++) {
          boolean differs =
              differ(now, (first + row) * width, sent[c], positions[row] * width, width);
          rows |= (differs ? 1L : 0L) << row;
        }
      } else {
        rows |= differing(now, first, sent[c], positions, count);
      }
    }
    return rows;
  }

  private static boolean differ(Object now, int from, Object sent, int to, int count) {
    for (int i = 0; i < count; i += WORD) {
      if (differing(now, from + i, sent, to + i, Math.min(WORD, count - i)) != 0) {
        return true;
      }
    }
    return false;
  }

  /** A bit for each of up to 64 numbers, of which the reader has those of some positions. */
  private static long differing(Object now, int first, Object sent, int[] positions, int count) {
    long bits = 0;
    if (now instanceof double[] a) {
      double[] b = (double[]) sent;
      for (int i = 0; i < count; i++) {
        long x = Double.doubleToRawLongBits(a[first + i]);
        bits |= (x != Double.doubleToRawLongBits(b[positions[i]]) ? 1L : 0L) << i;
      }
    } else if (now instanceof float[] a) {
      float[] b = (float[]) sent;
      for (int i = 0; i < count; i++) {
        int x = Float.floatToRawIntBits(a[first + i]);
        bits |= (x != Float.floatToRawIntBits(b[positions[i]]) ? 1L : 0L) << i;
      }
    } else {
      for (int i = 0; i < count; i++) {
        bits |= differing(now, first + i, sent, positions[i], 1) << i;
      }
    }
    return bits;
  }

  /** Takes over the numbers of rows, see {@link #differs}; of their arrays {@link #refine} does. */
  void takeNumbers(Columns values, int first, int[] positions, int count) {
    for (int c = 0; c < sent.length; c++) {
      if (!isCompared(kinds.get(c))) {
        ColumnCopy.scatter(values.array(c), 1, first, count, sent[c], positions);
      }
    }
  }

  private void clear(int c, int rows) {
    int words = ElementBits.words((long) rows * kinds.get(c).width());
    if (bits[c].length < words) {
      bits[c] = new long[words];
    } else {
      Arrays.fill(bits[c], 0, words, 0);
    }
  }

  /** Compares some rows. */
  private void refine(int c, Object now, int[] positions, int firstRow, int endRow) {
    int width = kinds.get(c).width();
    for (int row = firstRow; row < endRow; row++) {
      int from = row * width;
      int to = positions[row] * width;
      for (int i = 0; i < width; i += WORD) {
        int some = Math.min(WORD, width - i);
        long differing = differing(now, from + i, sent[c], to + i, some);
        if (differing != 0) {
          set(bits[c], from + i, some, differing);
          System.arraycopy(now, from + i, sent[c], to + i, some);
        }
      }
    }
  }

  /** Sets bits from one on. */
  private static void set(long[] words, int first, int count, long bits) {
    int word = first >>> 6;
    words[word] |= bits << first;
    if ((first & 63) + count > WORD) {
      words[word + 1] |= bits >>> -first;
    }
  }

  /** A bit for each of up to 64 numbers: whether their bits differ. */
  private static long differing(Object now, int from, Object sent, int to, int count) {
    if (now instanceof float[] a) {
      return differing(a, from, (float[]) sent, to, count);
    } else if (now instanceof double[] a) {
      return differing(a, from, (double[]) sent, to, count);
    } else if (now instanceof int[] a) {
      return differing(a, from, (int[]) sent, to, count);
    } else if (now instanceof long[] a) {
      return differing(a, from, (long[]) sent, to, count);
    } else {
      return differing((boolean[]) now, from, (boolean[]) sent, to, count);
    }
  }

  private static long differing(float[] a, int from, float[] b, int to, int count) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      int x = Float.floatToRawIntBits(a[from + i]);
      bits |= (x != Float.floatToRawIntBits(b[to + i]) ? 1L : 0L) << i;
    }
    return bits;
  }

  private static long differing(double[] a, int from, double[] b, int to, int count) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      long x = Double.doubleToRawLongBits(a[from + i]);
      bits |= (x != Double.doubleToRawLongBits(b[to + i]) ? 1L : 0L) << i;
    }
    return bits;
  }

  private static long differing(int[] a, int from, int[] b, int to, int count) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= (a[from + i] != b[to + i] ? 1L : 0L) << i;
    }
    return bits;
  }

  private static long differing(long[] a, int from, long[] b, int to, int count) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= (a[from + i] != b[to + i] ? 1L : 0L) << i;
    }
    return bits;
  }

  private static long differing(boolean[] a, int from, boolean[] b, int to, int count) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= (a[from + i] != b[to + i] ? 1L : 0L) << i;
    }
    return bits;
  }
}
