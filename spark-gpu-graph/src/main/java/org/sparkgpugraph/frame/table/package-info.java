/**
 * Between tables and loaded graphs: keys of ids, what is loaded of edges, what a graph takes, and
 * results as tables. Begin with {@link org.sparkgpugraph.frame.table.VertexKeys}. May use: {@code
 * frame.pregel}, {@code algorithm}, {@code files} and what these stand on.
 */
package org.sparkgpugraph.frame.table;
