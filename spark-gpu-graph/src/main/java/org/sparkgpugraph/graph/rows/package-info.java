/**
 * How compressed sparse rows are made of edges. Which way is taken depends on what is known of the
 * order of the edges: {@link org.sparkgpugraph.graph.rows.AscendingRows} where sources ascend in
 * every block (GraphX's edge partitions), {@link org.sparkgpugraph.graph.rows.CsrSort} where edge
 * values come along, {@link org.sparkgpugraph.graph.rows.RowSort} for all others, {@link
 * org.sparkgpugraph.graph.rows.SourceRows} for programs that push, and {@link
 * org.sparkgpugraph.graph.rows.UnsortedEdges} where rows wait until somebody needs them. Begin with
 * {@link org.sparkgpugraph.graph.rows.PartitionRows}, which chooses. May use: {@code memory},
 * {@code model}.
 */
package org.sparkgpugraph.graph.rows;
