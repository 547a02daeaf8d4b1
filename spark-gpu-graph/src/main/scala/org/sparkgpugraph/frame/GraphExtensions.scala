package org.sparkgpugraph.frame

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.sparkgpugraph.frame.sql.{CheckGraphFunctions, GraphFunctionBuilder, GraphFunctionStrategy, ResolveGraphFunctions, TableFunction}

/**
 * Algorithms as table functions of Spark SQL, in sessions that are made with
 * `spark.sql.extensions=org.sparkgpugraph.frame.GraphExtensions`:
 *
 * {{{
 * SELECT * FROM page_rank('follows', vertices => 'persons', tol => 0.001)
 * }}}
 *
 * `DESCRIBE FUNCTION EXTENDED page_rank` tells the arguments.
 */
final class GraphExtensions extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    SqlFunctions.ALL.forEach { (function: TableFunction) =>
      extensions.injectTableFunction(
        (FunctionIdentifier(function.name), function.info, new GraphFunctionBuilder(function)))
    }
    extensions.injectResolutionRule(always(new ResolveGraphFunctions))
    extensions.injectPostHocResolutionRule(always(new CheckGraphFunctions))
    extensions.injectPlannerStrategy(always(new GraphFunctionStrategy))
  }

  /** Spark's class of sessions, which no code here names, is another one in Spark 4. */
  private def always[T](same: T): Any => T = _ => same
}
