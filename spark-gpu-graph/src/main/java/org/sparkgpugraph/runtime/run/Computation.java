package org.sparkgpugraph.runtime.run;

import org.apache.spark.SparkContext;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.observe.RunWatch;
import org.sparkgpugraph.runtime.stage.FencedStages;

/**
 * What a job runs on a graph, seen from the driver: a lifted program or an operator, and how it is
 * run.
 *
 * @param <T> what its tasks are given
 */
interface Computation<T extends JobTask<T>> {
  /** The class that it was written in, or a name, for events. */
  String name();

  /** Type of the values, one for each vertex. */
  ValueType result();

  /** The class loader that knows the classes of it. */
  ClassLoader loader();

  /**
   * What it needs of the graph.
   *
   * @param reversed whether it sees every edge turned round
   */
  Needs needs(boolean reversed);

  /**
   * Bytes of a vertex's values that partitions tell each other in a superstep; 0: what they tell is
   * no such row.
   */
  int rowBytes();

  /** Seconds that it took to lift it. */
  double liftSeconds();

  /**
   * What a task is given.
   *
   * @param graphKey key of the graph, or of its first shard; empty when it is not loaded yet
   * @param resultKey key to keep the result under
   * @param reversed whether it sees every edge turned round
   * @param executors number of executor graphs
   */
  T task(String graphKey, String resultKey, boolean reversed, int executors);

  /**
   * Runs on a graph that several executors hold.
   *
   * @param watch hears of every superstep or round
   */
  FencedStages.Ended runSpread(
      SparkContext sc, GraphHandle graph, T task, FencedStages.Recovery recovery, RunWatch watch);
}
