package org.sparkgpugraph.program;

import java.io.Serializable;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The type of a vertex value, edge value or message: a scalar, a record of such types, an array of
 * fixed length, or an opaque class. Values are never objects inside an engine; {@link #columns()}
 * is their flat form, depth first in the order of the record components.
 */
public sealed interface ValueType extends Serializable {

  /** Components of a record, and of those in it, that a value may have. */
  int MOST_COLUMNS = 4096;

  /** The kinds of the flat columns; empty for an opaque type. */
  List<Kind> columns();

  /**
   * The binary name of the user's class, for messages and to find the class at load and collect.
   */
  String className();

  /** Bytes that one value takes over all columns. */
  default int bytes() {
    return columns().stream().mapToInt(Kind::bytes).sum();
  }

  /** One of the five boxed types. */
  record Scalar(Kind kind) implements ValueType {
    @Override
    public List<Kind> columns() {
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
    public List<Kind> columns() {
      List<Kind> kinds = new ArrayList<>();
      for (Field field : fields) {
        kinds.addAll(field.type().columns());
      }
      return List.copyOf(kinds);
    }
  }

  /**
   * An array of primitives whose length every value shares. No class says a length, so {@link
   * #of(Class)} never gives this type: programs that are not lifted ask for it.
   *
   * @param kind of the elements, a column each
   * @param length number of elements
   */
  record Vector(Kind kind, int length) implements ValueType {
    @Override
    public List<Kind> columns() {
      return Collections.nCopies(length, kind);
    }

    @Override
    public String className() {
      return kind.primitive().arrayType().getName();
    }
  }

  /**
   * A class that cannot be taken apart (a String, say). It has no columns: a program may carry such
   * attributes through, but a function that reads one cannot be lifted.
   */
  record Opaque(String className) implements ValueType {
    @Override
    public List<Kind> columns() {
      return List.of();
    }
  }

  /** One component of a {@link Struct}. */
  record Field(String name, ValueType type) implements Serializable {}

  /** Whether a part of it is opaque, or all of it. */
  default boolean hasOpaque() {
    return this instanceof Opaque
        || this instanceof Struct struct
            && struct.fields().stream().anyMatch(field -> field.type().hasOpaque());
  }

  /**
   * The type of a value like this one. Its class does not say what the components of a tuple are,
   * nor those of a generic case class; their values do.
   *
   * @param value null: opaque
   * @throws IllegalArgumentException as {@link #of(Class)}
   */
  static ValueType like(Object value) {
    if (value == null) {
      return new Opaque("null");
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

  /**
   * The type of a user's class: a box, a record, tuple or case class of such (nested), anything
   * else is opaque, and so is a component of a tuple or case class whose class is not known.
   *
   * @throws IllegalArgumentException for a record that has a component which is not itself a value
   *     (the message names the component)
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
    }
    if (!StructClass.isStruct(type)) {
      return new Opaque(type.getName());
    }
    if (inside.contains(type)) {
      throw unusable(type, "it has a component of its own type, or a component of it has");
    }
    Set<Class<?>> within = new HashSet<>(inside);
    within.add(type);
    List<Field> fields = new ArrayList<>();
    StructClass layout = StructClass.of(type);
    for (int i = 0; i < layout.size(); i++) {
      String name = layout.names().get(i);
      ValueType field = of(layout.types().get(i), within, columns);
      if (++columns[0] > MOST_COLUMNS) {
        throw unusable(type, "it has more than " + MOST_COLUMNS + " values; use fewer components");
      }
      if (field instanceof Opaque opaque && type.isRecord()) {
        throw unusable(
            type,
            "component '"
                + name
                + "' is a "
                + opaque.className()
                + "; use Integer, Long, Float, Double, Boolean, their primitives, or records of them");
      }
      fields.add(new Field(name, field));
    }
    return new Struct(layout.type().getName(), fields);
  }

  private static IllegalArgumentException unusable(Class<?> record, String why) {
    return new IllegalArgumentException("record " + record.getName() + ": " + why);
  }
}
