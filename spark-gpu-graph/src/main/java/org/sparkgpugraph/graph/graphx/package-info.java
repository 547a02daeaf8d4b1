/**
 * Reading GraphX's columnar structures, and building GraphX graphs from results. The only package
 * that knows GraphX's internals. Begin with {@link org.sparkgpugraph.graph.graphx.GraphXReader},
 * then {@link org.sparkgpugraph.graph.graphx.GraphXResult}. May use: {@code memory}, {@code model}
 * and Spark.
 */
package org.sparkgpugraph.graph.graphx;
