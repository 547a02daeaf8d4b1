package org.sparkgpugraph.program.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.sparkgpugraph.program.StructClass;

/** Where a component stands that is carried from one value into another: indexes of components. */
public final class CarriedPath {
  /** The components of each class that was met. */
  private static final ClassValue<MethodHandle[]> READERS =
      new ClassValue<>() {
        @Override
        protected MethodHandle[] computeValue(Class<?> type) {
          StructClass layout = StructClass.of(type);
          MethodHandle[] readers = new MethodHandle[layout.size()];
          MethodType objects = MethodType.methodType(Object.class, Object.class);
          try {
            for (int i = 0; i < readers.length; i++) {
              readers[i] =
                  ValueForms.reader(layout.type(), layout.names().get(i), MethodHandles.lookup())
                      .asType(objects);
            }
          } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("components of " + type + " cannot be read", e);
          }
          return readers;
        }
      };

  private final int[] indexes;

  CarriedPath(List<Integer> indexes) {
    this.indexes = indexes.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * The component of a value.
   *
   * @throws NullPointerException when what it is a component of is null
   */
  public Object of(Object value) {
    Object part = value;
    for (int index : indexes) {
      try {
        part = (Object) READERS.get(part.getClass())[index].invokeExact(part);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("a component of " + part.getClass() + ": " + e, e);
      }
    }
    return part;
  }
}
