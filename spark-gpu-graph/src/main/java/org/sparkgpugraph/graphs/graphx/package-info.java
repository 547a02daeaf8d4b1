/**
 * Reading GraphX's columnar structures, and building GraphX graphs from results. The only package
 * that knows GraphX's internals. Begin with {@link org.sparkgpugraph.graphs.graphx.GraphXReader},
 * then {@link org.sparkgpugraph.graphs.graphx.GraphXResult}. May use: {@code memory}, {@code model}
 * and Spark.
 */
package org.sparkgpugraph.graphs.graphx;
