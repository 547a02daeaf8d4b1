/**
 * What a run computes, and how that goes on over several executors: map stages over all shards of a
 * graph, each done once whatever Spark does with its tasks, and checkpoints between them. Begin
 * with {@link org.sparkgpugraph.runtime.stage.Computation} and {@link
 * org.sparkgpugraph.runtime.stage.ShardComputation}, then {@link
 * org.sparkgpugraph.runtime.stage.FencedStages} (driver) and {@link
 * org.sparkgpugraph.runtime.stage.FencedShard} (executor). May use: {@code conf} to {@code load}.
 */
package org.sparkgpugraph.runtime.stage;
