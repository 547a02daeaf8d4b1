package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.Needs;

/**
 * What a run computes: a lifted program and how it is run, or an operator. The driver asks it what
 * to load and when to stop; executors {@link #open} it on what they hold.
 */
public interface Computation extends Serializable {
  /** The class that it was written in, or a name, for events. */
  String name();

  /** What its steps are called, for messages. */
  String step();

  /** Bound on the supersteps after superstep 0; {@link Integer#MAX_VALUE}: none is known. */
  default int mostSupersteps() {
    return Integer.MAX_VALUE;
  }

  /** What was recognised of it, a line each, as {@code explain()} has it. */
  default List<String> notes() {
    return List.of();
  }

  /** Type of the values, one for each vertex. */
  ValueType result();

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
  default int rowBytes() {
    return 0;
  }

  /**
   * What tasks are given.
   *
   * @param computation in the place of this one
   * @param free ends it, when no task needs it any more
   */
  record Shipment(Computation computation, Runnable free) implements AutoCloseable {
    @Override
    public void close() {
      free.run();
    }
  }

  /** Puts on its way what is too large to go with tasks; by default nothing is. */
  default Shipment ship(SparkContext sc) {
    return new Shipment(this, () -> {});
  }

  // ---- on an executor -------------------------------------------------------------------------

  /**
   * Makes ready what does not depend on the graph, so that {@link #open} finds it.
   *
   * @param partitions that the graph will probably have
   */
  default void prepare(Engine engine, int partitions) {}

  /** Bytes of the heap that {@link #open} takes beside the graph, without the result. */
  long heapBytes(ShardInput input);

  /**
   * Opens it.
   *
   * @throws org.sparkgpugraph.engine.device.DeviceException when the engine's device refuses; under
   *     engine AUTO it is then opened on the CPU
   */
  ShardComputation open(ShardInput input);

  /**
   * Looks at the engine that was chosen, for {@link #describe}.
   *
   * @param input null: the graph is not loaded yet
   * @throws org.sparkgpugraph.engine.device.DeviceException as {@link #open} would
   */
  void check(RunTask task, Selection selection, ShardInput input);

  /**
   * Tells what a run would take.
   *
   * @param input null: the graph is not loaded yet
   * @param source whether to generate the CUDA source, too
   */
  Description describe(RunTask task, Selection selection, ShardInput input, boolean source);

  /**
   * What a run would take.
   *
   * @param engine name of the engine
   * @param reason why this one
   * @param kernel one line; empty for an operator
   * @param memory one line; empty when the graph is not loaded yet
   * @param choices which ways are taken on the graph, and by which figures, a line each
   * @param partitions a line each; none when the graph is not loaded yet
   * @param source the CUDA source; empty unless it was asked for
   */
  record Description(
      String engine,
      String reason,
      String kernel,
      String memory,
      List<String> choices,
      List<String> partitions,
      String source)
      implements Serializable {
    public Description {
      choices = List.copyOf(choices);
      partitions = List.copyOf(partitions);
    }
  }

  // ---- over several executors, on the driver --------------------------------------------------

  /** Whether shards can do several supersteps between two exchanges. */
  default boolean runsInPlace() {
    return false;
  }

  /** Whether a shard can be saved and restored; if not, what is lost makes all begin again. */
  default boolean isRestorable() {
    return false;
  }

  /** The aggregates of a superstep over all shards. */
  double[] aggregates(List<double[]> ofShards);

  /** Whether there are aggregates to take behind the last superstep. */
  default boolean hasFinalAggregates() {
    return false;
  }

  /** These over all shards. */
  default double[] finalAggregates(List<double[]> ofShards) {
    return new double[0];
  }

  /**
   * Whether it ends.
   *
   * @param supersteps until now, at least one
   * @param more whether a shard wants another one in any case
   * @param vertices of the whole graph
   * @return why; null: it goes on
   */
  RunSummary.Stopped stopped(List<SuperstepStats> supersteps, boolean more, long vertices);
}
