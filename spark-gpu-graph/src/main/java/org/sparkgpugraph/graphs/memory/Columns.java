package org.sparkgpugraph.graphs.memory;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A table of primitive columns of one length: vertex values, edge values, messages. Column i is a
 * {@code boolean[]}, {@code int[]}, {@code long[]}, {@code float[]} or {@code double[]}, by its
 * kind.
 */
public final class Columns implements Serializable {
  private static final long serialVersionUID = 1L;

  // An array because Kryo cannot serialise the JDK's immutable lists.
  private final Kind[] kinds;
  private volatile Object[] arrays;
  private final int length;
  // What devices know columns by that the host makes when it needs them; null: it has them.
  private final transient LaterArray[] later;
  private final transient Supplier<Columns> some;

  /**
   * Wraps arrays; they are not copied.
   *
   * @throws IllegalArgumentException when an array's class does not fit its kind, or it is too
   *     short
   */
  public Columns(List<Kind> kinds, Object[] arrays, int length) {
    if (kinds.size() != arrays.length) {
      throw new IllegalArgumentException(kinds.size() + " kinds, " + arrays.length + " arrays");
    }
    for (int i = 0; i < arrays.length; i++) {
      if (arrays[i].getClass().getComponentType() != kinds.get(i).primitive()) {
        throw new IllegalArgumentException(
            "column " + i + " is a " + arrays[i].getClass() + ", not " + kinds.get(i));
      }
      if (java.lang.reflect.Array.getLength(arrays[i]) < length) {
        throw new IllegalArgumentException("column " + i + " is shorter than " + length);
      }
    }
    this.kinds = kinds.toArray(new Kind[0]);
    this.arrays = arrays;
    this.length = length;
    later = null;
    some = null;
  }

  private Columns(List<Kind> kinds, int length, Supplier<Columns> host, Supplier<Columns> some) {
    this.kinds = kinds.toArray(new Kind[0]);
    this.length = length;
    this.some = some;
    later = new LaterArray[kinds.size()];
    for (int c = 0; c < later.length; c++) {
      int column = c;
      later[c] = new LaterArray(length, kinds.get(c), () -> host.get().array(column));
    }
  }

  /**
   * Columns that the host makes when somebody there first reads them.
   *
   * @param host makes them, or gives what it has made
   * @param some gives some of their rows, for {@link #sample}
   */
  public static Columns later(
      List<Kind> kinds, int length, Supplier<Columns> host, Supplier<Columns> some) {
    return new Columns(kinds, length, host, some);
  }

  /** All rows or some, in any order: what the host has. */
  public Columns sample() {
    return arrays == null ? some.get() : this;
  }

  /** Allocates zeroed columns. */
  public static Columns allocate(List<Kind> kinds, int length) {
    Object[] arrays = new Object[kinds.size()];
    for (int i = 0; i < arrays.length; i++) {
      arrays[i] = java.lang.reflect.Array.newInstance(kinds.get(i).primitive(), length);
    }
    return new Columns(kinds, arrays, length);
  }

  public List<Kind> kinds() {
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

  /** The array of one column, not a copy. */
  public Object array(int column) {
    return arrays()[column];
  }

  /** The arrays of all columns, not a copy. */
  public Object[] arrays() {
    Object[] made = arrays;
    if (made == null) {
      made = Arrays.stream(later).map(LaterArray::array).toArray();
      arrays = made;
    }
    return made;
  }

  /**
   * What copies of a column on devices are known by: its array, or a {@link LaterArray}; the same
   * object every time.
   */
  public Object key(int column) {
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

  /** One cell, boxed. For tests, messages and single values; never on a hot path. */
  public Object get(int column, int row) {
    return java.lang.reflect.Array.get(arrays()[column], row);
  }

  /** Sets one cell from a box. For tests and single values; never on a hot path. */
  public void set(int column, int row, Object value) {
    java.lang.reflect.Array.set(arrays()[column], row, value);
  }

  /** Fills rows {@code [from, to)} of every column with the given boxes. */
  public void fill(int from, int to, Object[] row) {
    for (int c = 0; c < kinds.length; c++) {
      switch (kinds[c]) {
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
      System.arraycopy(source.array(c), sourceRow, array(c), row, count);
    }
  }

  /**
   * Copies scattered rows between tables of the same kinds: row {@code positions[i]} to row {@code
   * rows[i]} for i in {@code [first, end)}; see {@link ColumnCopy#copy}.
   */
  public void copyFrom(Columns source, int[] positions, int first, int end, int[] rows) {
    for (int c = 0; c < source.width(); c++) {
      ColumnCopy.copy(source.array(c), positions, first, end, array(c), rows);
    }
  }

  /** Bytes that the rows take. */
  public long bytes() {
    return Arrays.stream(kinds).mapToLong(Kind::bytes).sum() * length;
  }

  /** Bytes that so many rows of some kinds take. */
  public static long bytes(List<Kind> kinds, long length) {
    return kinds.stream().mapToLong(Kind::bytes).sum() * length;
  }
}
