/**
 * Operators on graphs: computations that are no vertex programs, on the same executor graphs and
 * engines, on one executor or many. Begin with {@link
 * org.sparkgpugraph.engine.operator.GraphOperator}. May use: {@code engine}, {@code engine.device},
 * {@code graph}; no Spark.
 */
package org.sparkgpugraph.engine.operator;
