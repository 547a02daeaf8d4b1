package org.sparkgpugraph.engine.device.settings;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Copies of settings, with some of them changed. */
final class RecordCopy {
  private RecordCopy() {}

  /**
   * The same record with other values for the components that are named.
   *
   * @param record has a public canonical constructor, whose exceptions are thrown as they are
   * @param changes values by name of component
   * @throws IllegalArgumentException when there is no such component
   */
  static <R extends Record> R with(R record, Map<String, Object> changes) {
    @SuppressWarnings("unchecked") // A record's class is final.
    Class<R> type = (Class<R>) record.getClass();
    RecordComponent[] components = type.getRecordComponents();
    Map<String, Object> left = new HashMap<>(changes);
    try {
      Object[] values = new Object[components.length];
      for (int i = 0; i < values.length; i++) {
        String name = components[i].getName();
        values[i] =
            left.containsKey(name) ? left.remove(name) : components[i].getAccessor().invoke(record);
      }
      if (!left.isEmpty()) {
        throw new IllegalArgumentException(type.getSimpleName() + " has no " + left.keySet());
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return type.getConstructor(types).newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new IllegalStateException("cannot copy " + record, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot copy " + record, e);
    }
  }
}
