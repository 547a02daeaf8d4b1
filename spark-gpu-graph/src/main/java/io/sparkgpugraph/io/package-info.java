/**
 * Loaders, writers and generators of graphs that never become GraphX objects: edges travel as
 * {@link io.sparkgpugraph.graph.GlobalEdgeBlock blocks} of primitive arrays, results as {@link
 * io.sparkgpugraph.io.VertexBlock blocks} of ids and values. The only package that uses Spark SQL.
 */
package io.sparkgpugraph.io;
