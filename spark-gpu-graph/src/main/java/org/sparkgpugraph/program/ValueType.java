package org.sparkgpugraph.program;

import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The type of a vertex value, edge value or message: a scalar, a record of such types, an array of
 * fixed length, a map of few keys, or an opaque class. Values are never objects inside an engine;
 * {@link #columns()} is their flat form, depth first in the order of the record components.
 */
public sealed interface ValueType extends Serializable {

  /** Class of an option without a value, of which nobody knows the type. */
  String NONE = "scala.None$";

  /** The class that null is said to have. */
  String NULL = "null";

  /** Components of a record, and of those in it, that a value may have. */
  int MOST_COLUMNS = 4096;

  /** The kinds of the flat columns; empty for an opaque type. */
  List<ColumnType> columns();

  /**
   * The binary name of the user's class, for messages and to find the class at load and collect.
   */
  String className();

  /** Bytes that one value takes over all columns. */
  default int bytes() {
    return columns().stream().mapToInt(ColumnType::bytes).sum();
  }

  /** One of the five boxed types. */
  record Scalar(Kind kind) implements ValueType {
    @Override
    public List<ColumnType> columns() {
      return List.of(kind);
    }

    @Override
    public String className() {
      return kind.box().getName();
    }
  }

  /**
   * A record, tuple or case class.
   *
   * @param className binary name of the class
   * @param fields the components, in the order of the canonical constructor
   */
  record Struct(String className, List<Field> fields) implements ValueType {
    public Struct {
      fields = List.copyOf(fields);
    }

    @Override
    public List<ColumnType> columns() {
      List<ColumnType> kinds = new ArrayList<>();
      for (Field field : fields) {
        kinds.addAll(field.type().columns());
      }
      return List.copyOf(kinds);
    }
  }

  /**
   * An array of numbers whose length every value shares. No class says a length, so {@link
   * #of(Class)} never gives this type, but {@link #like} does.
   *
   * @param kind of the elements
   * @param length number of elements, 1 to {@link #MOST}
   */
  record Vector(Kind kind, int length) implements ValueType {
    /** Elements that an array may have. */
    public static final int MOST = 1024;

    /** Whether arrays of a class may be values: those of int, long, float and double. */
    public static boolean isElement(Class<?> component) {
      Kind kind = component.isPrimitive() ? Kind.of(component) : null;
      return kind != null && kind != Kind.BOOLEAN;
    }

    /**
     * The type of arrays.
     *
     * @throws IllegalArgumentException when they have no elements, or too many
     */
    public static Vector of(Class<?> component, int length) {
      if (length < 1 || length > MOST) {
        throw new IllegalArgumentException(
            "a %s[] of %s elements; arrays that are values have 1 to %s"
                .formatted(component.getName(), length, MOST));
      }
      return new Vector(Kind.of(component), length);
    }

    @Override
    public List<ColumnType> columns() {
      return List.of(new ArrayType(kind, length));
    }

    @Override
    public String className() {
      return kind.primitive().arrayType().getName();
    }
  }

  /**
   * Columns that no object stands for: such values come and go as the columns of a table do, and
   * only programs that are not lifted have them.
   *
   * @param columns kinds of the columns
   */
  record Row(List<ColumnType> columns) implements ValueType {
    public Row {
      columns = List.copyOf(columns);
    }

    @Override
    public String className() {
      return "org.sparkgpugraph.graphs.memory.Columns";
    }
  }

  /** A byte, short or character, in an INT column. */
  record Narrow(Class<?> box) implements ValueType {
    /** Null where there is no such type. */
    static Narrow of(Class<?> type) {
      Class<?> box = MethodType.methodType(type).wrap().returnType();
      return box == Byte.class || box == Short.class || box == Character.class
          ? new Narrow(box)
          : null;
    }

    public Kind kind() {
      return Kind.INT;
    }

    public Class<?> primitive() {
      return MethodType.methodType(box).unwrap().returnType();
    }

    @Override
    public List<ColumnType> columns() {
      return List.of(Kind.INT);
    }

    @Override
    public String className() {
      return box.getName();
    }
  }

  /** Scala's {@code ()}: engines have no values of no columns, so it has one of zeros. */
  record Unit() implements ValueType {
    @Override
    public List<ColumnType> columns() {
      return List.of(Kind.BOOLEAN);
    }

    @Override
    public String className() {
      return "scala.runtime.BoxedUnit";
    }
  }

  /**
   * Scala's {@code Option} of values of a known type: whether there is one, and its columns.
   *
   * @param value neither opaque nor carried, nor is a part of it
   */
  record Optional(ValueType value) implements ValueType {
    static final String CLASS = "scala.Option";

    public Optional {
      if (value.hasCarried()) {
        throw new IllegalArgumentException(
            "an option of a " + value.className() + ", whose objects refer to others");
      }
    }

    @Override
    public List<ColumnType> columns() {
      List<ColumnType> kinds = new ArrayList<>(List.of(Kind.BOOLEAN));
      kinds.addAll(value.columns());
      return List.copyOf(kinds);
    }

    @Override
    public String className() {
      return CLASS;
    }
  }

  /**
   * A Scala map or set of few keys, the same for all values: a column whose bits tell which keys
   * are there, and of a map a column of each key's value, zero where the key is not there.
   *
   * @param key INT or LONG
   * @param value kind of the values of a map; null: a set
   * @param keys ascending
   */
  record Keyed(Kind key, Kind value, List<Long> keys) implements ValueType {
    /** Keys that all values together may have. */
    public static final int MOST = 16;

    static final String MAP = "scala.collection.immutable.Map";
    static final String SET = "scala.collection.immutable.Set";

    public Keyed {
      keys = List.copyOf(keys);
      if (keys.size() > MOST) {
        throw new IllegalArgumentException(keys.size() + " keys");
      }
    }

    /** Whether it is a set. */
    public boolean isSet() {
      return value == null;
    }

    /** A key as an object. */
    public Object keyObject(int index) {
      return key == Kind.INT ? (Object) keys.get(index).intValue() : keys.get(index);
    }

    @Override
    public List<ColumnType> columns() {
      List<ColumnType> kinds = new ArrayList<>(List.of(Kind.INT));
      if (!isSet()) {
        kinds.addAll(Collections.nCopies(keys.size(), value));
      }
      return List.copyOf(kinds);
    }

    @Override
    public String className() {
      return isSet() ? SET : MAP;
    }
  }

  /**
   * A class that cannot be taken apart (a String, say). It has no columns: a program may carry such
   * attributes and components of them through, but a function that reads one cannot be lifted.
   *
   * @param origin component of the input's vertex attribute that it is, as the indexes that lead to
   *     it; null: the one that stands where this does
   */
  record Opaque(String className, List<Integer> origin) implements ValueType {
    public Opaque(String className) {
      this(className, null);
    }

    @Override
    public List<ColumnType> columns() {
      return List.of();
    }
  }

  /**
   * The object around a case class: the first component of its values, without columns. Values that
   * are made get that of the vertex's value before, whichever they were made in: they make no use
   * of it.
   */
  record Outer(String className) implements ValueType {
    @Override
    public List<ColumnType> columns() {
      return List.of();
    }
  }

  /** One component of a {@link Struct}. */
  record Field(String name, ValueType type) implements Serializable {}

  /** The type of values that are nothing but one column. */
  static ValueType of(ColumnType column) {
    return column.isArray() ? new Vector(column.kind(), column.width()) : new Scalar(column.kind());
  }

  /** Whether a part of it is opaque, or all of it. */
  default boolean hasOpaque() {
    return this instanceof Opaque
        || this instanceof Struct struct
            && struct.fields().stream().anyMatch(field -> field.type().hasOpaque());
  }

  /** Whether every column is one number, and nothing is carried beside them. */
  default boolean isNumbers() {
    return !hasCarried() && columns().stream().allMatch(Kind.class::isInstance);
  }

  /** Whether values can only be made where there are others whose components they get. */
  default boolean hasCarried() {
    return this instanceof Opaque
        || this instanceof Outer
        || this instanceof Struct struct
            && struct.fields().stream().anyMatch(field -> field.type().hasCarried());
  }

  /**
   * The type of a value like this one. Its class does not say what the components of a tuple are,
   * nor those of a generic case class, nor how long an array is; their values do.
   *
   * @param value null: opaque, and so is an option without a value
   * @throws IllegalArgumentException as {@link #of(Class)}
   */
  static ValueType like(Object value) {
    if (value == null) {
      return new Opaque(NULL);
    } else if (value instanceof scala.Some<?> some) {
      ValueType inside = like(some.get());
      return inside.hasCarried() ? new Opaque(Optional.CLASS) : new Optional(inside);
    }
    Class<?> component = value.getClass().getComponentType();
    if (component != null && Vector.isElement(component)) {
      return Vector.of(component, Array.getLength(value));
    }
    ValueType type = of(value.getClass());
    if (!(type instanceof Struct struct) || !struct.hasOpaque()) {
      return type;
    }
    StructClass layout = StructClass.of(value.getClass());
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < layout.size(); i++) {
      Field field = struct.fields().get(i);
      try {
        fields.add(
            field.type().hasOpaque()
                ? new Field(field.name(), like(layout.read(value, i)))
                : field);
      } catch (ReflectiveOperationException | InaccessibleObjectException e) {
        throw new IllegalArgumentException(
            "component '" + field.name() + "' of a " + struct.className() + " cannot be read", e);
      }
    }
    return new Struct(struct.className(), fields);
  }

  /** Whether it is that of null, or of something with a component that is null. */
  default boolean hasNull() {
    return this instanceof Opaque opaque && opaque.className().equals(NULL)
        || this instanceof Struct struct
            && struct.fields().stream().anyMatch(field -> field.type().hasNull());
  }

  /** Whether another value may tell more: this one has an option without a value. */
  default boolean hasNone() {
    return this instanceof Opaque opaque && opaque.className().equals(NONE)
        || this instanceof Struct struct
            && struct.fields().stream().anyMatch(field -> field.type().hasNone());
  }

  /** This type, with what another value told of the options that had no value in this one. */
  default ValueType completedBy(ValueType other) {
    if (this instanceof Struct struct
        && other instanceof Struct more
        && struct.className().equals(more.className())) {
      List<Field> fields = new ArrayList<>();
      for (int i = 0; i < struct.fields().size(); i++) {
        Field field = struct.fields().get(i);
        fields.add(new Field(field.name(), field.type().completedBy(more.fields().get(i).type())));
      }
      return new Struct(struct.className(), fields);
    }
    return hasNone() && !(this instanceof Struct) ? other : this;
  }

  /**
   * This type with another one in the place of a component.
   *
   * @param indexes that lead to it; empty: the whole type
   */
  default ValueType with(List<Integer> indexes, ValueType component) {
    if (indexes.isEmpty()) {
      return component;
    }
    Struct struct = (Struct) this;
    List<Field> fields = new ArrayList<>(struct.fields());
    Field field = fields.get(indexes.get(0));
    ValueType changed = field.type().with(indexes.subList(1, indexes.size()), component);
    fields.set(indexes.get(0), new Field(field.name(), changed));
    return new Struct(struct.className(), fields);
  }

  /**
   * The type of a user's class: a box, a record, tuple or case class of such (nested), anything
   * else is opaque, and so is a component whose class does not say what it is.
   *
   * @throws IllegalArgumentException for a class of too many components
   */
  static ValueType of(Class<?> type) {
    return of(type, Set.of(), new int[1]);
  }

  /**
   * The type of a component.
   *
   * @param inside the records that it is a component of
   * @param columns how many there are so far
   */
  private static ValueType of(Class<?> type, Set<Class<?>> inside, int[] columns) {
    Kind kind = Kind.of(type);
    if (kind != null) {
      return new Scalar(kind);
    } else if (Narrow.of(type) != null) {
      return Narrow.of(type);
    } else if (type == void.class || type.getName().equals("scala.runtime.BoxedUnit")) {
      return new Unit();
    } else if (!StructClass.isStruct(type) || inside.contains(type)) {
      return new Opaque(type.getName());
    }
    Set<Class<?>> within = new HashSet<>(inside);
    within.add(type);
    List<Field> fields = new ArrayList<>();
    StructClass layout = StructClass.of(type);
    for (int i = 0; i < layout.size(); i++) {
      String name = layout.names().get(i);
      ValueType field =
          layout.isOuter(i)
              ? new Outer(layout.types().get(i).getName())
              : of(layout.types().get(i), within, columns);
      if (++columns[0] > MOST_COLUMNS) {
        throw unusable(type, "it has more than " + MOST_COLUMNS + " values; use fewer components");
      }
      fields.add(new Field(name, field));
    }
    return new Struct(layout.type().getName(), fields);
  }

  private static IllegalArgumentException unusable(Class<?> record, String why) {
    return new IllegalArgumentException("record " + record.getName() + ": " + why);
  }
}
