package org.sparkgpugraph.runtime.rapids;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.sparkgpugraph.graphs.memory.PhaseTimes;

/**
 * A function of a column of positions that RAPIDS runs on columns: its {@code RapidsUDF}, the
 * documented way to have columns of one's own in a plan that stays on the GPU. What is not run
 * there calls it row by row.
 */
public final class GpuFunction implements InvocationHandler, Serializable {
  private static final long serialVersionUID = 1L;
  private static final String ON_COLUMNS = "com.nvidia.spark.RapidsUDF";

  private final ColumnFunction function;

  private GpuFunction(ColumnFunction function) {
    this.function = function;
  }

  /**
   * Makes one.
   *
   * @param <T> what Spark calls row by row: an interface with one method of an {@code Integer}
   * @throws ReflectiveOperationException when RAPIDS is not there, or has no such functions
   */
  public static <T> T of(Class<T> onRows, ColumnFunction function)
      throws ReflectiveOperationException {
    Class<?> onColumns = PluginClasses.find().root(ON_COLUMNS);
    return onRows.cast(
        Proxy.newProxyInstance(
            onColumns.getClassLoader(),
            new Class<?>[] {onRows, onColumns, Serializable.class},
            new GpuFunction(function)));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) {
    switch (method.getName()) {
      case "evaluateColumnar":
        // The number of rows, which a function without columns needs, comes before these.
        Object[] columns = (Object[]) arguments[arguments.length - 1];
        return evaluate(CudfColumns.of(method.getDeclaringClass()), columns[0]);
      case "hashCode":
        return System.identityHashCode(proxy);
      case "equals":
        return proxy == arguments[0];
      case "toString":
        return function.toString();
      default:
        return function.at((Integer) arguments[0]);
    }
  }

  private Object evaluate(CudfColumns cudf, Object positions) {
    long start = System.nanoTime();
    int[] rows = cudf.ints(positions);
    start = PhaseTimes.ended("columns of results: positions from the GPU", start);
    Object numbers =
        follow(rows)
            ? function.range(rows.length == 0 ? 0 : rows[0], rows.length)
            : function.gather(rows);
    Object column = cudf.column(numbers);
    PhaseTimes.ended("columns of results: numbers to the GPU", start);
    return column;
  }

  /** Whether each is one more than the one before, as where nothing was left out. */
  private static boolean follow(int[] rows) {
    for (int i = 1; i < rows.length; i++) {
      if (rows[i] != rows[0] + i) {
        return false;
      }
    }
    return true;
  }
}
