package org.sparkgpugraph.runtime.run;

import java.io.Serializable;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.observe.RunOutcome;

/**
 * What is run on the executors that hold a graph, in a task of a job: a program or an operator.
 *
 * @param <T> itself
 */
interface JobTask<T extends JobTask<T>> extends Serializable {
  /** Key of the graph; empty when it is not loaded yet. */
  String graphKey();

  /** Key to keep the result under. */
  String resultKey();

  /** Which engine to take. */
  EngineChoice engine();

  /** What the configuration says about GPUs. */
  DeviceConf device();

  /** The same on a graph that has another key now. */
  T on(GraphHandle graph);

  /** Runs to the end on the graph that this executor holds alone, and keeps the result. */
  RunOutcome run();

  /**
   * Tells what {@link #run} would do, on the graph or the shard that this executor holds, or on one
   * that is not loaded yet.
   *
   * @param source whether to generate the CUDA source too
   */
  Running.Description describe(boolean source);

  /**
   * Makes ready what does not depend on the graph, so that {@link #run} finds it.
   *
   * @param partitions that the graph will probably have
   */
  void prepare(Engine engine, int partitions);
}
