package org.sparkgpugraph.runtime.rapids;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;

/** Columns of cudf that are made of arrays, by its Java classes. */
final class CudfColumns {
  /** The methods that make a column of an array. */
  private static final Map<Class<?>, String> MAKERS =
      Map.of(
          boolean[].class, "fromBooleans",
          int[].class, "fromInts",
          long[].class, "fromLongs",
          float[].class, "fromFloats",
          double[].class, "fromDoubles");

  /** Looked up once for the functions of a plugin, and as long there as their interface. */
  private static final ClassValue<CudfColumns> OF_FUNCTIONS =
      new ClassValue<>() {
        @Override
        protected CudfColumns computeValue(Class<?> function) {
          return Calls.of(() -> new CudfColumns(PluginClasses.of(function)));
        }
      };

  private final Map<Class<?>, MethodHandle> makers = new HashMap<>();
  private final CudfBinding cudf;
  private final RmmBinding rmm;

  /**
   * What is called of columns, looked up when a function is called first.
   *
   * @param function the plugin's interface of functions
   * @throws IllegalStateException when its classes are other than known
   */
  static CudfColumns of(Class<?> function) {
    return OF_FUNCTIONS.get(function);
  }

  private CudfColumns(PluginClasses classes) throws ReflectiveOperationException {
    Class<?> vector = classes.root("ai.rapids.cudf.ColumnVector");
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    for (Map.Entry<Class<?>, String> maker : MAKERS.entrySet()) {
      makers.put(
          maker.getKey(),
          lookup
              .findStatic(vector, maker.getValue(), MethodType.methodType(vector, maker.getKey()))
              .asFixedArity()
              .asType(MethodType.methodType(Object.class, Object.class)));
    }
    cudf = new CudfBinding(vector.getClassLoader());
    rmm = new RmmBinding(classes);
  }

  /** Copies a column of ints without nulls. */
  int[] ints(Object vector) {
    return cudf.copyInts(vector);
  }

  /**
   * Copies an array of primitives to the GPU. Where there is no room a task waits and tries again,
   * as often as for other memory.
   *
   * @return a column, which is the caller's
   */
  Object column(Object array) {
    MethodHandle maker = makers.get(array.getClass());
    return rmm.retrying(() -> (Object) maker.invokeExact(array));
  }
}
