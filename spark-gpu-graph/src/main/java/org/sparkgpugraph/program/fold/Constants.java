package org.sparkgpugraph.program.fold;

import java.lang.reflect.Array;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.Kind;

/** Writes constants of columns. */
final class Constants {
  private Constants() {}

  /**
   * A variable with a constant.
   *
   * @param value a box, of an array an array of primitives, or the box of all its elements
   */
  static int of(IrBuilder to, ColumnType type, Object value) {
    if (!type.isArray()) {
      return to.constant(value);
    } else if (!value.getClass().isArray()) {
      return to.filled(type.width(), to.constant(value));
    }
    Object first = Array.get(value, 0);
    int array = to.filled(type.width(), to.constant(first));
    for (int i = 1; i < type.width(); i++) {
      Object element = Array.get(value, i);
      if (!element.equals(first)) {
        array = to.with(array, to.constant(i), to.constant(element));
      }
    }
    return array;
  }

  /** Zero, as a box. */
  static Object zero(Kind kind) {
    return switch (kind) {
      case BOOLEAN -> false;
      case INT -> 0;
      case LONG -> 0L;
      case FLOAT -> 0f;
      case DOUBLE -> 0.0;
    };
  }
}
