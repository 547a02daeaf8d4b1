package org.sparkgpugraph.runtime.held;

import java.util.Arrays;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.runtime.rapids.ColumnFunction;

/**
 * A column of a result that this process holds, by dense ids: values of a primitive type, or the
 * original ids. Travels as the result's name.
 */
public final class HeldColumn implements ColumnFunction {
  private static final long serialVersionUID = 1L;

  private final String key;
  private final boolean ofIds;
  private final transient Object owner;
  private transient volatile HeldResult result;

  private HeldColumn(String key, boolean ofIds, Object owner) {
    this.key = key;
    this.ofIds = ofIds;
    this.owner = owner;
  }

  /**
   * The original ids.
   *
   * @param key of the result in the registry
   * @param owner what is referred to, on the driver, as long as this is
   */
  public static HeldColumn ids(String key, Object owner) {
    return new HeldColumn(key, true, owner);
  }

  /** The values of the first column, as above. */
  public static HeldColumn values(String key, Object owner) {
    return new HeldColumn(key, false, owner);
  }

  private HeldResult result() {
    if (result == null) {
      result = ExecutorRegistry.result(key);
    }
    return result;
  }

  @Override
  public Object at(int position) {
    return ofIds ? (Object) result().ids().original(position) : result().values().get(0, position);
  }

  @Override
  public Object range(int first, int count) {
    if (ofIds) {
      long[] ids = new long[count];
      result().ids().originals(first, count, ids);
      return ids;
    }
    Columns values = result().values();
    if (first == 0 && count == values.length()) {
      return values.array(0);
    }
    Columns some = Columns.allocate(values.kinds(), count);
    some.copyFrom(values, first, 0, count);
    return some.array(0);
  }

  @Override
  public Object gather(int[] positions) {
    if (ofIds) {
      VertexIds ids = result().ids();
      return Arrays.stream(positions).mapToLong(ids::original).toArray();
    }
    Columns values = result().values();
    Columns some = Columns.allocate(values.kinds(), positions.length);
    some.copyFrom(values, positions, 0, positions.length, null);
    return some.array(0);
  }

  @Override
  public String toString() {
    return (ofIds ? "ids of " : "values of ") + key;
  }
}
