package org.sparkgpugraph.program.codec;

import java.lang.invoke.MethodHandle;
import java.util.List;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A {@link ValueType} in this JVM: its classes are found, and what reads and makes their objects.
 */
public sealed interface ValueForm {
  /** Which component it is, for messages: empty for a whole value. */
  String path();

  /**
   * A number or truth value in one column.
   *
   * @param box class of the object; bytes, shorts and characters are INT columns
   */
  record Scalar(Kind kind, Class<?> box, int column, String path) implements ValueForm {
    /** The class of the primitive in the box. */
    public Class<?> primitive() {
      return java.lang.invoke.MethodType.methodType(box).unwrap().returnType();
    }
  }

  /** Scala's {@code ()}, in a column of zeros. */
  record Unit(int column, String path) implements ValueForm {}

  /**
   * Scala's {@code Option}: a column that tells whether there is a value, and the value's columns,
   * zeros where there is none.
   *
   * @param end the column after those of the value
   */
  record Option(int column, ValueForm value, int end, String path) implements ValueForm {}

  /** An array, element by element. */
  record Vector(ValueType.Vector type, int column, String path) implements ValueForm {}

  /** A Scala map or set of few keys, its columns one after the other. */
  record Keyed(ValueType.Keyed type, int column, String path) implements ValueForm {}

  /** A component without columns, taken from the value that the vertex had before. */
  record Carried(CarriedPath from, String path) implements ValueForm {}

  /**
   * A record, tuple or case class.
   *
   * @param owner the class
   * @param parts the components
   * @param constructor takes the components as they are declared, gives an Object
   * @param special Scala's class of the same tuple with unboxed components; null: there is none
   */
  record Struct(
      Class<?> owner, List<Part> parts, MethodHandle constructor, Class<?> special, String path)
      implements ValueForm {}

  /**
   * A component of a {@link Struct}.
   *
   * @param reader of an Object; gives a primitive, or an Object
   * @param specialReader likewise, of the special class; null without one
   * @param form of the component
   */
  record Part(MethodHandle reader, MethodHandle specialReader, ValueForm form) {}
}
