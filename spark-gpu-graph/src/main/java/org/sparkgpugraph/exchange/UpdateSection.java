package org.sparkgpugraph.exchange;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Varint;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Some of the updates of one boundary list as they stand in a record; see {@link UpdateCodec} for
 * the layout. Its size is computed before anything is written.
 */
final class UpdateSection {
  private static final int POSITIONS = 0;
  private static final int VALUED = 2;
  private static final int ACTIVE = 4;
  private static final int PACKED = 1 << 6;

  /** Whether a flag is the same for all updates. */
  private static final int NONE = 0;

  private static final int ALL = 1;
  private static final int SOME = 2;

  private final int list;
  private final RefinedUpdates updates;
  private final int from;
  private final int to;
  private final int firstRow;
  private final int rows;
  private final PositionCoding.Plan positions;
  private final int valued;
  private final int active;

  /** One for each column; null: all RAW, and not named for each. */
  private final List<ColumnCoding.Plan> columns;

  private final long bytes;

  /**
   * @param list number of the list
   * @param from first update
   * @param to behind the last; more than {@code from}
   * @param firstRow number of valued updates before {@code from}
   */
  UpdateSection(
      int list, RefinedUpdates updates, int from, int to, int firstRow, UpdateEncoding encoding) {
    this.list = list;
    this.updates = updates;
    this.from = from;
    this.to = to;
    this.firstRow = firstRow;
    int valuedCount = FlagBits.count(updates.valuedWords(), from, to);
    int activeCount = FlagBits.count(updates.activeWords(), from, to);
    int count = to - from;
    rows = valuedCount;
    valued = uniform(valuedCount, count);
    active = uniform(activeCount, count);
    positions = PositionCoding.of(updates.positions(), from, to);
    List<ColumnCoding.Plan> plans = encoding == UpdateEncoding.RAW ? null : plans();
    long raw = (long) updates.rowBytes() * rows;
    if (plans != null && columnBytes(plans) >= raw) {
      plans = null;
    }
    columns = plans;
    bytes =
        Varint.bytes(list)
            + Varint.bytes(count)
            + 1
            + positions.bytes()
            + flagBytes(valued, count)
            + flagBytes(active, count)
            + (columns == null ? raw : columnBytes(columns));
  }

  private static int uniform(int set, int count) {
    return set == 0 ? NONE : set == count ? ALL : SOME;
  }

  private static long flagBytes(int uniform, int count) {
    return uniform == SOME ? RecordWriter.bitBytes(count, 1) : 0;
  }

  private List<ColumnCoding.Plan> plans() {
    List<ColumnCoding.Plan> plans = new ArrayList<>();
    for (int c = 0; c < updates.kinds().size() && rows > 0; c++) {
      ColumnType type = updates.kinds().get(c);
      int width = type.width();
      Object column = updates.values().array(c);
      plans.add(ColumnCoding.of(type.kind(), column, firstRow * width, rows * width));
    }
    return plans;
  }

  private static long columnBytes(List<ColumnCoding.Plan> plans) {
    return plans.stream().mapToLong(plan -> 1 + plan.bytes()).sum();
  }

  /** Bytes that it takes. */
  long bytes() {
    return bytes;
  }

  /**
   * Most bytes that a section of {@code count} updates takes.
   *
   * @param rowBytes bytes of one value
   */
  static long mostBytes(long count, int rowBytes) {
    // List, count, layout, first position; a gap each (of 5 bytes only 15 times, since all of them
    // together are below 2^31); two bits; a value.
    return 5 + 5 + 1 + 5 + 15 + 4 * count + 2 * ((count + 7) >>> 3) + count * rowBytes;
  }

  /** Number of updates of which a section surely fits; at least 1. */
  static long fitting(long bytes, int rowBytes) {
    long fixed = mostBytes(0, rowBytes) + 2;
    return Math.max(1, (bytes - fixed) * 4 / (4 * (4L + rowBytes) + 1));
  }

  void write(RecordWriter out) {
    int count = to - from;
    out.varint(list);
    out.varint(count);
    out.u8(
        positions.coding().ordinal() << POSITIONS
            | valued << VALUED
            | active << ACTIVE
            | (columns == null ? 0 : PACKED));
    positions.coding().write(updates.positions(), from, to, out);
    if (valued == SOME) {
      FlagBits.write(updates.valuedWords(), from, count, out);
    }
    if (active == SOME) {
      FlagBits.write(updates.activeWords(), from, count, out);
    }
    for (int c = 0; c < updates.kinds().size() && rows > 0; c++) {
      writeColumn(c, out);
    }
  }

  private void writeColumn(int c, RecordWriter out) {
    ColumnType type = updates.kinds().get(c);
    Kind kind = type.kind();
    // An array's numbers stand one behind the other: a row is so many of them.
    int first = firstRow * type.width();
    int numbers = rows * type.width();
    Object column = updates.values().array(c);
    ColumnCoding.Plan plan = columns == null ? null : columns.get(c);
    if (plan != null) {
      out.u8(plan.coding().ordinal());
    }
    if (plan == null || plan.coding() == ColumnCoding.RAW) {
      ColumnCoding.writeRaw(kind, column, first, numbers, out);
    } else {
      ColumnCoding.write(plan, kind, column, first, numbers, out);
    }
  }

  /** A section that was read. */
  record Read(int list, RefinedUpdates updates) {}

  /**
   * Reads a section.
   *
   * @param most updates that the record may still have: a few bytes name any number of them
   */
  static Read read(List<ColumnType> kinds, RecordReader in, int most) {
    int list = in.varint("number of a boundary list", 0, Integer.MAX_VALUE);
    int count = in.varint("number of updates", 1, Integer.MAX_VALUE);
    if (count > most) {
      throw in.wrong(
          "%s updates of boundary list %s, but no more than %s may follow"
              .formatted(count, list, most));
    }
    int layout = in.u8();
    int coding = layout >> POSITIONS & 3;
    int valued = layout >> VALUED & 3;
    int active = layout >> ACTIVE & 3;
    if (layout >> 7 != 0 || coding == 3 || valued == 3 || active == 3) {
      throw in.wrong("layout " + layout + " of boundary list " + list);
    }
    int[] positions = PositionCoding.values()[coding].read(in, count);
    RefinedUpdates updates =
        new RefinedUpdates(kinds, positions, flags(valued, count, in), flags(active, count, in));
    int rows = updates.valuedCount();
    for (int c = 0; c < kinds.size() && rows > 0; c++) {
      int columnCoding = (layout & PACKED) == 0 ? 0 : in.u8();
      if (columnCoding >= ColumnCoding.values().length) {
        throw in.wrong("coding " + columnCoding + " of column " + c);
      }
      ColumnType type = kinds.get(c);
      Object column = updates.values().array(c);
      ColumnCoding.values()[columnCoding].read(type.kind(), column, rows * type.width(), in);
    }
    return new Read(list, updates);
  }

  private static long[] flags(int uniform, int count, RecordReader in) {
    return uniform == SOME ? FlagBits.read(count, in) : FlagBits.uniform(count, uniform == ALL);
  }
}
