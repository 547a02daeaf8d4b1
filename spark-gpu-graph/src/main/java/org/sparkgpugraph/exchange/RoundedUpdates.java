package org.sparkgpugraph.exchange;

import java.util.List;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * What travels of one boundary list where floating-point values are {@linkplain Rounding rounded}:
 * values are rounded at home, and those whose rounded form is what the reader was last sent do not
 * travel. The reader's ghosts hold rounded values.
 *
 * <p>A ghost is the rounded value of its home after every exchange, whatever happened before: so a
 * run that goes on from a checkpoint, or is told an exchange again, ends with the same bits as one
 * that was not disturbed. For that, superstep 0, which readers compute without rounding, has to be
 * told like a state that was restored ({@link #tellsAll}).
 *
 * <p>Each exchange {@linkplain #begin begins}, {@linkplain #round rounds} all updates and asks what
 * {@linkplain #told travels}. Takes the list's length times the bytes of a row under {@link
 * ExchangeMode#REFINED}; the other modes tell values whether they changed or not.
 */
public final class RoundedUpdates {
  /** Values travel once more where fewer than one in so many updates would be left out. */
  private static final int WORTH_LEAVING_OUT = 16;

  private final List<ColumnType> kinds;
  private final int bits;

  /** What the reader has; null: nothing is compared. */
  private final LastSent sent;

  private final RefinedUpdates less;
  private boolean all;

  /** A bit for each update: it carries a value that the reader does not have. */
  private long[] differing = new long[1];

  /**
   * @param kinds kinds of the columns that travel
   * @param bits significant bits that are kept of floating-point numbers
   * @param size length of the list
   * @param mode what travels
   */
  public RoundedUpdates(List<ColumnType> kinds, int bits, int size, ExchangeMode mode) {
    this.kinds = List.copyOf(kinds);
    this.bits = bits;
    sent = mode == ExchangeMode.REFINED ? LastSent.ofWholeRows(kinds, size) : null;
    less = new RefinedUpdates(kinds);
  }

  /** The next updates are all of the list: its reader may hold anything. */
  public void tellsAll() {
    all = true;
  }

  /** Makes ready for {@link #round}. */
  public void begin(RefinedUpdates updates) {
    int words = (updates.count() + 63) >>> 6;
    if (differing.length < words) {
      differing = new long[words];
    }
    // So that they have room: several threads write them from now on.
    updates.values();
  }

  /**
   * Rounds the values of updates in place; several threads may round others meanwhile.
   *
   * @param updates whole rows
   * @param from the first of them, a multiple of 64
   * @param to behind the last: a multiple of 64, or the number of all
   */
  public void round(RefinedUpdates updates, int from, int to) {
    int row = updates.valuedCount(0, from);
    int end = row + updates.valuedCount(from, to);
    for (int c = 0; c < kinds.size(); c++) {
      ColumnType type = kinds.get(c);
      if (Rounding.changes(type.kind(), bits)) {
        int width = type.width();
        Rounding.apply(type.kind(), updates.values().array(c), row * width, end * width, bits);
      }
    }
    int[] positions = new int[64];
    for (int i = from; i < to && sent != null; i += 64) {
      long valued = updates.valuedWords()[i >>> 6] & -1L >>> Math.max(0, i + 64 - to);
      int count = 0;
      for (long left = valued; left != 0; left &= left - 1) {
        positions[count++] = updates.position(i + Long.numberOfTrailingZeros(left));
      }
      if (all) {
        differing[i >>> 6] = valued;
      } else {
        long rows = sent.differs(updates.values(), row, positions, count);
        sent.takeNumbers(updates.values(), row, positions, count);
        differing[i >>> 6] = count == 64 ? rows : spread(rows, valued);
      }
      row += count;
    }
  }

  /** The bits of rows where those are that the rows belong to. */
  private static long spread(long rows, long valued) {
    long bits = 0;
    int row = 0;
    for (long left = valued; left != 0; left &= left - 1) {
      bits |= (rows >>> row++ & 1) * Long.lowestOneBit(left);
    }
    return bits;
  }

  /**
   * What travels of updates that have all been rounded.
   *
   * @return valid until the next exchange; the same updates where nothing is left out
   */
  public RefinedUpdates told(RefinedUpdates updates) {
    if (sent == null) {
      return updates;
    }
    int known = updates.valuedCount() - FlagBits.count(differing, 0, updates.count());
    RefinedUpdates told = updates;
    if (known > 0 && known >= updates.count() / WORTH_LEAVING_OUT) {
      leaveOut(updates);
      told = less;
    }
    if (all) {
      sent.start(told);
    } else if (LastSent.isOfUse(kinds)) {
      sent.refine(told);
    }
    all = false;
    return told;
  }

  private void leaveOut(RefinedUpdates updates) {
    less.clear();
    int[] rows = new int[FlagBits.count(differing, 0, updates.count())];
    int row = 0;
    for (int i = 0; i < updates.count(); i++) {
      boolean isNew = (differing[i >>> 6] >>> i & 1) != 0;
      if (isNew) {
        rows[less.valuedCount()] = row;
      }
      if (isNew || updates.isActive(i)) {
        less.add(updates.position(i), isNew, updates.isActive(i));
      }
      row += updates.isValued(i) ? 1 : 0;
    }
    for (int c = 0; c < kinds.size(); c++) {
      int width = kinds.get(c).width();
      Object from = updates.values().array(c);
      ColumnCopy.copy(from, width, rows, 0, rows.length, less.values().array(c), null);
    }
  }
}
