/**
 * Graphs in the memory of executors, in the order in which they come about: {@code memory}
 * (arrays), {@code model} (what a graph is), {@code rows}, {@code build}, {@code shard} (over
 * several executors), {@code overlap}. Each uses those before it only, and none knows programs'
 * functions, engines or Spark; {@code graphx} beside them reads GraphX's own structures.
 */
package org.sparkgpugraph.graphs;
