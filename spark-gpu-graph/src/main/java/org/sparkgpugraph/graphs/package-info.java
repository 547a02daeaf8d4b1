/**
 * Graphs in the memory of executors, in the order in which they come about: {@code memory}
 * (arrays), {@code model} (what a graph is), {@code rdd} (what Spark keeps of results), {@code
 * rows}, {@code build}, {@code shard} (over several executors), {@code overlap}. Each uses those
 * before it only. Of programs they know the types of values and {@code EdgePredicate}; they know no
 * engine, and but for {@code rdd} no Spark.
 */
package org.sparkgpugraph.graphs;
