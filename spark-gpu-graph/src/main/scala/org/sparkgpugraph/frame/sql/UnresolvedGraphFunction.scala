package org.sparkgpugraph.frame.sql

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** A call of a table function before its tables are known. */
private[frame] case class UnresolvedGraphFunction(
    name: String,
    query: GraphQuery,
    edges: LogicalPlan,
    vertices: Option[LogicalPlan])
    extends LogicalPlan {
  override lazy val resolved: Boolean = false

  override def children: Seq[LogicalPlan] = edges +: vertices.toSeq

  override def output: Seq[Attribute] = Nil

  override protected def withNewChildrenInternal(
      tables: IndexedSeq[LogicalPlan]): UnresolvedGraphFunction =
    copy(edges = tables.head, vertices = tables.tail.headOption)
}
