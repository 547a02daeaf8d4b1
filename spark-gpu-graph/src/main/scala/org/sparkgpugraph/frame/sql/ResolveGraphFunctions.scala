package org.sparkgpugraph.frame.sql

import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Gives calls their columns, once Spark has found the tables. */
private[frame] final class ResolveGraphFunctions extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case call: UnresolvedGraphFunction if call.childrenResolved => resolved(call)
  }

  private def resolved(call: UnresolvedGraphFunction): GraphFunction = {
    call.children.find(_.isStreaming).foreach { _ =>
      throw new IllegalArgumentException(
        s"${call.name}: a table is a stream, but algorithms take tables that are complete")
    }
    val query = call.query
    val columns = QueryTables.resultColumns(
      query,
      call.vertices.map(_.schema).orNull,
      call.edges.schema)
    def named(table: LogicalPlan, name: String): Attribute =
      table.output.find(column => conf.resolver(column.name, name)).get
    val ends = query.edgeColumns.toArray(Array.empty[String]).toSeq.map(named(call.edges, _))
    GraphFunction(
      query,
      ends ++ call.vertices.map(named(_, query.vertexColumn)),
      columns.fields.toSeq.map { column =>
        AttributeReference(column.name, column.dataType, column.nullable, column.metadata)()
      },
      Project(ends.distinct, call.edges),
      call.vertices)
  }
}

/** Says which argument names no table, where Spark could find none. */
private[frame] final class CheckGraphFunctions extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case call: UnresolvedGraphFunction =>
      missing(call, TableFunction.EDGES, call.edges)
      call.vertices.foreach(missing(call, TableFunction.VERTICES, _))
      call
  }

  private def missing(call: UnresolvedGraphFunction, argument: String, table: LogicalPlan): Unit =
    table match {
      case relation: UnresolvedRelation =>
        val name = relation.multipartIdentifier.mkString(".")
        throw new IllegalArgumentException(
          s"${call.name}: argument '$argument' is '$name', but there is no such table or view;" +
            s" what WITH names is given as $argument => TABLE($name)")
      case _ =>
    }
}
