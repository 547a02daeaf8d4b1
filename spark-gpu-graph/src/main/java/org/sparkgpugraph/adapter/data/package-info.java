/**
 * Reading GraphX's columnar structures, and building GraphX graphs from results. The only package
 * that knows GraphX's internals. Begin with {@link org.sparkgpugraph.adapter.data.GraphXReader},
 * then {@link org.sparkgpugraph.adapter.data.GraphXResult}. May use: {@code graphs} and Spark.
 */
package org.sparkgpugraph.adapter.data;
