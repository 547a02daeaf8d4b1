package org.sparkgpugraph.frame.sql

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}

/**
 * Runs a call when its rows are asked for, once: who executes the same physical plan again gets the
 * same rows. The tables are what Spark planned for them, with its caches and pushed filters.
 * Executors get it as a part of the plan around it, but only the driver runs it.
 */
private[frame] case class GraphFunctionExec(
    @transient query: GraphQuery,
    results: Seq[Attribute],
    edges: SparkPlan,
    vertices: Option[SparkPlan],
    @transient caller: SparkSession)
    extends SparkPlan {
  override def children: Seq[SparkPlan] = edges +: vertices.toSeq

  override def output: Seq[Attribute] = GraphFunction.output(vertices.map(_.output), results)

  override def producedAttributes: AttributeSet = AttributeSet(results)

  @transient private lazy val rows: RDD[InternalRow] =
    QueryTables.run(query, caller, vertices.map(table).orNull, table(edges))

  private def table(plan: SparkPlan) = new QueryTables.Rows(plan.execute(), plan.schema)

  override protected def doExecute(): RDD[InternalRow] = rows

  override protected def withNewChildrenInternal(
      tables: IndexedSeq[SparkPlan]): GraphFunctionExec =
    copy(edges = tables.head, vertices = tables.tail.headOption)

  override protected def stringArgs: Iterator[Any] = Iterator(query, output)
}

/** Plans calls of table functions. */
private[frame] final class GraphFunctionStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case call: GraphFunction =>
      GraphFunctionExec(
        call.query,
        call.results,
        planLater(call.edges),
        call.vertices.map(planLater),
        SparkSession.active) :: Nil
    case _ => Nil
  }
}
