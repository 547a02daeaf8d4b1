package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.sparkgpugraph.files.input.TableColumns;

/** Runs a program in column expressions by joins and aggregations of Spark's, as it is written. */
public final class PregelJoins {
  private static final String ID = "id";
  private static final String TARGET = "__target";

  private final Analysis analysis;
  private final ColumnSpec spec;
  private final Dataset<Row> vertices;
  private final Dataset<Row> edges;

  /**
   * @param vertices with all that edges name
   */
  public PregelJoins(Analysis analysis, Dataset<Row> vertices, Dataset<Row> edges) {
    this.analysis = analysis;
    this.spec = analysis.spec();
    this.vertices = vertices;
    this.edges = edges;
  }

  /** The vertices with the columns of the program. */
  public Dataset<Row> run() {
    List<Column> first = named(vertices.columns());
    for (int i = 0; i < spec.columns().size(); i++) {
      ColumnSpec.VertexColumn column = spec.columns().get(i);
      first.add(column.initial().cast(analysis.columnTypes().get(i)).as(column.name()));
    }
    Dataset<Row> current = kept(vertices.select(first.toArray(Column[]::new)));
    for (int iteration = 0; iteration < spec.maxIterations(); iteration++) {
      Dataset<Row> told =
          current
              .join(
                  aggregated(current),
                  TableColumns.named(ID).equalTo(functions.col(TARGET)),
                  "left_outer")
              .drop(TARGET);
      boolean stops = spec.stopWhen() != null;
      Dataset<Row> next = kept(updated(told, stops));
      current = stops ? next.drop(ColumnSpec.MESSAGE, ColumnSpec.BEFORE) : next;
      if (stops
          && next.filter(functions.not(functions.coalesce(spec.stopWhen(), functions.lit(false))))
              .isEmpty()) {
        break;
      }
    }
    return current;
  }

  private static List<Column> named(String[] names) {
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(TableColumns.named(name));
    }
    return columns;
  }

  private Dataset<Row> aggregated(Dataset<Row> current) {
    Column all = functions.struct(named(current.columns()).toArray(Column[]::new));
    Dataset<Row> triplets =
        edges
            .select(
                functions.struct(named(edges.columns()).toArray(Column[]::new)).as(ColumnSpec.EDGE))
            .join(
                current.select(all.as(ColumnSpec.SOURCE)),
                functions.col("edge.src").equalTo(functions.col("src.id")))
            .join(
                current.select(all.as(ColumnSpec.DESTINATION)),
                functions.col("edge.dst").equalTo(functions.col("dst.id")));
    List<Column> messages = new ArrayList<>();
    spec.toSource().forEach(message -> messages.add(message("src.id", message)));
    spec.toDestination().forEach(message -> messages.add(message("dst.id", message)));
    return triplets
        .select(functions.explode(functions.array(messages.toArray(Column[]::new))).as("sent"))
        .select("sent." + TARGET, "sent." + ColumnSpec.MESSAGE)
        .filter(functions.col(ColumnSpec.MESSAGE).isNotNull())
        .groupBy(functions.col(TARGET))
        .agg(spec.aggregate().as(ColumnSpec.MESSAGE));
  }

  private static Column message(String target, Column message) {
    return functions.struct(functions.col(target).as(TARGET), message.as(ColumnSpec.MESSAGE));
  }

  private Dataset<Row> updated(Dataset<Row> told, boolean stops) {
    List<Column> columns = named(vertices.columns());
    List<Column> own = new ArrayList<>();
    for (int i = 0; i < spec.columns().size(); i++) {
      ColumnSpec.VertexColumn column = spec.columns().get(i);
      columns.add(column.update().cast(analysis.columnTypes().get(i)).as(column.name()));
      own.add(TableColumns.named(column.name()));
    }
    if (stops) {
      columns.add(functions.col(ColumnSpec.MESSAGE));
      columns.add(functions.struct(own.toArray(Column[]::new)).as(ColumnSpec.BEFORE));
    }
    return told.select(columns.toArray(Column[]::new));
  }

  /** Computed once, and from nothing but itself later on: plans do not grow with iterations. */
  private Dataset<Row> kept(Dataset<Row> table) {
    boolean reliable = edges.sparkSession().sparkContext().getCheckpointDir().isDefined();
    return reliable ? table.checkpoint(true) : table.localCheckpoint(true);
  }
}
