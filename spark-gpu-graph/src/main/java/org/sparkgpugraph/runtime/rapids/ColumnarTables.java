package org.sparkgpugraph.runtime.rapids;

import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;

/**
 * Tables of Spark SQL as RAPIDS has them on the GPU: {@code ColumnarRdd}, which takes the columns
 * below the conversion to rows with which such a plan ends.
 */
public final class ColumnarTables {
  private static final Logger LOG = LoggerFactory.getLogger(ColumnarTables.class);

  /** Steps from the tables to where rows would come from. */
  private static final int STEPS = 4;

  private ColumnarTables() {}

  /**
   * The edges of a table whose plan ends on the GPU.
   *
   * @param dataset a {@code Dataset<Row>} of two bigints, and a double where edges have values;
   *     nobody has asked for its plan
   * @param end the operator with which its plan ends, asked for where it is not on the GPU
   * @return null where it does not, which is logged with the reason
   */
  public static JavaRDD<EdgeBlock> edges(
      SparkContext sc, Object dataset, boolean values, Supplier<String> end) {
    if (!Rapids.isAmong(sc.getConf().get("spark.plugins", ""))) {
      return null;
    }
    try {
      PluginClasses classes = PluginClasses.find();
      Class<?> columnar = classes.root("com.nvidia.spark.rapids.ColumnarRdd");
      Class<?> type =
          Class.forName("org.apache.spark.sql.Dataset", true, columnar.getClassLoader());
      RDD<?> tables = (RDD<?>) columnar.getMethod("convert", type).invoke(null, dataset);
      if (isOfRows(tables)) {
        LOG.info(
            "edges come as rows: {}, with which the plan of their table ends, is not on the GPU",
            end.get());
        return null;
      }
      return tables.toJavaRDD().map(table -> block(table, values));
    } catch (InvocationTargetException e) {
      throw Calls.unchecked(e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.warn("edges come as rows: RAPIDS' columns are not found: {}", e.toString());
      return null;
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

  private static EdgeBlock block(Object table, boolean values) throws ReflectiveOperationException {
    CudfBinding cudf = new CudfBinding(table.getClass().getClassLoader());
    return new DeviceEdgeBlock(new CudfTable(cudf, table, values));
  }
}
