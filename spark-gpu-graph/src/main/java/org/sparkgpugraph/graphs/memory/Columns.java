package org.sparkgpugraph.graphs.memory;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * A table of columns of one length: vertex values, edge values, messages. Column i is a {@code
 * boolean[]}, {@code int[]}, {@code long[]}, {@code float[]} or {@code double[]}, by its kind; one
 * of arrays has the elements of a row side by side, and the rows one behind the other.
 *
 * <p>Edge values may be {@linkplain #allocate(EdgeMemory, List, int) off the heap}: then they are
 * copied to it, some rows at a time.
 */
public final class Columns implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The longest array that every JVM makes. */
  private static final int MOST_NUMBERS = Integer.MAX_VALUE - 8;

  /** Rows that {@link #sample} takes of columns off the heap. */
  private static final int SAMPLED = 1 << 16;

  // An array because Kryo cannot serialise the JDK's immutable lists.
  private final ColumnType[] kinds;
  private volatile Object[] arrays;
  private final int length;
  // What devices know columns by that the host makes when it needs them; null: it has them.
  private final transient LaterArray[] later;
  private final transient Supplier<Columns> some;
  // Columns off the heap; null: they are on it.
  private final transient OffHeapArray[] away;
  // Which row of these is the first.
  private final transient int firstAway;

  /**
   * Wraps arrays; they are not copied.
   *
   * @throws IllegalArgumentException when an array's class does not fit its kind, or it is too
   *     short
   */
  public Columns(List<? extends ColumnType> kinds, Object[] arrays, int length) {
    if (kinds.size() != arrays.length) {
      throw new IllegalArgumentException(kinds.size() + " kinds, " + arrays.length + " arrays");
    }
    for (int i = 0; i < arrays.length; i++) {
      if (arrays[i].getClass().getComponentType() != kinds.get(i).kind().primitive()) {
        throw new IllegalArgumentException(
            "column " + i + " is a " + arrays[i].getClass() + ", not " + kinds.get(i));
      }
      if (java.lang.reflect.Array.getLength(arrays[i]) < (long) length * kinds.get(i).width()) {
        throw new IllegalArgumentException("column " + i + " is shorter than " + length);
      }
    }
    this.kinds = kinds.toArray(new ColumnType[0]);
    this.arrays = arrays;
    this.length = length;
    later = null;
    some = null;
    away = null;
    firstAway = 0;
  }

  private Columns(ColumnType[] kinds, int length, OffHeapArray[] away, int firstAway) {
    this.kinds = kinds;
    this.length = length;
    this.away = away;
    this.firstAway = firstAway;
    later = null;
    some = null;
  }

  private Columns(
      List<ColumnType> kinds, int length, Supplier<Columns> host, Supplier<Columns> some) {
    this.kinds = kinds.toArray(new ColumnType[0]);
    this.length = length;
    this.some = some;
    away = null;
    firstAway = 0;
    later = new LaterArray[kinds.size()];
    for (int c = 0; c < later.length; c++) {
      int column = c;
      int size = numbers(kinds.get(c), length);
      later[c] = new LaterArray(size, kinds.get(c).kind(), () -> host.get().array(column));
    }
  }

  /**
   * Columns that the host makes when somebody there first reads them.
   *
   * @param host makes them, or gives what it has made
   * @param some gives some of their rows, for {@link #sample}
   */
  public static Columns later(
      List<ColumnType> kinds, int length, Supplier<Columns> host, Supplier<Columns> some) {
    return new Columns(kinds, length, host, some);
  }

  /**
   * Allocates columns off the heap; what is in them until it is put nobody knows.
   *
   * @throws OffHeapMemoryException when there is not that much
   */
  public static Columns allocate(EdgeMemory memory, List<? extends ColumnType> kinds, int length) {
    ColumnType[] types = kinds.toArray(new ColumnType[0]);
    OffHeapArray[] away = new OffHeapArray[types.length];
    for (int c = 0; c < away.length; c++) {
      away[c] = memory.allocate(types[c].kind(), numbers(types[c], length));
    }
    return new Columns(types, length, away, 0);
  }

  /**
   * Some rows of columns off the heap, not a copy. Devices know these by all their rows: it is for
   * who {@linkplain #copy copies}.
   */
  public Columns awayRows(int first, int count) {
    return new Columns(kinds, count, away, firstAway + first);
  }

  /**
   * Puts rows of columns on the heap into these, wherever these are.
   *
   * @param row where the first goes
   * @param from of the same kinds
   * @param at the first of them
   */
  public void put(int row, Columns from, int at, int count) {
    for (int c = 0; c < kinds.length; c++) {
      int width = kinds[c].width();
      if (away == null) {
        System.arraycopy(from.array(c), at * width, array(c), row * width, count * width);
      } else {
        away[c].put((firstAway + row) * width, from.array(c), at * width, count * width);
      }
    }
  }

  /** Nothing will be put any more; see {@link OffHeapArray#seal}. */
  public void seal() {
    if (away != null) {
      Arrays.stream(away).forEach(OffHeapArray::seal);
    }
  }

  /** Whether the columns are on the heap, or will be there: {@link #arrays} gives them. */
  public boolean onHeap() {
    return away == null;
  }

  /**
   * Copies rows of a column, wherever it is.
   *
   * @param row the first of them
   * @param into an array of the column's kind
   * @param at the row of it where the first goes
   */
  public void copy(int column, int row, int count, Object into, int at) {
    int width = kinds[column].width();
    if (away == null) {
      System.arraycopy(array(column), row * width, into, at * width, count * width);
    } else {
      away[column].get((firstAway + row) * width, into, at * width, count * width);
    }
  }

  /**
   * Where rows of a column of numbers are in memory, as {@link OffHeapArray#address}; 0 also where
   * the columns are on the heap.
   */
  public long address(int column, int row, int count) {
    return away == null ? 0 : away[column].address(firstAway + row, count);
  }

  /** All rows or some, in any order: what the host has on its heap. */
  public Columns sample() {
    if (away != null) {
      Columns first = allocate(kinds(), Math.min(length, SAMPLED));
      for (int c = 0; c < kinds.length; c++) {
        copy(c, 0, first.length, first.array(c), 0);
      }
      return first;
    }
    return arrays == null ? some.get() : this;
  }

  /**
   * Allocates zeroed columns.
   *
   * @throws IllegalArgumentException when rows of arrays are more than one array of the JVM holds
   */
  public static Columns allocate(List<? extends ColumnType> kinds, int length) {
    Object[] arrays = new Object[kinds.size()];
    for (int i = 0; i < arrays.length; i++) {
      arrays[i] = newArray(kinds.get(i), length);
    }
    return new Columns(kinds, arrays, length);
  }

  /**
   * The array of a column.
   *
   * @throws IllegalArgumentException as {@link #allocate}
   */
  public static Object newArray(ColumnType type, int length) {
    return java.lang.reflect.Array.newInstance(type.kind().primitive(), numbers(type, length));
  }

  /** Numbers in so many rows of a column. */
  private static int numbers(ColumnType type, int length) {
    long numbers = (long) type.width() * length;
    if (numbers > MOST_NUMBERS) {
      throw new IllegalArgumentException(
          "%,d rows of %s are more than one array of the JVM holds: use more executors, or shorter"
                  .formatted(length, type)
              + " arrays");
    }
    return (int) numbers;
  }

  public List<ColumnType> kinds() {
    return List.of(kinds);
  }

  /** Number of columns. */
  public int width() {
    return kinds.length;
  }

  /** Number of rows. */
  public int length() {
    return length;
  }

  /**
   * The array of one column, not a copy.
   *
   * @throws OffHeapMemoryException when the columns are off the heap
   */
  public Object array(int column) {
    return arrays()[column];
  }

  /**
   * The arrays of all columns, not a copy.
   *
   * @throws OffHeapMemoryException when the columns are off the heap
   */
  public Object[] arrays() {
    if (away != null) {
      throw new OffHeapMemoryException(
          ("the values of %,d edges are off the heap, and this needs them on it: give executors more"
                  + " memory, or spread the graph over more of them, and load it with"
                  + " spark.gpugraph.memory.edges = heap")
              .formatted(length));
    }
    Object[] made = arrays;
    if (made == null) {
      made = Arrays.stream(later).map(LaterArray::array).toArray();
      arrays = made;
    }
    return made;
  }

  /**
   * What copies of a column on devices are known by: its array, a {@link LaterArray} or an {@link
   * OffHeapArray}; the same object every time.
   */
  public Object key(int column) {
    if (away != null) {
      return away[column];
    }
    return later == null ? arrays[column] : later[column];
  }

  public boolean[] booleans(int column) {
    return (boolean[]) arrays()[column];
  }

  public int[] ints(int column) {
    return (int[]) arrays()[column];
  }

  public long[] longs(int column) {
    return (long[]) arrays()[column];
  }

  public float[] floats(int column) {
    return (float[]) arrays()[column];
  }

  public double[] doubles(int column) {
    return (double[]) arrays()[column];
  }

  /**
   * One cell: a box, or a new array. For tests, messages and single values; never on a hot path.
   */
  public Object get(int column, int row) {
    if (!kinds[column].isArray()) {
      return java.lang.reflect.Array.get(arrays()[column], row);
    }
    int width = kinds[column].width();
    Object cell = newArray(kinds[column], 1);
    System.arraycopy(arrays()[column], row * width, cell, 0, width);
    return cell;
  }

  /** Sets one cell to a box, or an array. For tests and single values; never on a hot path. */
  public void set(int column, int row, Object value) {
    if (kinds[column].isArray()) {
      int width = kinds[column].width();
      System.arraycopy(value, 0, arrays()[column], row * width, width);
    } else {
      java.lang.reflect.Array.set(arrays()[column], row, value);
    }
  }

  /** Fills rows {@code [from, to)} of every column with the given boxes and arrays. */
  public void fill(int from, int to, Object[] row) {
    for (int c = 0; c < kinds.length; c++) {
      if (kinds[c].isArray()) {
        for (int i = from; i < to; i++) {
          set(c, i, row[c]);
        }
        continue;
      }
      switch (kinds[c].kind()) {
        case BOOLEAN -> Arrays.fill(booleans(c), from, to, (Boolean) row[c]);
        case INT -> Arrays.fill(ints(c), from, to, (Integer) row[c]);
        case LONG -> Arrays.fill(longs(c), from, to, (Long) row[c]);
        case FLOAT -> Arrays.fill(floats(c), from, to, (Float) row[c]);
        case DOUBLE -> Arrays.fill(doubles(c), from, to, (Double) row[c]);
      }
    }
  }

  /** Copies rows between tables of the same kinds. */
  public void copyFrom(Columns source, int sourceRow, int row, int count) {
    for (int c = 0; c < kinds.length; c++) {
      source.copy(c, sourceRow, count, array(c), row);
    }
  }

  /**
   * Copies scattered rows between tables of the same kinds: row {@code positions[i]} to row {@code
   * rows[i]} for i in {@code [first, end)}; see {@link ColumnCopy#copy}.
   */
  public void copyFrom(Columns source, int[] positions, int first, int end, int[] rows) {
    for (int c = 0; c < source.width(); c++) {
      ColumnCopy.copy(source.array(c), kinds[c].width(), positions, first, end, array(c), rows);
    }
  }

  /** Bytes that the rows take on the heap. */
  public long bytes() {
    return away != null ? 0 : Arrays.stream(kinds).mapToLong(ColumnType::bytes).sum() * length;
  }

  /** Rows off the heap cannot be read any more, as {@link OffHeapArray#failed}. */
  public void failed() {
    if (away != null) {
      Arrays.stream(away).forEach(OffHeapArray::failed);
    }
  }

  /**
   * Bytes that the columns take off the heap.
   *
   * @param mapped of those in mapped files alone
   */
  public long awayBytes(boolean mapped) {
    return away == null
        ? 0
        : Arrays.stream(away)
            .filter(array -> !mapped || array.isMapped())
            .mapToLong(OffHeapArray::bytes)
            .sum();
  }

  /** Bytes that so many rows of some kinds take. */
  public static long bytes(List<? extends ColumnType> kinds, long length) {
    return kinds.stream().mapToLong(ColumnType::bytes).sum() * length;
  }
}
