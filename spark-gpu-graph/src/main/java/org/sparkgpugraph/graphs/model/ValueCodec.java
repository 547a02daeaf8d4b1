package org.sparkgpugraph.graphs.model;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.IntFunction;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

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
  private final Node root;

  private ValueCodec(ValueType type, Node root) {
    this.type = type;
    this.root = root;
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
    return new ValueCodec(
        type, type instanceof ValueType.Opaque ? null : node(type, null, loader, new int[1], ""));
  }

  /** The type that it reads and makes. */
  public ValueType type() {
    return type;
  }

  /** Kinds of the columns. */
  public List<Kind> kinds() {
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
    if (root == null || from == to) {
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
    } else if (values instanceof Object[] objects) {
      for (int i = from; i < to; i++) {
        int row = rows == null ? i : rows[i];
        if (row >= 0) {
          int position = positions == null ? i : positions[i];
          root.read(objects[position], target, row, where, i);
        }
      }
    } else if (type instanceof ValueType.Scalar scalar
        && values.getClass().getComponentType() == scalar.kind().primitive()) {
      ColumnCopy.copy(values, positions, from, to, target.array(0), rows);
    } else {
      throw mismatch(values.getClass().getComponentType().getName());
    }
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
      boolean fit = columns.kinds().equals(kinds()) && columns.length() >= size;
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
   * @param array of the kind's primitive class, or of any reference class that holds the values
   * @param rows null: the identity; a negative row is skipped
   * @param positions null: the identity
   */
  public void write(Columns source, int[] rows, int from, int to, Object array, int[] positions) {
    if (root == null) {
      throw new IllegalStateException("a " + type.className() + " has no columns to be made from");
    }
    Class<?> component = array.getClass().getComponentType();
    if (component.isPrimitive()) {
      if (!(type instanceof ValueType.Scalar scalar) || scalar.kind().primitive() != component) {
        throw new IllegalArgumentException(
            "results are " + type.className() + ", not " + component + ": pass their class");
      }
      int[] sources = rows;
      ColumnCopy.copy(source.array(0), sources, from, to, array, positions);
      return;
    }
    Object[] objects = (Object[]) array;
    for (int i = from; i < to; i++) {
      int row = rows == null ? i : rows[i];
      if (row >= 0) {
        objects[positions == null ? i : positions[i]] = root.make(source, row);
      }
    }
  }

  /** Puts one value into a row. For single values (the initial message); not on a hot path. */
  public void put(Object value, Columns target, int row) {
    if (root != null) {
      root.read(value, target, row, i -> "row " + row, 0);
    }
  }

  /** Makes the value of one row. For single values; not on a hot path. */
  public Object get(Columns source, int row) {
    if (root == null) {
      throw new IllegalStateException("a " + type.className() + " has no columns to be made from");
    }
    return root.make(source, row);
  }

  private static Node node(
      ValueType type, Class<?> declared, ClassLoader loader, int[] nextColumn, String path) {
    if (type instanceof ValueType.Scalar scalar) {
      return new Leaf(scalar.kind(), nextColumn[0]++, path);
    }
    if (type instanceof ValueType.Vector vector) {
      Leaf[] elements = new Leaf[vector.length()];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = new Leaf(vector.kind(), nextColumn[0]++, path + "[" + i + "]");
      }
      return new VectorNode(vector, elements, path);
    }
    if (type instanceof ValueType.Struct struct) {
      Class<?> owner =
          declared != null && declared.getName().equals(struct.className())
              ? declared
              : load(struct.className(), loader);
      return new StructNode(owner, struct, loader, nextColumn, path);
    }
    throw new IllegalArgumentException(
        type.className() + " cannot be taken apart" + (path.isEmpty() ? "" : " (" + path + ")"));
  }

  private static Class<?> load(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "class "
              + name
              + " is not on this JVM's class path: ship its jar with --jars or SparkContext.addJar",
          e);
    }
  }

  /** One level of a value. */
  private interface Node {
    void read(Object value, Columns target, int row, IntFunction<String> where, int index);

    Object make(Columns source, int row);
  }

  /** A box in one column. */
  private record Leaf(Kind kind, int column, String path) implements Node {
    @Override
    public void read(Object value, Columns target, int row, IntFunction<String> where, int index) {
      if (value == null) {
        throw new NullValueException(where.apply(index), path, kind.box().getSimpleName());
      }
      try {
        switch (kind) {
          case BOOLEAN -> target.booleans(column)[row] = (Boolean) value;
          case INT -> target.ints(column)[row] = (Integer) value;
          case LONG -> target.longs(column)[row] = (Long) value;
          case FLOAT -> target.floats(column)[row] = (Float) value;
          case DOUBLE -> target.doubles(column)[row] = (Double) value;
        }
      } catch (ClassCastException e) {
        throw unexpected(value, kind.box().getName(), where.apply(index));
      }
    }

    @Override
    public Object make(Columns source, int row) {
      return switch (kind) {
        case BOOLEAN -> source.booleans(column)[row];
        case INT -> source.ints(column)[row];
        case LONG -> source.longs(column)[row];
        case FLOAT -> source.floats(column)[row];
        case DOUBLE -> source.doubles(column)[row];
      };
    }
  }

  /** An array, element by element. */
  private record VectorNode(ValueType.Vector vector, Leaf[] elements, String path) implements Node {
    @Override
    public void read(Object value, Columns target, int row, IntFunction<String> where, int index) {
      if (value == null) {
        throw new NullValueException(where.apply(index), path, vector.className());
      }
      if (!value.getClass().getName().equals(vector.className())) {
        throw unexpected(value, vector.className(), where.apply(index));
      }
      if (Array.getLength(value) != elements.length) {
        throw new IllegalArgumentException(
            "the value of %s is an array of %s elements, but all have %s"
                .formatted(where.apply(index), Array.getLength(value), elements.length));
      }
      for (int i = 0; i < elements.length; i++) {
        elements[i].read(Array.get(value, i), target, row, where, index);
      }
    }

    @Override
    public Object make(Columns source, int row) {
      if (vector.kind() == Kind.DOUBLE) {
        double[] values = new double[elements.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = source.doubles(elements[i].column())[row];
        }
        return values;
      }
      Object values = Array.newInstance(vector.kind().primitive(), elements.length);
      for (int i = 0; i < elements.length; i++) {
        Array.set(values, i, elements[i].make(source, row));
      }
      return values;
    }
  }

  private static ValueMismatchException unexpected(Object value, String expected, String where) {
    return new ValueMismatchException(
        ("the value of %s is a %s, the program was given %s: name the class that the"
                + " graph holds")
            .formatted(where, value.getClass().getName(), expected));
  }

  /** A record, tuple or case class. */
  private static final class StructNode implements Node {
    private final Class<?> owner;
    private final boolean isTuple;
    private final String path;
    private final MethodHandle[] accessors;
    private final Node[] parts;
    private final MethodHandle constructor;

    StructNode(
        Class<?> owner,
        ValueType.Struct struct,
        ClassLoader loader,
        int[] nextColumn,
        String path) {
      this.owner = owner;
      this.isTuple = StructClass.isTuple(owner);
      this.path = path;
      List<ValueType.Field> fields = struct.fields();
      this.accessors = new MethodHandle[fields.size()];
      this.parts = new Node[fields.size()];
      Class<?>[] types = new Class<?>[fields.size()];
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      try {
        for (int i = 0; i < parts.length; i++) {
          ValueType.Field field = fields.get(i);
          MethodHandle accessor = accessor(owner, field.name(), lookup);
          types[i] = accessor.type().returnType();
          accessors[i] = accessor.asType(MethodType.methodType(Object.class, Object.class));
          parts[i] =
              node(
                  field.type(),
                  types[i],
                  loader,
                  nextColumn,
                  path.isEmpty() ? field.name() : path + "." + field.name());
        }
        Constructor<?> maker = constructor(owner, struct, types);
        maker.setAccessible(true);
        this.constructor =
            lookup
                .unreflectConstructor(maker)
                .asSpreader(Object[].class, parts.length)
                .asType(MethodType.methodType(Object.class, Object[].class));
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(
            "class " + owner.getName() + " does not have the form of " + struct + ": " + e, e);
      }
    }

    /**
     * What makes a value. Scala makes specialised tuples where it knows the components' types, and
     * so do we: they take half of the memory.
     */
    private static Constructor<?> constructor(
        Class<?> owner, ValueType.Struct struct, Class<?>[] types)
        throws ReflectiveOperationException {
      if (StructClass.isTuple(owner)) {
        StringBuilder name = new StringBuilder(owner.getName()).append("$mc");
        Class<?>[] primitives = new Class<?>[types.length];
        for (int i = 0; i < types.length; i++) {
          ValueType part = struct.fields().get(i).type();
          primitives[i] =
              part instanceof ValueType.Scalar scalar ? scalar.kind().primitive() : null;
          name.append(primitives[i] == null ? "L" : primitives[i].descriptorString());
        }
        try {
          ClassLoader loader = owner.getClassLoader();
          return Class.forName(name.append("$sp").toString(), false, loader)
              .getConstructor(primitives);
        } catch (ClassNotFoundException e) {
          // Only small tuples of some kinds are specialised.
        }
      }
      return owner.getDeclaredConstructor(types);
    }

    /** A component is read by a method, or, where a case class hides that, from its field. */
    private static MethodHandle accessor(Class<?> owner, String name, MethodHandles.Lookup lookup)
        throws ReflectiveOperationException {
      if (StructClass.isOfParameters(owner)) {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return lookup.unreflectGetter(field);
      }
      Method method = owner.getMethod(name);
      method.setAccessible(true);
      return lookup.unreflect(method);
    }

    @Override
    public void read(Object value, Columns target, int row, IntFunction<String> where, int index) {
      if (value == null) {
        throw new NullValueException(where.apply(index), path, owner.getName());
      }
      // A subclass may have more fields, or other methods.
      if (value.getClass() != owner && !(isTuple && owner.isInstance(value))) {
        throw unexpected(value, owner.getName(), where.apply(index));
      }
      for (int i = 0; i < parts.length; i++) {
        Object part;
        try {
          part = (Object) accessors[i].invokeExact(value);
        } catch (Throwable e) {
          throw rethrow(e, "reading " + owner.getName());
        }
        parts[i].read(part, target, row, where, index);
      }
    }

    @Override
    public Object make(Columns source, int row) {
      Object[] arguments = new Object[parts.length];
      for (int i = 0; i < parts.length; i++) {
        arguments[i] = parts[i].make(source, row);
      }
      try {
        return (Object) constructor.invokeExact(arguments);
      } catch (Throwable e) {
        throw rethrow(e, "making a " + owner.getName());
      }
    }

    private static RuntimeException rethrow(Throwable e, String action) {
      if (e instanceof RuntimeException runtime) {
        return runtime;
      }
      if (e instanceof Error error) {
        throw error;
      }
      return new IllegalStateException(action + " failed: " + e, e);
    }
  }

  /** An empty array of the class that {@code write} fills. */
  public static Object newArray(Class<?> component, int length) {
    return Array.newInstance(component, length);
  }
}
