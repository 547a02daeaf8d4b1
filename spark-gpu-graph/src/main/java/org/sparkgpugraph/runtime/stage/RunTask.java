package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.observe.RunMetrics;

/**
 * What the tasks of a run are given.
 *
 * @param graphKey key of the graph; empty when it is not loaded yet
 * @param resultKey key to keep the result under
 * @param reversed whether every edge is seen turned round
 * @param executors number of executor graphs
 * @param engine which engine to take
 * @param device what the configuration says about GPUs
 * @param computation what to run
 */
public record RunTask(
    String graphKey,
    String resultKey,
    boolean reversed,
    int executors,
    EngineChoice engine,
    DeviceConf device,
    Computation computation)
    implements Serializable {
  /** The same on a graph that has another key now. */
  public RunTask on(GraphHandle graph) {
    return new RunTask(graph.key(), resultKey, reversed, executors, engine, device, computation);
  }

  /** The executor graph as the computation sees it. */
  public ExecutorGraph graph(HeldGraph held) {
    return reversed ? held.graph().reversed() : held.graph();
  }

  /** What the computation opens. */
  public ShardInput input(
      HeldGraph held,
      Selection selection,
      int shard,
      Supplier<RunMetrics.Meter> meter,
      BooleanSupplier closed) {
    return new ShardInput(held, graph(held), selection, shard, executors, meter, closed);
  }

  /** Bytes of the heap that the result of an executor graph takes. */
  public long resultBytes(ExecutorGraph graph) {
    return graph.ids().size()
        * computation.result().columns().stream().mapToLong(ColumnType::bytes).sum();
  }
}
