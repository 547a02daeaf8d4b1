/**
 * Graph algorithms as vertex programs: {@code org.apache.spark.graphx.lib}, signature by signature,
 * and what GraphX lacks. Begin with {@link org.sparkgpugraph.lib.PageRank} for a program, {@link
 * org.sparkgpugraph.lib.ConnectedComponents} for one that an operator may do. May use: all but
 * {@code scaladsl}.
 */
package org.sparkgpugraph.lib;
