package org.sparkgpugraph.graphs.model;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.codec.CompiledForm;
import org.sparkgpugraph.program.codec.FormCompiler;
import org.sparkgpugraph.program.codec.ValueForm;
import org.sparkgpugraph.program.codec.ValueForms;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * Takes values apart into columns at load and puts them together at collect. Nothing else in the
 * library touches the objects of a user's class.
 *
 * <p>Records are read through their accessors and made by their canonical constructor; other
 * classes (Scala tuples, case classes) likewise, by methods named like the fields and the
 * constructor with that many parameters. Thread-safe. Not serializable: every executor makes its
 * own from the {@link ValueType}, because only its class loaders know the user's classes.
 */
public final class ValueCodec {
  private final ValueType type;

  /** Null for values without columns, and for those that are nothing but columns. */
  private final ValueForm form;

  /** Null where values are not compiled. */
  private final CompiledForm compiled;

  private ValueCodec(ValueType type, ValueForm form) {
    this.type = type;
    this.form = form;
    this.compiled = form == null ? null : FormCompiler.compiled(type, form);
  }

  /**
   * A codec whose classes are found through the thread's context class loader (Spark's tasks set it
   * to the one that sees the user's jars).
   *
   * @throws IllegalArgumentException when a class is not found or does not fit the type
   */
  public static ValueCodec of(ValueType type) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return of(type, loader == null ? ValueCodec.class.getClassLoader() : loader);
  }

  /** A codec whose classes are found through {@code loader}. */
  public static ValueCodec of(ValueType type, ClassLoader loader) {
    boolean objects = !type.columns().isEmpty() && !(type instanceof ValueType.Row);
    return new ValueCodec(type, objects ? ValueForms.of(type, loader) : null);
  }

  /** The type that it reads and makes. */
  public ValueType type() {
    return type;
  }

  /** Kinds of the columns. */
  public List<ColumnType> kinds() {
    return type.columns();
  }

  /**
   * Reads values into columns: value {@code positions[i]} goes to row {@code rows[i]} for i in
   * {@code [from, to)}. Does nothing for an opaque type.
   *
   * @param values an array of primitives, boxes, records or {@code Object}s, or a {@link Columns}
   *     of the same kinds
   * @param positions null: the identity
   * @param rows null: the identity; a negative row is skipped
   * @param where names value i for messages
   * @throws NullValueException when a value, or a component of it, is null
   * @throws ValueMismatchException when a value is of another class
   */
  public void read(
      Object values,
      int[] positions,
      int from,
      int to,
      Columns target,
      int[] rows,
      IntFunction<String> where) {
    if (kinds().isEmpty() || from == to) {
      return;
    }
    if (values == null) {
      throw new NullValueException(where.apply(from), "", type.className());
    }
    if (values instanceof Columns columns) {
      if (!columns.kinds().equals(kinds())) {
        throw mismatch("columns of " + columns.kinds());
      }
      target.copyFrom(columns, positions, from, to, rows);
    } else if (form != null && values instanceof Object[] objects) {
      for (int i = from; i < to; i++) {
        // What the compiled code does not read is read here, or refused by name.
        i = compiled == null ? i : compiled.read(objects, positions, i, to, target.arrays(), rows);
        int row = i == to ? -1 : rows == null ? i : rows[i];
        if (row >= 0) {
          int position = positions == null ? i : positions[i];
          ValueReader.read(form, objects[position], target, row, where, i);
        }
      }
    } else if (type instanceof ValueType.Narrow narrow
        && values.getClass().getComponentType() == narrow.primitive()) {
      for (int i = from; i < to; i++) {
        int row = rows == null ? i : rows[i];
        if (row >= 0) {
          target.ints(0)[row] = narrow(values, positions == null ? i : positions[i]);
        }
      }
    } else if (type instanceof ValueType.Scalar scalar
        && values.getClass().getComponentType() == scalar.kind().primitive()) {
      ColumnCopy.copy(values, 1, positions, from, to, target.array(0), rows);
    } else {
      Class<?> component = values.getClass().getComponentType();
      throw mismatch((component == null ? values.getClass() : component).getName());
    }
  }

  /**
   * Reads the values of some edges of a block, wherever they are.
   *
   * @param from the first of them
   * @param into receives them from row 0 on
   * @throws NullValueException as {@link #read(Object, int[], int, int, Columns, int[],
   *     IntFunction)}
   * @throws ValueMismatchException likewise
   */
  public void read(EdgeBlock block, int from, int count, Columns into) {
    Object values = block.values();
    if (values instanceof Columns columns && !columns.onHeap()) {
      if (!columns.kinds().equals(kinds())) {
        throw mismatch("columns of " + columns.kinds());
      }
      for (int c = 0; c < columns.width(); c++) {
        columns.copy(c, from, count, into.array(c), 0);
      }
      return;
    }
    int[] positions = new int[count];
    Arrays.setAll(positions, i -> from + i);
    read(values, positions, 0, count, into, null, i -> block.describe(from + i));
  }

  private static int narrow(Object values, int position) {
    return values instanceof char[] characters
        ? characters[position]
        : Array.getShort(values, position);
  }

  /**
   * Values as columns, without a copy.
   *
   * @param values as those of {@link #read}
   * @param size how many of them
   * @return null where they must be read
   */
  public Columns view(Object values, int size) {
    if (values instanceof Columns columns) {
      boolean fit = columns.onHeap() && columns.kinds().equals(kinds()) && columns.length() >= size;
      return fit ? new Columns(kinds(), columns.arrays(), size) : null;
    }
    boolean fit =
        type instanceof ValueType.Scalar scalar
            && values != null
            && values.getClass().getComponentType() == scalar.kind().primitive()
            && java.lang.reflect.Array.getLength(values) >= size;
    return fit ? new Columns(kinds(), new Object[] {values}, size) : null;
  }

  private ValueMismatchException mismatch(String found) {
    return new ValueMismatchException(
        ("the graph's values are %s, the program was given %s: name the class that the"
                + " graph holds")
            .formatted(found, type.className()));
  }

  /**
   * Makes values: row {@code rows[i]} goes to slot {@code positions[i]} of {@code array} for i in
   * {@code [from, to)}.
   *
   * @param array of the kind's primitive class, or of any reference class that holds the values;
   *     {@link Columns} of a type that is nothing but columns
   * @param rows null: the identity; a negative row is skipped
   * @param positions null: the identity
   * @param carriers has in each slot the value that components without columns are taken from; null
   *     where values have none
   */
  public void write(
      Columns source,
      int[] rows,
      int from,
      int to,
      Object array,
      int[] positions,
      Object[] carriers) {
    requireColumns();
    if (carriers == null && type.hasCarried()) {
      throw new IllegalStateException(
          "components of a " + type.className() + " are carried, and nothing has them");
    }
    if (array instanceof Columns columns) {
      for (int c = 0; c < columns.width(); c++) {
        int width = columns.kinds().get(c).width();
        ColumnCopy.copy(source.array(c), width, rows, from, to, columns.array(c), positions);
      }
      return;
    }
    Class<?> component = array.getClass().getComponentType();
    if (component.isPrimitive() && type instanceof ValueType.Narrow narrow) {
      for (int i = from; i < to; i++) {
        int row = rows == null ? i : rows[i];
        if (row >= 0) {
          int slot = positions == null ? i : positions[i];
          Array.set(array, slot, ValueMaker.box(narrow.box(), source.ints(0)[row]));
        }
      }
      return;
    }
    if (component.isPrimitive()) {
      if (!(type instanceof ValueType.Scalar scalar) || scalar.kind().primitive() != component) {
        throw new IllegalArgumentException(
            "results are " + type.className() + ", not " + component + ": pass their class");
      }
      int[] sources = rows;
      ColumnCopy.copy(source.array(0), 1, sources, from, to, array, positions);
      return;
    }
    Object[] objects = (Object[]) array;
    if (compiled != null) {
      compiled.write(source.arrays(), rows, from, to, objects, positions, carriers);
      return;
    }
    for (int i = from; i < to; i++) {
      int row = rows == null ? i : rows[i];
      if (row >= 0) {
        int slot = positions == null ? i : positions[i];
        objects[slot] =
            ValueMaker.make(form, source, row, carriers == null ? null : carriers[slot]);
      }
    }
  }

  /** As {@link #write(Columns, int[], int, int, Object, int[], Object[])}, of values of columns. */
  public void write(Columns source, int[] rows, int from, int to, Object array, int[] positions) {
    write(source, rows, from, to, array, positions, null);
  }

  private void requireColumns() {
    if (kinds().isEmpty()) {
      throw new IllegalStateException("a " + type.className() + " has no columns to be made from");
    }
  }

  /** Puts one value into a row. For single values (the initial message); not on a hot path. */
  public void put(Object value, Columns target, int row) {
    if (value instanceof Columns columns) {
      target.copyFrom(columns, 0, row, 1);
    } else if (form != null) {
      ValueReader.read(form, value, target, row, i -> "row " + row, 0);
    }
  }

  /**
   * Makes the value of one row, which is no row of columns. For single values; not on a hot path.
   */
  public Object get(Columns source, int row) {
    requireColumns();
    return ValueMaker.make(form, source, row, null);
  }

  /** An empty array of the class that {@code write} fills. */
  public static Object newArray(Class<?> component, int length) {
    return Array.newInstance(component, length);
  }
}
