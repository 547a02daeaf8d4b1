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

  /**
   * Of the coding of a column: the values' own, whether some elements travel, and their places'.
   */
  private static final int VALUE_CODING = 3;

  private static final int ELEMENTS = 1 << 2;
  private static final int ELEMENT_POSITIONS = 3;

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
  private final List<ColumnPlan> columns;

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
    List<ColumnPlan> plans = encoding == UpdateEncoding.RAW ? null : plans();
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

  /**
   * How a column is written.
   *
   * @param rows coding of whole rows; null where some elements travel
   * @param elements these; null where whole rows do
   */
  private record ColumnPlan(ColumnCoding.Plan rows, ElementSection elements) {
    /** With the byte that names the coding. */
    long bytes() {
      return 1 + (elements == null ? rows.bytes() : elements.bytes());
    }

    int coding() {
      return elements == null
          ? rows.coding().ordinal()
          : elements.coding().ordinal()
              | ELEMENTS
              | elements.places().ordinal() << ELEMENT_POSITIONS;
    }
  }

  private List<ColumnPlan> plans() {
    List<ColumnPlan> plans = new ArrayList<>();
    for (int c = 0; c < updates.kinds().size() && rows > 0; c++) {
      plans.add(plan(c));
    }
    return plans;
  }

  private ColumnPlan plan(int c) {
    ColumnType type = updates.kinds().get(c);
    int first = firstRow * type.width();
    int numbers = rows * type.width();
    Object column = updates.values().array(c);
    long[] bits = updates.elements(c);
    ElementSection some =
        bits == null ? null : ElementSection.of(type.kind(), column, bits, first, numbers);
    if (some != null && some.varies() && some.bytes() <= numbers / 8) {
      return new ColumnPlan(null, some);
    }
    ColumnCoding.Plan whole = ColumnCoding.of(type.kind(), column, first, numbers);
    return some != null && some.bytes() < whole.bytes()
        ? new ColumnPlan(null, some)
        : new ColumnPlan(whole, null);
  }

  private static long columnBytes(List<ColumnPlan> plans) {
    return plans.stream().mapToLong(ColumnPlan::bytes).sum();
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
    if (columns == null) {
      ColumnCoding.writeRaw(kind, column, first, numbers, out);
      return;
    }
    ColumnPlan plan = columns.get(c);
    out.u8(plan.coding());
    if (plan.elements() == null) {
      ColumnCoding.write(plan.rows(), kind, column, first, numbers, out);
    } else {
      plan.elements().write(out);
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
      readColumn(c, updates, (layout & PACKED) == 0 ? 0 : in.u8(), in);
    }
    return new Read(list, updates);
  }

  private static void readColumn(int c, RefinedUpdates updates, int coding, RecordReader in) {
    ColumnType type = updates.kinds().get(c);
    int places = coding >> ELEMENT_POSITIONS;
    boolean isWhole = (coding & ELEMENTS) == 0;
    if (places >= PositionCoding.values().length
        || isWhole && places != 0
        || !isWhole && type.width() == 1) {
      throw in.wrong("coding " + coding + " of column " + c);
    }
    ColumnCoding values = ColumnCoding.values()[coding & VALUE_CODING];
    Object column = updates.values().array(c);
    int numbers = updates.valuedCount() * type.width();
    if (isWhole) {
      values.read(type.kind(), column, numbers, in);
    } else {
      PositionCoding positions = PositionCoding.values()[places];
      updates.elements(c, ElementSection.read(positions, values, type.kind(), column, numbers, in));
    }
  }

  private static long[] flags(int uniform, int count, RecordReader in) {
    return uniform == SOME ? FlagBits.read(count, in) : FlagBits.uniform(count, uniform == ALL);
  }
}
