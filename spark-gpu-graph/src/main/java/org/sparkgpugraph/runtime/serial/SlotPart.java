package org.sparkgpugraph.runtime.serial;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.SlotValues;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.program.ValueType;

/**
 * What one shard has of a vertex partition's values, on its way to it. Not a record: it travels
 * through Spark's serializer, and Kryo cannot read records.
 */
public final class SlotPart implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int capacity;
  private final int[] slots;
  private final Columns values;

  /**
   * @param capacity length of the partition's array
   * @param slots where each value stands in it; null: at its own number
   * @param values a row for each vertex
   */
  public SlotPart(int capacity, int[] slots, Columns values) {
    this.capacity = capacity;
    this.slots = slots;
    this.values = values;
  }

  /**
   * The array of a vertex partition whose parts these are; {@link SlotValues} where components of
   * the values are those of the partition's old ones.
   */
  public static Object assemble(ValueType type, Iterator<SlotPart> parts) {
    List<SlotPart> all = new ArrayList<>();
    parts.forEachRemaining(all::add);
    return type.hasOpaque()
        ? (SlotValues) before -> array(type, all, (Object[]) before)
        : array(type, all, null);
  }

  private static Object array(ValueType type, List<SlotPart> parts, Object[] before) {
    int capacity = parts.stream().mapToInt(part -> part.capacity).max().orElse(0);
    Object array = ValueClasses.newArray(type, capacity);
    ValueCodec codec = ValueCodec.of(type);
    for (SlotPart part : parts) {
      codec.write(part.values, null, 0, part.values.length(), array, part.slots, before);
    }
    return array;
  }
}
