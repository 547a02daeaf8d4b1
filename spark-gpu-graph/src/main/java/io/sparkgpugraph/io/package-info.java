/**
 * Loaders, writers and generators of graphs that never become GraphX objects: edges travel as
 * {@link io.sparkgpugraph.graph.EdgeBlock blocks} of primitive arrays, results as {@link
 * io.sparkgpugraph.graph.VertexBlock blocks} of ids and values. The only package that uses Spark
 * SQL.
 */
package io.sparkgpugraph.io;
