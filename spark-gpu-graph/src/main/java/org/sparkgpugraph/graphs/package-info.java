/**
 * Graphs in the memory of executors, in the order in which they come about: {@code memory}
 * (arrays), {@code model} (what a graph is), {@code graphx} (reads GraphX's own structures, and
 * knows Spark), {@code rows}, {@code build}, {@code shard} (over several executors), {@code
 * overlap}. Each uses those before it only. Of programs they know the types of values and {@code
 * EdgePredicate}; they know no engine, and but for {@code graphx} no Spark.
 */
package org.sparkgpugraph.graphs;
