/**
 * How compressed sparse rows are made of edges, now or when they are first needed ({@link
 * org.sparkgpugraph.graphs.rows.UnsortedEdges}). Begin with {@link
 * org.sparkgpugraph.graphs.rows.RowBuilder}, which says what way is taken when, then {@link
 * org.sparkgpugraph.graphs.rows.PartitionRows}. May use: {@code memory}, {@code model}.
 */
package org.sparkgpugraph.graphs.rows;
