/**
 * Operators: computations on graphs that are no vertex programs, on the same executor graphs and
 * engines, on one executor or many. Begin with {@link
 * org.sparkgpugraph.engine.operator.GraphOperator}. May use: {@code engine}, {@code graphs}, {@code
 * program} and, by {@link org.sparkgpugraph.engine.device.operators.OperatorDevice}, devices.
 */
package org.sparkgpugraph.engine.operator;
