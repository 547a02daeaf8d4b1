package org.sparkgpugraph.runtime.serial;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.program.ValueType;

/** Takes a value apart: an initial message, or an attribute that vertices have in common. */
public final class ValueBoxes {
  private ValueBoxes() {}

  /** One box per column of {@code value}; null for null. */
  public static Object[] of(ValueType type, Object value) {
    if (value == null) {
      return null;
    }
    Columns row = Columns.allocate(type.columns(), 1);
    // The value's own loader: a driver's thread need not have the one that knows the user's jars.
    ClassLoader loader = value.getClass().getClassLoader();
    ValueCodec codec =
        ValueCodec.of(type, loader == null ? ValueBoxes.class.getClassLoader() : loader);
    codec.put(value, row, 0);
    Object[] boxes = new Object[row.width()];
    for (int c = 0; c < boxes.length; c++) {
      boxes[c] = row.get(c, 0);
    }
    return boxes;
  }
}
