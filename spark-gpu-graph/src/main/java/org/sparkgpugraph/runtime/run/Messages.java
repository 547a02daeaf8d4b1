package org.sparkgpugraph.runtime.run;

import org.sparkgpugraph.graph.memory.Columns;
import org.sparkgpugraph.graph.model.ValueCodec;
import org.sparkgpugraph.program.ValueType;

/** Takes the messages of a request apart. */
public final class Messages {
  private Messages() {}

  /** One box per column of {@code message}; null for null. */
  public static Object[] columns(ValueType type, Object message) {
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
