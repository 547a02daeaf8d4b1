package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.held.HeldResult;
import org.sparkgpugraph.runtime.observe.EngineSeconds;

/**
 * A {@link Computation} at work on one executor graph, by one thread at a time. Where several
 * executors hold the graph a {@link FencedShard} holds one of these and sees to it that each step
 * is done once; where one does, it goes {@link #toEnd} in one task.
 */
public interface ShardComputation extends AutoCloseable {
  /**
   * What a shard has done in a step, for the driver.
   *
   * @param stats sums over the local supersteps; the boundary's with what other shards are told
   * @param supersteps number of local supersteps
   * @param waking updates that other shards are told, of what changed
   * @param more whether the shard wants another step even if no other says anything
   */
  record Progress(SuperstepStats stats, int supersteps, long waking, boolean more)
      implements Serializable {}

  /**
   * A step.
   *
   * @param progress null: a checkpoint was restored
   * @param messages for other shards
   */
  record Step(Progress progress, List<ShardWork.Message> messages) {}

  /** Superstep 0. */
  Step begin(ShardWork.Begin work);

  /**
   * Whether it can tell other shards' hubs partial messages, once it has begun: all shards do, or
   * none does ({@link ShardWork.Step#tellsHubs}).
   */
  default boolean tellsHubs() {
    return false;
  }

  /**
   * Goes on.
   *
   * @param records what other shards have said in the step before, in no order
   */
  Step step(ShardWork.Step work, List<byte[]> records);

  /** Values and activity as they are, where the computation is restorable. */
  default CheckpointFile save(int superstep) {
    throw new UnsupportedOperationException(
        getClass().getSimpleName() + " cannot be saved: its Computation is not restorable");
  }

  /** Goes back to what was saved, instead of {@link #begin}. */
  default Step restore(ShardWork.Begin work, CheckpointFile saved) {
    throw new UnsupportedOperationException(
        getClass().getSimpleName() + " cannot be restored: its Computation is not restorable");
  }

  /**
   * All steps, of a graph that this executor holds alone.
   *
   * @param engine name of the engine, for the summary
   */
  RunSummary toEnd(String engine, ProgressListener listener);

  /** The final aggregates over the vertices held here. */
  default double[] finalAggregates() {
    return new double[0];
  }

  /**
   * The result, ready to be collected.
   *
   * @param finalAggregates over the whole graph
   */
  HeldResult result(double[] finalAggregates);

  /** What was spent until now. */
  EngineSeconds seconds();

  /** What the engine has chosen until now, and by which figures; a line each. */
  default List<String> notes() {
    return List.of();
  }

  @Override
  void close();
}
