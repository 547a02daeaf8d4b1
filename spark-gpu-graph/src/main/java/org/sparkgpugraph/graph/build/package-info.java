/**
 * Builds the executor graph of blocks: dense ids, ranges, rows, ghosts, boundary lists. Begin with
 * {@link org.sparkgpugraph.graph.build.ExecutorGraphBuilder}. May use: {@code memory} to {@code
 * rows}.
 */
package org.sparkgpugraph.graph.build;
