package org.sparkgpugraph.runtime.serial;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.SlotValues;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.rdd.MaskedValues;
import org.sparkgpugraph.program.ValueType;
import scala.reflect.ClassTag;

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

  /** Makes something of all parts of a vertex partition. */
  @FunctionalInterface
  public interface Assembly<T> extends Serializable {
    /**
     * @param type of the values
     */
    T of(ValueType type, Iterator<SlotPart> parts);
  }

  /**
   * The array of a vertex partition whose parts these are; {@link SlotValues} where components of
   * the values are those of the partition's old ones.
   */
  public static Object assemble(ValueType type, Iterator<SlotPart> parts) {
    List<SlotPart> all = new ArrayList<>();
    parts.forEachRemaining(all::add);
    return type.hasCarried()
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

  /**
   * The values that some vertices of a partition have.
   *
   * @param type a pair of a value and a Boolean: whether there is one
   * @param tag of the array; null: as the type says. GraphX copies such arrays into others that it
   *     makes by the tag of their RDD
   */
  public static MaskedValues some(ValueType type, Iterator<SlotPart> parts, ClassTag<?> tag) {
    List<SlotPart> all = new ArrayList<>();
    parts.forEachRemaining(all::add);
    int capacity = all.stream().mapToInt(part -> part.capacity).max().orElse(0);
    ValueType value = ((ValueType.Struct) type).fields().get(0).type();
    Object array = tag == null ? ValueClasses.newArray(value, capacity) : tag.newArray(capacity);
    boolean[] present = new boolean[capacity];
    ValueCodec codec = ValueCodec.of(value);
    for (SlotPart part : all) {
      int width = part.values.width() - 1;
      int size = part.values.length();
      boolean[] there = part.values.booleans(width);
      int[] rows = new int[size];
      for (int row = 0; row < size; row++) {
        rows[row] = there[row] ? row : -1;
        present[part.slots == null ? row : part.slots[row]] = there[row];
      }
      Object[] arrays = Arrays.copyOf(part.values.arrays(), width);
      Columns values = new Columns(codec.kinds(), arrays, size);
      codec.write(values, rows, 0, size, array, part.slots);
    }
    return new MaskedValues(array, present);
  }
}
