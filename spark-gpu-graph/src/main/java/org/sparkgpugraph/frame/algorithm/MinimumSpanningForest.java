package org.sparkgpugraph.frame.algorithm;

import java.util.Objects;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.MinimumSpanningForest.Joined;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * A minimum spanning forest, a tree with a root for each connected component: {@code component}, a
 * long that vertices of one have in common, as {@link ConnectedComponents} gives it; {@code
 * parent}, the id of the next vertex on the way to the root; and {@code weight}, a double, of the
 * edge to the parent. Both are null at a root. Directions do not count; of parallel edges the
 * lightest counts, self-loops do not.
 */
public final class MinimumSpanningForest extends FrameAlgorithm {
  private static final String PARENT = "parent";
  private static final String WEIGHT = "weight";

  private String weight;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public MinimumSpanningForest(GraphTables graph) {
    super(graph, columnsOf(DataTypes.LongType));
  }

  private static StructType columnsOf(DataType parent) {
    return new StructType()
        .add("component", DataTypes.LongType, false)
        .add(PARENT, parent, true)
        .add(WEIGHT, DataTypes.DoubleType, true);
  }

  @Override
  StructType columns(DataType ids) {
    return columnsOf(ids);
  }

  /** Column of the edges, finite numbers, also negative ones; must be given. */
  public MinimumSpanningForest weight(String column) {
    weight = column;
    return this;
  }

  @Override
  void check() {
    Objects.requireNonNull(weight, "weight is not set: give a column");
  }

  @Override
  String weight() {
    return weight;
  }

  @Override
  Dataset<Row> values(LoadedGraph on, RunOptions options) {
    try (VertexResult<Joined> forest =
        org.sparkgpugraph.algorithm.MinimumSpanningForest.run(on.weighted(), options)) {
      Dataset<Row> keys =
          FrameResult.of(
              on.spark(),
              forest,
              columns(),
              joined -> new Object[] {joined.component(), joined.parent(), joined.weight()});
      Column inTree = TableColumns.named(PARENT).isNotNull();
      return on.naming(keys, PARENT)
          .withColumn(WEIGHT, functions.when(inTree, TableColumns.named(WEIGHT)));
    }
  }
}
