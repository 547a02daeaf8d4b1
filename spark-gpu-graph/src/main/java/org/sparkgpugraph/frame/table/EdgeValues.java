package org.sparkgpugraph.frame.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.files.EdgeLoader;
import org.sparkgpugraph.files.input.InternalRows;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.pregel.BlockRows;
import org.sparkgpugraph.frame.pregel.RowColumns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GpuColumns;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.load.ShardTables;
import org.sparkgpugraph.runtime.rapids.ColumnarTables;

/**
 * What is loaded of edges beside their ends: nothing, a weight, or columns as they are.
 *
 * @param weight null unless it is a weight
 * @param columns empty unless these are loaded
 * @param rows how columns are read; null without them
 */
public record EdgeValues(String weight, List<String> columns, RowColumns rows) {
  /** Nothing. */
  public static final EdgeValues NONE = new EdgeValues(null, List.of(), null);

  private static final Logger LOG = LoggerFactory.getLogger(EdgeValues.class);

  private static final String SRC = "src";
  private static final String DST = "dst";

  /** A weight, or nothing where there is none. */
  public static EdgeValues weight(String column) {
    return column == null ? NONE : new EdgeValues(column, List.of(), null);
  }

  /** Columns as they are. */
  public static EdgeValues columns(List<String> columns, RowColumns rows) {
    return columns.isEmpty() ? NONE : new EdgeValues(null, List.copyOf(columns), rows);
  }

  /** All that is read of an edge, for messages. */
  public String[] read() {
    List<String> read = new ArrayList<>(List.of(SRC, DST));
    if (weight != null) {
      read.add(weight);
    }
    return read.toArray(String[]::new);
  }

  /**
   * Loads a graph.
   *
   * @param vertices further vertices; null: none
   */
  public ResidentGraph<Object, ?> load(
      Dataset<Row> edges, JavaRDD<VertexBlock> vertices, VertexKeys keys, RunOptions options) {
    List<Column> selected = new ArrayList<>();
    selected.add(keys.of(TableColumns.named(SRC)).as(SRC));
    selected.add(keys.of(TableColumns.named(DST)).as(DST));
    if (columns.isEmpty()) {
      return loadWeights(edges, selected, vertices, options);
    }
    for (String name : columns) {
      Column column = TableColumns.named(name);
      selected.add(
          column.cast(RowColumns.readable(edges.select(column).schema().apply(0).dataType())));
    }
    RowColumns layout = rows;
    JavaRDD<EdgeBlock> blocks =
        InternalRows.of(edges.select(selected.toArray(Column[]::new)))
            .toJavaRDD()
            .mapPartitions(each -> BlockRows.edges(each, layout));
    GraphSource source = GraphSource.of(blocks, vertices, layout.type());
    if (GpuColumns.areAsked(source.sc())) {
      source = source.withGpuColumns("edges come as rows: the program reads columns of them");
    }
    return Internals.graph(GraphView.load(source, options, true, false));
  }

  /**
   * The same edges as a table of columns that RAPIDS may have on the GPU.
   *
   * @throws ColumnarTables.RowsException where rows are asked for, or it cannot
   */
  private Dataset<Row> table(Dataset<Row> edges, List<Column> selected, RunOptions options)
      throws ColumnarTables.RowsException {
    Optional<String> rowsAsked = GpuColumns.rowsAsked(edges.sparkSession().sparkContext(), options);
    if (rowsAsked.isPresent()) {
      throw new ColumnarTables.RowsException(rowsAsked.get());
    }
    List<Column> columns = new ArrayList<>(selected.subList(0, 2));
    if (weight != null) {
      Column number = TableColumns.named(weight);
      if (edges.select(number).schema().apply(0).dataType() instanceof DecimalType) {
        throw new ColumnarTables.RowsException("weights are decimals");
      }
      columns.add(number.cast(DataTypes.DoubleType).as("weight"));
    }
    return edges.select(columns.toArray(Column[]::new));
  }

  /** As long as nobody has asked for its plan: the same table once more. */
  private static Dataset<Row> again(Dataset<Row> table) {
    return table.select("*");
  }

  /** The last operator of a plan, below what Spark wraps around operators. */
  private static String end(Dataset<Row> table) {
    SparkPlan plan = InternalRows.queryExecution(table).executedPlan();
    while (plan instanceof AdaptiveSparkPlanExec || plan instanceof WholeStageCodegenExec) {
      plan =
          plan instanceof AdaptiveSparkPlanExec adaptive
              ? adaptive.executedPlan()
              : ((WholeStageCodegenExec) plan).child();
    }
    return plan.nodeName();
  }

  private ResidentGraph<Object, ?> loadWeights(
      Dataset<Row> edges,
      List<Column> selected,
      JavaRDD<VertexBlock> vertices,
      RunOptions options) {
    if (weight != null) {
      selected.add(TableColumns.named(weight).as("weight"));
    }
    SparkContext sc = edges.sparkSession().sparkContext();
    JavaRDD<EdgeBlock> blocks = null;
    String told = null;
    boolean stay = false;
    ShardTables tables = null;
    if (GpuColumns.areAsked(sc)) {
      try {
        Optional<String> obstacle =
            vertices == null
                ? GpuColumns.edgesObstacle(sc, options)
                : Optional.of("there is a table of vertices beside them");
        ColumnarTables.To to =
            obstacle.isEmpty() ? ColumnarTables.To.DEVICE : ColumnarTables.To.HOST;
        Dataset<Row> table = table(edges, selected, options);
        blocks = ColumnarTables.edges(again(table), weight != null, to, () -> end(again(table)));
        stay = obstacle.isEmpty();
        Optional<String> ofShards =
            vertices == null ? GpuColumns.shardsObstacle(sc, options) : obstacle;
        if (!stay && ofShards.isEmpty()) {
          tables = new SentEdges(again(table), EdgeValues::end);
        }
        told =
            (stay || ofShards.isEmpty() ? obstacle : ofShards)
                .map(why -> "edges are copied from the GPU to the host in columns: " + why)
                .orElse("edges stay on the GPU, where RAPIDS has them");
      } catch (ColumnarTables.RowsException e) {
        told = "edges come as rows: " + e.getMessage();
        LOG.info("{}", told);
      }
    }
    if (blocks == null) {
      blocks =
          EdgeLoader.fromDataset(
              edges.select(selected.toArray(Column[]::new)),
              SRC,
              DST,
              weight == null ? null : "weight");
    }
    Class<?> values = weight == null ? Object.class : Double.class;
    GraphSource source =
        vertices == null
            ? new GraphSource(sc, Object.class, values, blocks, null, null, false)
            : GraphSource.of(blocks, vertices, values);
    GraphSource toldOf = source.withGpuColumns(told).withShardTables(tables);
    return Internals.graph(
        GraphView.load(stay ? toldOf.withEdgesOnDevice() : toldOf, options, true, false));
  }
}
