/**
 * Brings graphs into executors: all at once in one JVM, or shard by shard through a shuffle; loads
 * more of them, and again what was lost. Begin with {@link
 * org.sparkgpugraph.runtime.load.GraphLoader}, then {@link
 * org.sparkgpugraph.runtime.load.ShardJob}. May use: {@code conf} to {@code observe}.
 */
package org.sparkgpugraph.runtime.load;
