package org.sparkgpugraph.runtime.serial;

import java.lang.reflect.Array;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ValueType;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The user's class of a value type, found through the loader that sees the user's jars. */
public final class ValueClasses {
  private ValueClasses() {}

  /** In a task, whose context class loader Spark sets. */
  static Class<?> of(ValueType type) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return of(type, loader == null ? ValueClasses.class.getClassLoader() : loader);
  }

  /** On the driver, whose threads may have any context class loader. */
  static Class<?> of(ValueType type, ClassLoader loader) {
    if (type instanceof ValueType.Scalar scalar) {
      return scalar.kind().box();
    } else if (type instanceof ValueType.Narrow narrow) {
      return narrow.box();
    }
    try {
      return Class.forName(type.className(), true, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "class "
              + type.className()
              + " of the values is not found here: add its jar with --jars or spark.jars",
          e);
    }
  }

  /**
   * An array for values: of primitives for scalars, otherwise of the values' class; {@link Columns}
   * where values are nothing else.
   */
  public static Object newArray(ValueType type, int length) {
    if (type instanceof ValueType.Row) {
      return Columns.allocate(type.columns(), length);
    }
    Class<?> primitive = primitive(type);
    return Array.newInstance(primitive == null ? of(type) : primitive, length);
  }

  /**
   * The tag that makes GraphX keep scalars in primitive arrays.
   *
   * @param loader that knows the user's classes
   */
  @SuppressWarnings("unchecked")
  public static <R> ClassTag<R> tag(ValueType type, ClassLoader loader) {
    Class<?> primitive = primitive(type);
    Class<?> arrayOf = primitive == null ? of(type, loader) : primitive;
    return (ClassTag<R>) (Object) ClassTag$.MODULE$.apply(arrayOf);
  }

  /** Null where values are objects. */
  private static Class<?> primitive(ValueType type) {
    if (type instanceof ValueType.Scalar scalar) {
      return scalar.kind().primitive();
    }
    return type instanceof ValueType.Narrow narrow ? narrow.primitive() : null;
  }
}
