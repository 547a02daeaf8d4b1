package org.sparkgpugraph.frame.sql

import java.util.{Locale, Map => JavaMap, TreeMap}

import org.apache.spark.sql.catalyst.{CatalystTypeConverters, InternalRow}
import org.apache.spark.sql.catalyst.expressions.{Expression, FunctionTableSubqueryArgumentExpression, NamedArgumentExpression}
import org.apache.spark.sql.catalyst.parser.{CatalystSqlParser, ParseException}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import scala.util.control.NonFatal

/**
 * Makes a plan of the arguments of a call: the first is the table of the edges, all others have
 * names. Spark gives arguments as they are written, named ones as `NamedArgumentExpression`.
 */
final class GraphFunctionBuilder(function: TableFunction) extends (Seq[Expression] => LogicalPlan) {
  import TableFunction.{EDGES, VERTICES}

  override def apply(arguments: Seq[Expression]): LogicalPlan = {
    val byName = new TreeMap[String, Expression]
    arguments.zipWithIndex.foreach {
      case (named: NamedArgumentExpression, _) => add(byName, named.key, named.value)
      case (edges, 0) => add(byName, EDGES, edges)
      case (_, position) =>
        throw refused(
          s"argument ${position + 1} has no name: only the first, $EDGES, may do without;" +
            s" write NAME => VALUE, where NAME is $names")
    }
    val edges = Option(byName.remove(EDGES)).getOrElse(throw refused(
      s"argument '$EDGES' is missing: give the name of a table or view, or TABLE(...)"))
    val vertices = Option(byName.remove(VERTICES))
    val constants: JavaMap[String, Argument] = new TreeMap[String, Argument]
    byName.forEach((name, value) => constants.put(name, constant(name, value)))
    UnresolvedGraphFunction(
      function.name,
      function.query(constants, vertices.isDefined),
      table(EDGES, edges),
      vertices.map(table(VERTICES, _)))
  }

  private def names: String =
    (VERTICES +: function.parameters.toArray.toSeq).mkString(", ")

  private def refused(message: String): IllegalArgumentException =
    new IllegalArgumentException(s"${function.name}: $message")

  private def add(
      arguments: JavaMap[String, Expression],
      written: String,
      value: Expression): Unit = {
    val name = written.toLowerCase(Locale.ROOT)
    if (name != EDGES && name != VERTICES && !function.parameters.contains(name)) {
      throw refused(s"there is no argument '$written': arguments are $EDGES, $names")
    }
    if (arguments.put(name, value) != null) {
      throw refused(s"argument '$name' is given twice")
    }
  }

  /** A table by its name, which Spark looks up as it does any, or a query. */
  private def table(name: String, value: Expression): LogicalPlan = value match {
    case query: FunctionTableSubqueryArgumentExpression =>
      if (query.outerAttrs.nonEmpty) {
        throw refused(s"argument '$name' refers to columns of the query around it")
      }
      // PARTITION BY, WITH SINGLE PARTITION and ORDER BY, which 3.5 does not have.
      if (query.children.nonEmpty || query.productIterator.contains(true)) {
        throw refused(s"argument '$name' is partitioned or ordered: give the table alone")
      }
      query.plan
    case _ =>
      val text = constant(name, value) match {
        case argument if argument.value.isInstanceOf[String] => argument.value.asInstanceOf[String]
        case other =>
          throw refused(
            s"argument '$name' is $other, but the name of a table or view is expected, as in" +
              s" 'sales.edges', or TABLE(...)")
      }
      val parts =
        try CatalystSqlParser.parseMultipartIdentifier(text)
        catch {
          case e: ParseException =>
            throw new IllegalArgumentException(
              s"${function.name}: argument '$name' is '$text', which is no name of a table or view;" +
                " quote a part with other characters in backticks, and give queries as TABLE(...)",
              e)
        }
      val quoted = parts.map(part => "`" + part.replace("`", "``") + "`")
      CatalystSqlParser.parsePlan("TABLE " + quoted.mkString("."))
  }

  private def constant(name: String, value: Expression): Argument = {
    if (value.isInstanceOf[FunctionTableSubqueryArgumentExpression]) {
      throw refused(s"argument '$name' is a table, but a constant is expected")
    }
    if (!value.foldable) {
      throw refused(s"argument '$name' is ${value.sql}, but a constant is expected")
    }
    val evaluated =
      try CatalystTypeConverters.convertToScala(value.eval(InternalRow.empty), value.dataType)
      catch {
        case NonFatal(e) =>
          throw new IllegalArgumentException(
            s"${function.name}: argument '$name' is ${value.sql}, which has no value: " +
              e.getMessage,
            e)
      }
    evaluated match {
      case null => throw refused(s"argument '$name' is NULL: leave it out or give a value")
      case array: scala.collection.Seq[_] =>
        new Argument(java.util.Arrays.asList(array.toArray[Any]: _*), value.dataType.sql)
      case other => new Argument(other, value.dataType.sql)
    }
  }
}
