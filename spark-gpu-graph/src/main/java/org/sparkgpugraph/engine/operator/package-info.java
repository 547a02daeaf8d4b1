/**
 * Operators on graphs beyond messages of a fixed width: computations that are no vertex programs,
 * on the same executor graphs and engines, on one executor or many ({@link
 * org.sparkgpugraph.engine.operator.GraphOperator}).
 */
package org.sparkgpugraph.engine.operator;
