package org.sparkgpugraph.files.output;

import java.lang.reflect.Array;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;

/** The values of a {@link VertexBlock} as columns, whichever array holds them. */
public final class VertexValues {
  private final VertexBlock block;

  /** One array per column. */
  private final Object[] arrays;

  public VertexValues(VertexBlock block) {
    this.block = block;
    this.arrays =
        block.values() instanceof Columns columns
            ? columns.arrays()
            : new Object[] {block.values()};
  }

  public int width() {
    return arrays.length;
  }

  /** A cell, boxed. */
  public Object get(int column, int position) {
    return Array.get(arrays[column], block.slot(position));
  }

  /** Appends a cell as Java writes it. */
  void append(StringBuilder line, int column, int position) {
    int slot = block.slot(position);
    Object array = arrays[column];
    if (array instanceof double[] values) {
      line.append(values[slot]);
    } else if (array instanceof long[] values) {
      line.append(values[slot]);
    } else if (array instanceof int[] values) {
      line.append(values[slot]);
    } else if (array instanceof float[] values) {
      line.append(values[slot]);
    } else if (array instanceof boolean[] values) {
      line.append(values[slot]);
    } else {
      line.append(Array.get(array, slot));
    }
  }
}
