package io.sparkgpugraph.spark;

import io.sparkgpugraph.program.ValueType;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The user's class of a value type, found through the loader that sees the user's jars. */
final class ValueClasses {
  private ValueClasses() {}

  static Class<?> of(ValueType type) {
    if (type instanceof ValueType.Scalar scalar) {
      return scalar.kind().box();
    }
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      return Class.forName(
          type.className(), true, loader == null ? ValueClasses.class.getClassLoader() : loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "class "
              + type.className()
              + " of the values is not found here: add its jar with --jars or spark.jars",
          e);
    }
  }

  /** The tag that makes GraphX keep scalars in primitive arrays. */
  @SuppressWarnings("unchecked")
  static <R> ClassTag<R> tag(ValueType type) {
    Class<?> arrayOf =
        type instanceof ValueType.Scalar scalar ? scalar.kind().primitive() : of(type);
    return (ClassTag<R>) (Object) ClassTag$.MODULE$.apply(arrayOf);
  }
}
