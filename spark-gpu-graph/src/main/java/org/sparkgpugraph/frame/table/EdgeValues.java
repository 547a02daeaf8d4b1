package org.sparkgpugraph.frame.table;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
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
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;

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
    return Internals.graph(GraphView.load(source, options, true, false));
  }

  private ResidentGraph<Object, ?> loadWeights(
      Dataset<Row> edges,
      List<Column> selected,
      JavaRDD<VertexBlock> vertices,
      RunOptions options) {
    if (weight != null) {
      selected.add(TableColumns.named(weight).as("weight"));
    }
    JavaRDD<EdgeBlock> blocks =
        EdgeLoader.fromDataset(
            edges.select(selected.toArray(Column[]::new)),
            SRC,
            DST,
            weight == null ? null : "weight");
    Class<?> values = weight == null ? Object.class : Double.class;
    return vertices == null
        ? ResidentGraph.load(blocks, values, options)
        : ResidentGraph.load(blocks, vertices, values, options);
  }
}
