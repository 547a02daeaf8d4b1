/**
 * Cores of graphs that have every edge in both directions, by peeling. Begin with {@link
 * org.sparkgpugraph.engine.cores.PeelingOperator}. May use: {@code engine.operator} and what that
 * may use.
 */
package org.sparkgpugraph.engine.cores;
