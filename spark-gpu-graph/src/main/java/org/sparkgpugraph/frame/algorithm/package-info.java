/**
 * The library's algorithms as users of {@code PropertyGraph} see them: their options, and their
 * results as columns. Begin with {@link org.sparkgpugraph.frame.algorithm.FrameAlgorithm}, then
 * {@link org.sparkgpugraph.frame.algorithm.SingleRun}, which most of them are, and {@link
 * org.sparkgpugraph.frame.algorithm.ConnectedComponents} for the smallest. They know tables and the
 * loaded graph by two interfaces, {@link org.sparkgpugraph.frame.algorithm.GraphTables} and {@link
 * org.sparkgpugraph.frame.algorithm.LoadedGraph}, which {@code frame} implements. May use: {@code
 * frame.table}, {@code algorithm}, {@code files.input} and what these stand on.
 */
package org.sparkgpugraph.frame.algorithm;
