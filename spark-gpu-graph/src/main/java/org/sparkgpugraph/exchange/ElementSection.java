package org.sparkgpugraph.exchange;

import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Varint;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Some elements of a section's arrays, side by side, and which they are; see {@link UpdateCodec}
 * for the layout. The number of an element is its place among all numbers of the section's rows.
 */
final class ElementSection {
  /** Of more elements than this many sixteenths whole rows are smaller, or nearly so. */
  private static final int MOST_SIXTEENTHS = 15;

  private final int[] places;

  /** Null where there are none. */
  private final PositionCoding.Plan positions;

  private final Kind kind;
  private final Object values;
  private final ColumnCoding.Plan plan;

  private ElementSection(Kind kind, int[] places, Object values) {
    this.kind = kind;
    this.places = places;
    this.values = values;
    boolean none = places.length == 0;
    positions = none ? null : PositionCoding.of(places, 0, places.length);
    plan = none ? null : ColumnCoding.of(kind, values, 0, places.length);
  }

  /**
   * The elements that travel.
   *
   * @param words a bit for each number of all rows
   * @param first of the section's numbers
   * @param numbers how many it has
   * @return null: so many that whole rows had better be told
   */
  static ElementSection of(Kind kind, Object column, long[] words, int first, int numbers) {
    int count = FlagBits.count(words, first, first + numbers);
    if (count > (long) numbers * MOST_SIXTEENTHS / 16) {
      return null;
    }
    int[] places = ElementBits.places(words, first, first + numbers, count);
    Object values = Columns.newArray(kind, count);
    int[] from = new int[count];
    for (int i = 0; i < count; i++) {
      from[i] = first + places[i];
    }
    ColumnCopy.copy(column, 1, from, 0, count, values, null);
    return new ElementSection(kind, places, values);
  }

  /**
   * Whether some values surely differ, so that whole rows take a bit for each number at least: four
   * equal ones are BITS of no width.
   */
  boolean varies() {
    return places.length >= 4 && (plan.coding() != ColumnCoding.BITS || plan.width() > 0);
  }

  /** The coding of the values. */
  ColumnCoding coding() {
    return plan == null ? ColumnCoding.RAW : plan.coding();
  }

  /** The coding of the places. */
  PositionCoding places() {
    return positions == null ? PositionCoding.RANGE : positions.coding();
  }

  /** Bytes of number, places and values. */
  long bytes() {
    long count = Varint.bytes(places.length);
    return positions == null ? count : count + positions.bytes() + plan.bytes();
  }

  /** Writes number, places and values. */
  void write(RecordWriter out) {
    out.varint(places.length);
    if (positions != null) {
      positions.coding().write(places, 0, places.length, out);
      ColumnCoding.write(plan, kind, values, 0, places.length, out);
    }
  }

  /**
   * Reads some elements of the first rows of a column.
   *
   * @param numbers how many they have
   * @return which were read
   */
  static long[] read(
      PositionCoding places,
      ColumnCoding coding,
      Kind kind,
      Object column,
      int numbers,
      RecordReader in) {
    int count = in.varint("number of elements", 0, numbers);
    if (count == 0) {
      return new long[ElementBits.words(numbers)];
    }
    int[] read = places.read(in, count);
    if (read[count - 1] >= numbers) {
      throw in.wrong("element " + read[count - 1] + " of " + numbers);
    }
    Object values = Columns.newArray(kind, count);
    coding.read(kind, values, count, in);
    ColumnCopy.scatter(values, 1, 0, count, column, read);
    return ElementBits.of(read, numbers);
  }
}
