/**
 * A graph that several executors hold: edges on their way to the shards that need them, the shard
 * built of them, and the questions and answers by which shards learn of each other's ghosts.
 *
 * <p>Begin with {@link org.sparkgpugraph.graphs.shard.EdgeRouter}, then {@link
 * org.sparkgpugraph.graphs.shard.ShardBuilder} and {@link
 * org.sparkgpugraph.graphs.shard.GhostHandshake}. May use: {@code memory} to {@code build}.
 */
package org.sparkgpugraph.graphs.shard;
