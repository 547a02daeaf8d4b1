/**
 * Reading GraphX's columnar structures, and building GraphX graphs from results. The only package
 * that knows GraphX's internals. Begin with {@link org.sparkgpugraph.graph.graphx.GraphXReader} and
 * {@link org.sparkgpugraph.graph.graphx.GraphXResult}. May use: {@code graph.model}, Spark and
 * GraphX.
 */
package org.sparkgpugraph.graph.graphx;
