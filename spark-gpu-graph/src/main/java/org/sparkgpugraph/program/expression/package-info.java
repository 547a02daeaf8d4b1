/**
 * What a function computes as expressions over its inputs, equal ones as one object: what {@code
 * analysis} compares and {@code hoist} moves. Begin with {@link
 * org.sparkgpugraph.program.expression.Expression}. May use: {@code program.ir}.
 */
package org.sparkgpugraph.program.expression;
