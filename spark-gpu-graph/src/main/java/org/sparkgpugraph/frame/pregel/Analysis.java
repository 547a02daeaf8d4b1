package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.files.input.InternalRows;

/**
 * A program's expressions as Spark's analysis resolves them: with types, and casts where they are
 * needed.
 *
 * @param columnTypes type of each column that vertices get
 * @param messageType type of the messages
 * @param sends to sources, and then to destinations
 * @param aggregate of the messages
 * @param updates one per column
 * @param stop null: there is none
 */
public record Analysis(
    ColumnSpec spec,
    StructType vertices,
    StructType edges,
    List<DataType> columnTypes,
    DataType messageType,
    Resolved sends,
    Resolved aggregate,
    Resolved updates,
    Resolved stop) {
  private static final int ROUNDS = 4;

  /**
   * Expressions and the columns that they are of.
   *
   * @param isPlain whether each is a function of one row, or of all rows in an aggregate
   */
  record Resolved(List<Expression> trees, List<AttributeReference> inputs, boolean isPlain) {
    /** The number of an input; −1 when it is none. */
    int indexOf(AttributeReference attribute) {
      for (int i = 0; i < inputs.size(); i++) {
        if (inputs.get(i).exprId().equals(attribute.exprId())) {
          return i;
        }
      }
      return -1;
    }

    DataType type(int index) {
      return trees.get(index).dataType();
    }
  }

  /**
   * Resolves.
   *
   * @param vertices columns of the vertices
   * @param edges columns of the edges
   * @throws IllegalArgumentException when messages or columns have several types
   * @throws org.apache.spark.sql.AnalysisException as Spark's select
   */
  public static Analysis of(
      SparkSession spark, StructType vertices, StructType edges, ColumnSpec spec) {
    List<DataType> types = new ArrayList<>();
    for (ColumnSpec.VertexColumn column : spec.columns()) {
      types.add(resolved(spark, vertices, List.of(column.initial())).type(0));
    }
    for (int round = 0; round < ROUNDS; round++) {
      Analysis analysis = of(spark, vertices, edges, spec, types);
      List<DataType> next = analysis.next();
      if (same(next, types)) {
        return analysis;
      }
      types = next;
    }
    throw new IllegalArgumentException(
        "the types of the columns grow with each iteration: cast the expressions");
  }

  private static Analysis of(
      SparkSession spark,
      StructType vertices,
      StructType edges,
      ColumnSpec spec,
      List<DataType> types) {
    StructType vertex = vertices;
    StructType own = new StructType();
    for (int i = 0; i < types.size(); i++) {
      StructField field =
          new StructType().add(spec.columns().get(i).name(), types.get(i), true).fields()[0];
      vertex = vertex.add(field);
      own = own.add(field);
    }
    StructType triplet =
        new StructType()
            .add(ColumnSpec.SOURCE, vertex, false)
            .add(ColumnSpec.EDGE, edges, false)
            .add(ColumnSpec.DESTINATION, vertex, false);
    List<Column> messages = new ArrayList<>(spec.toSource());
    messages.addAll(spec.toDestination());
    Resolved sends = resolved(spark, triplet, messages);
    DataType message = messageType(sends);
    Resolved aggregate =
        resolved(
            spark,
            new StructType().add(ColumnSpec.MESSAGE, message, false),
            List.of(spec.aggregate()));
    StructType told = vertex.add(ColumnSpec.MESSAGE, aggregate.type(0), true);
    Resolved stop =
        spec.stopWhen() == null
            ? null
            : resolved(
                spark,
                told.add(ColumnSpec.BEFORE, own, false),
                List.of(spec.stopWhen().cast("boolean")));
    return new Analysis(
        spec,
        vertices,
        edges,
        List.copyOf(types),
        message,
        sends,
        aggregate,
        updates(spark, told, spec, types),
        stop);
  }

  /** Smaller numbers are cast to what their columns are. */
  private static Resolved updates(
      SparkSession spark, StructType schema, ColumnSpec spec, List<DataType> types) {
    List<Column> updates = new ArrayList<>();
    spec.columns().forEach(column -> updates.add(column.update()));
    Resolved written = resolved(spark, schema, updates);
    boolean cast = false;
    for (int i = 0; i < types.size(); i++) {
      DataType type = types.get(i);
      if (type instanceof NumericType
          && written.type(i) instanceof NumericType
          && isWider(type, written.type(i))) {
        updates.set(i, updates.get(i).cast(type));
        cast = true;
      }
    }
    return cast ? resolved(spark, schema, updates) : written;
  }

  private static DataType messageType(Resolved sends) {
    DataType type = sends.type(0);
    for (int i = 1; i < sends.trees().size(); i++) {
      if (!sends.type(i).sameType(type)) {
        throw new IllegalArgumentException(
            "the messages are of types %s (%s) and %s (%s): cast them to one"
                .formatted(
                    type.simpleString(),
                    sends.trees().get(0).sql(),
                    sends.type(i).simpleString(),
                    sends.trees().get(i).sql()));
      }
    }
    return type;
  }

  /** The types that columns need to hold their next values: larger numbers than their first. */
  private List<DataType> next() {
    List<DataType> next = new ArrayList<>();
    for (int i = 0; i < columnTypes.size(); i++) {
      DataType now = columnTypes.get(i);
      DataType then = updates.type(i);
      boolean numbers = now instanceof NumericType && then instanceof NumericType;
      if (then instanceof NullType || then.sameType(now)) {
        next.add(now);
      } else if (now instanceof NullType || numbers) {
        next.add(now instanceof NullType || isWider(then, now) ? then : now);
      } else {
        throw new IllegalArgumentException(
            "column '%s' is first of type %s, but %s is of type %s: cast one of them"
                .formatted(
                    spec.columns().get(i).name(),
                    now.simpleString(),
                    updates.trees().get(i).sql(),
                    then.simpleString()));
      }
    }
    return next;
  }

  private static boolean isWider(DataType one, DataType other) {
    int difference = one.defaultSize() - other.defaultSize();
    return difference > 0 || difference == 0 && other instanceof IntegralType;
  }

  private static boolean same(List<DataType> one, List<DataType> other) {
    for (int i = 0; i < one.size(); i++) {
      if (!one.get(i).sameType(other.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static Resolved resolved(SparkSession spark, StructType schema, List<Column> columns) {
    List<Column> named = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      named.add(columns.get(i).as("expression " + i));
    }
    Dataset<Row> table =
        spark.createDataFrame(List.<Row>of(), schema).select(named.toArray(Column[]::new));
    LogicalPlan plan = InternalRows.queryExecution(table).analyzed();
    LogicalPlan child = (LogicalPlan) Trees.list(plan.children()).get(0);
    List<AttributeReference> inputs = new ArrayList<>();
    for (Attribute attribute : Trees.<Attribute>list(child.output())) {
      inputs.add((AttributeReference) attribute);
    }
    boolean isAggregate =
        plan instanceof Aggregate aggregate && aggregate.groupingExpressions().isEmpty();
    boolean isPlain = isAggregate || plan instanceof Project;
    List<Expression> trees = new ArrayList<>();
    Trees.<Expression>list(plan.expressions()).forEach(trees::add);
    return new Resolved(trees, inputs, isPlain);
  }
}
