/**
 * Strongly connected components. Begin with {@link
 * org.sparkgpugraph.engine.strong.StrongComponentsOperator}. May use: {@code engine.operator} and
 * what that may use.
 */
package org.sparkgpugraph.engine.strong;
