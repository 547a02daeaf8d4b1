package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ValueCodec;
import io.sparkgpugraph.program.ValueType;

/** Takes the messages of a request apart. */
final class Messages {
  private Messages() {}

  /** One box per column of {@code message}; null for null. */
  static Object[] columns(ValueType type, Object message) {
    if (message == null) {
      return null;
    }
    Columns row = Columns.allocate(type.columns(), 1);
    ValueCodec.of(type).put(message, row, 0);
    Object[] boxes = new Object[row.width()];
    for (int c = 0; c < boxes.length; c++) {
      boxes[c] = row.get(c, 0);
    }
    return boxes;
  }
}
