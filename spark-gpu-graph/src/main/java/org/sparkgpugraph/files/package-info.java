/**
 * Loaders, writers and generators of graphs that never become GraphX objects: edges travel as
 * {@link org.sparkgpugraph.graph.model.EdgeBlock blocks} of primitive arrays, results as {@link
 * org.sparkgpugraph.graph.model.VertexBlock blocks} of ids and values. The only package that uses
 * Spark SQL.
 */
package org.sparkgpugraph.files;
