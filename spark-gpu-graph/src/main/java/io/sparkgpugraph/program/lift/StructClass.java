package io.sparkgpugraph.program.lift;

import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/**
 * The fields that make up an immutable class whose objects are taken apart.
 *
 * @param type the class
 * @param names field names, in the order of the constructor
 * @param types field types
 */
record StructClass(Class<?> type, List<String> names, List<Class<?>> types) {

  /** Whether objects of a class can be taken apart. */
  static boolean isStruct(Class<?> type) {
    return type.isRecord();
  }

  /** The layout of a record. */
  static StructClass of(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    return new StructClass(
        type,
        Arrays.stream(components).map(RecordComponent::getName).toList(),
        Arrays.<Class<?>>stream(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new))
            .toList());
  }

  int size() {
    return names.size();
  }

  /** Index of a field, or −1. */
  int indexOf(String field) {
    return names.indexOf(field);
  }

  /** Reads one field of an object that exists while lifting. */
  Object read(Object object, int index) throws ReflectiveOperationException {
    Field field = type.getDeclaredField(names.get(index));
    field.setAccessible(true);
    return field.get(object);
  }
}
