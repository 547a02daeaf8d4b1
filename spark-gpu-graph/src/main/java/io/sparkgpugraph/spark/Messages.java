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
    // The message's own loader: a driver's thread need not have the one that knows the user's jars.
    ClassLoader loader = message.getClass().getClassLoader();
    ValueCodec codec =
        ValueCodec.of(type, loader == null ? Messages.class.getClassLoader() : loader);
    codec.put(message, row, 0);
    Object[] boxes = new Object[row.width()];
    for (int c = 0; c < boxes.length; c++) {
      boxes[c] = row.get(c, 0);
    }
    return boxes;
  }
}
