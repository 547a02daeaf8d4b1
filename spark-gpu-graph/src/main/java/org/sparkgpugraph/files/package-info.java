/**
 * Graphs from files and results to files, without a GraphX object in between: edges travel as
 * {@link org.sparkgpugraph.graphs.model.EdgeBlock blocks} of primitive arrays, results as {@link
 * org.sparkgpugraph.graphs.model.VertexBlock blocks} of ids and values. Begin with {@link
 * org.sparkgpugraph.files.EdgeLoader} or {@link org.sparkgpugraph.files.VertexWriter}; {@code
 * input}, {@code generate} and {@code output} are what these stand on. Only this package and those
 * below it use Spark SQL. May use: all but {@code lib} and {@code scaladsl}.
 */
package org.sparkgpugraph.files;
