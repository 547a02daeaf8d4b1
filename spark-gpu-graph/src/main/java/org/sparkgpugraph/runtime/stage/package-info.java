/**
 * Work on all shards of a graph in one map stage, done once whatever Spark does with its tasks, and
 * checkpoints between stages. Begin with {@link org.sparkgpugraph.runtime.stage.FencedStages}
 * (driver) and {@link org.sparkgpugraph.runtime.stage.FencedShard} (executor). May use: {@code
 * conf} to {@code load}.
 */
package org.sparkgpugraph.runtime.stage;
