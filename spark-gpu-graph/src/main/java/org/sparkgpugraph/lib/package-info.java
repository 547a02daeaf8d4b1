/**
 * The graph algorithms with GraphX graphs in and out: {@code org.apache.spark.graphx.lib},
 * signature by signature, and what GraphX lacks. How they work, and run on graphs without GraphX,
 * {@link org.sparkgpugraph.algorithm} says. Begin with {@link org.sparkgpugraph.lib.PageRank}. May
 * use: all but {@code scaladsl}.
 */
package org.sparkgpugraph.lib;
