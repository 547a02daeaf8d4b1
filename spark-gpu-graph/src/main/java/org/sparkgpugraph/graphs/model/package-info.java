/**
 * What a graph is to those who use one: executor graph, partition, rows, ids, boundary lists, and
 * the blocks that it is loaded from. Begin with {@link
 * org.sparkgpugraph.graphs.model.ExecutorGraph}. May use: {@code memory}.
 */
package org.sparkgpugraph.graphs.model;
