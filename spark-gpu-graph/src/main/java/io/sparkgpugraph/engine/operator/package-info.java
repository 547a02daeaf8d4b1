/**
 * Operators on graphs beyond messages of a fixed width: computations that are no vertex programs,
 * on the same executor graphs and engines, on one executor or many ({@link
 * io.sparkgpugraph.engine.operator.GraphOperator}).
 */
package io.sparkgpugraph.engine.operator;
