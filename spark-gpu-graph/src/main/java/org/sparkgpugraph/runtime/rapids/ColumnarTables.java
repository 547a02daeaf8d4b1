package org.sparkgpugraph.runtime.rapids;

import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;

/**
 * Tables of Spark SQL as RAPIDS has them on the GPU: {@code ColumnarRdd}, which takes the columns
 * below the conversion to rows with which such a plan ends.
 */
public final class ColumnarTables {
  /** Where the columns of a table's edges go. */
  public enum To {
    /** They stay on the GPU. */
    DEVICE,

    /**
     * To arrays on the heap, each by one copy, which their reader makes: no row is made of them.
     */
    HOST
  }

  /** Steps from the tables to where rows would come from. */
  private static final int STEPS = 4;

  private ColumnarTables() {}

  /** Why a table's edges come as rows. */
  public static final class RowsException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public RowsException(String why) {
      super(why);
    }
  }

  /**
   * The edges of a table whose plan ends on the GPU.
   *
   * @param dataset a {@code Dataset<Row>} of two bigints, and a double where edges have values;
   *     nobody has asked for its plan
   * @param end the operator with which its plan ends, asked for where it is not on the GPU
   * @throws RowsException where it does not
   */
  public static JavaRDD<EdgeBlock> edges(
      Object dataset, boolean values, To to, Supplier<String> end) throws RowsException {
    try {
      PluginClasses classes = PluginClasses.find();
      Class<?> columnar = classes.root("com.nvidia.spark.rapids.ColumnarRdd");
      Class<?> type =
          Class.forName("org.apache.spark.sql.Dataset", true, columnar.getClassLoader());
      RDD<?> tables = (RDD<?>) columnar.getMethod("convert", type).invoke(null, dataset);
      if (isOfRows(tables)) {
        throw new RowsException(
            end.get() + ", with which the plan of their table ends, is not on the GPU");
      }
      return tables.toJavaRDD().map(table -> block(table, values, to));
    } catch (InvocationTargetException e) {
      throw Calls.unchecked(e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new RowsException("RAPIDS' columns are not found: " + e);
    }
  }

  /** Where the plan gives rows RAPIDS makes columns of them, which would be in vain. */
  private static boolean isOfRows(RDD<?> tables) {
    RDD<?> step = tables;
    for (int i = 0; i < STEPS && !step.dependencies().isEmpty(); i++) {
      step = step.dependencies().head().rdd();
      if (step.getClass().getSimpleName().equals("SQLExecutionRDD")) {
        return true;
      }
    }
    return false;
  }

  private static EdgeBlock block(Object table, boolean values, To to) {
    CudfBinding cudf = CudfBinding.of(table);
    return new DeviceEdgeBlock(new CudfTable(cudf, table, values), to == To.DEVICE);
  }
}
