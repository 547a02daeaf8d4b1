/**
 * How compressed sparse rows are made of edges, now or when they are first needed ({@link
 * org.sparkgpugraph.graph.rows.UnsortedEdges}). Begin with {@link
 * org.sparkgpugraph.graph.rows.RowBuilder}, which says what way is taken when, then {@link
 * org.sparkgpugraph.graph.rows.PartitionRows}. May use: {@code memory}, {@code model}.
 */
package org.sparkgpugraph.graph.rows;
