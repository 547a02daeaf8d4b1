package org.sparkgpugraph.frame.sql

import org.apache.spark.sql.catalyst.analysis.MultiInstanceRelation
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

/**
 * A call of a table function: the vertices with the columns of the result. Spark's optimizer takes
 * the columns out of the vertices that nobody wants, since they are handed on as they are and only
 * `keys` are read. Nothing is pushed below it, and nothing runs before it is executed.
 *
 * @param keys the columns of both tables that are read
 * @param results what the vertices get; without vertices all columns
 */
private[frame] case class GraphFunction(
    query: GraphQuery,
    keys: Seq[Attribute],
    results: Seq[Attribute],
    edges: LogicalPlan,
    vertices: Option[LogicalPlan])
    extends LogicalPlan
    with MultiInstanceRelation {
  override def children: Seq[LogicalPlan] = edges +: vertices.toSeq

  override def output: Seq[Attribute] = GraphFunction.output(vertices.map(_.output), results)

  override def producedAttributes: AttributeSet = AttributeSet(results)

  /** For joins with itself: all columns under new identities. */
  override def newInstance(): LogicalPlan = {
    val renewed = vertices.map { table =>
      Project(table.output.map(column => Alias(column, column.name)()), table)
    }
    val names = for (old <- vertices.toSeq; is <- renewed) yield old.output.zip(is.output)
    val renamed = names.flatten.map { case (old, is) => old.exprId -> is }.toMap
    copy(
      keys = keys.map(key => renamed.getOrElse(key.exprId, key)),
      results = results.map(_.newInstance()),
      vertices = renewed)
  }

  override protected def withNewChildrenInternal(
      tables: IndexedSeq[LogicalPlan]): GraphFunction =
    copy(edges = tables.head, vertices = tables.tail.headOption)
}

private[frame] object GraphFunction {

  /** Ends of edges that become vertices have nulls in the other columns. */
  def output(vertices: Option[Seq[Attribute]], results: Seq[Attribute]): Seq[Attribute] =
    vertices.toSeq.flatten.map(_.withNullability(true)) ++ results
}
