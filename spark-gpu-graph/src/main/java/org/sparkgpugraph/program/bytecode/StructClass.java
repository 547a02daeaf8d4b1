package org.sparkgpugraph.program.bytecode;

import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The fields that make up an immutable class whose objects are taken apart.
 *
 * @param type the class
 * @param names field names, in the order of the constructor
 * @param types field types
 */
public record StructClass(Class<?> type, List<String> names, List<Class<?>> types) {

  /** Whether objects of a class can be taken apart: records and Scala tuples. */
  public static boolean isStruct(Class<?> type) {
    return type.isRecord() || isTuple(type);
  }

  /** Whether this is a Scala tuple, or one of its specialised subclasses. */
  public static boolean isTuple(Class<?> type) {
    return type.getName().startsWith("scala.Tuple");
  }

  /** The layout of a record or tuple. */
  public static StructClass of(Class<?> type) {
    if (isTuple(type)) {
      // Tuple2$mcJD$sp and its like are Tuple2 with unboxed fields.
      Class<?> plain = type.getSuperclass() == Object.class ? type : type.getSuperclass();
      int size = Integer.parseInt(plain.getName().substring("scala.Tuple".length()));
      List<String> names = IntStream.rangeClosed(1, size).mapToObj(i -> "_" + i).toList();
      return new StructClass(plain, names, Collections.nCopies(size, Object.class));
    }
    RecordComponent[] components = type.getRecordComponents();
    return new StructClass(
        type,
        Arrays.stream(components).map(RecordComponent::getName).toList(),
        Arrays.stream(components).<Class<?>>map(RecordComponent::getType).toList());
  }

  public int size() {
    return names.size();
  }

  /** Index of a field, or −1. */
  public int indexOf(String field) {
    return names.indexOf(field);
  }

  /** Reads one field of an object that exists while lifting. */
  public Object read(Object object, int index) throws ReflectiveOperationException {
    if (isTuple(type)) {
      return type.getMethod(names.get(index)).invoke(object);
    }
    Field field = type.getDeclaredField(names.get(index));
    field.setAccessible(true);
    return field.get(object);
  }
}
