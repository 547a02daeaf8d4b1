package org.sparkgpugraph.runtime.held;

import java.util.Arrays;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.runtime.rapids.ColumnFunction;

/**
 * A column of a result that this process holds, by dense ids: values of a primitive type, or the
 * original ids. Travels as the result's name.
 */
public final class HeldColumn implements ColumnFunction {
  private static final long serialVersionUID = 1L;

  private static final int IDS = -1;

  private final String key;
  private final int column;
  private final transient Object owner;
  private transient volatile HeldResult result;

  private HeldColumn(String key, int column, Object owner) {
    this.key = key;
    this.column = column;
    this.owner = owner;
  }

  /**
   * The original ids.
   *
   * @param key of the result in the registry
   * @param owner what is referred to, on the driver, as long as this is
   */
  public static HeldColumn ids(String key, Object owner) {
    return new HeldColumn(key, IDS, owner);
  }

  /** A column of the values, as above. */
  public static HeldColumn values(String key, int column, Object owner) {
    return new HeldColumn(key, column, owner);
  }

  private HeldResult result() {
    if (result == null) {
      result = ExecutorRegistry.result(key);
    }
    return result;
  }

  @Override
  public Object at(int position) {
    return column == IDS
        ? (Object) result().ids().original(position)
        : result().values().get(column, position);
  }

  @Override
  public Object range(int first, int count) {
    if (column == IDS) {
      long[] ids = new long[count];
      result().ids().originals(first, count, ids);
      return ids;
    }
    Columns values = result().values();
    if (first == 0 && count == values.length()) {
      return values.array(column);
    }
    Object some = Columns.newArray(values.kinds().get(column), count);
    values.copy(column, first, count, some, 0);
    return some;
  }

  @Override
  public Object gather(int[] positions) {
    if (column == IDS) {
      VertexIds ids = result().ids();
      return Arrays.stream(positions).mapToLong(ids::original).toArray();
    }
    Columns values = result().values();
    Object some = Columns.newArray(values.kinds().get(column), positions.length);
    ColumnCopy.copy(values.array(column), 1, positions, 0, positions.length, some, null);
    return some;
  }

  @Override
  public String toString() {
    return (column == IDS ? "ids of " : "values of ") + key;
  }
}
