/**
 * Builds the executor graph of blocks: dense ids, ranges, rows, ghosts, boundary lists. Begin with
 * {@link org.sparkgpugraph.graphs.build.ExecutorGraphBuilder}. May use: {@code memory} to {@code
 * rows}.
 */
package org.sparkgpugraph.graphs.build;
