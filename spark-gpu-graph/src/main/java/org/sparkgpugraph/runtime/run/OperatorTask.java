package org.sparkgpugraph.runtime.run;

import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.graph.model.ExecutorGraph;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.observe.RunOutcome;

/**
 * What a job does that runs an operator, on the executors that hold the graph.
 *
 * @param graphKey key of the graph
 * @param resultKey key to keep the result under
 * @param reversed whether the operator sees every edge turned round
 * @param engine which engine to take
 * @param device what the configuration says about GPUs
 * @param operator what to run
 * @param threads threads of an executor
 * @param shards number of executor graphs
 */
record OperatorTask(
    String graphKey,
    String resultKey,
    boolean reversed,
    EngineChoice engine,
    DeviceConf device,
    GraphOperator operator,
    int threads,
    int shards)
    implements JobTask<OperatorTask> {
  @Override
  public OperatorTask on(GraphHandle graph) {
    return new OperatorTask(
        graph.key(), resultKey, reversed, engine, device, operator, threads, shards);
  }

  /** The executor graph as the operator sees it. */
  ExecutorGraph graph(HeldGraph held) {
    return reversed ? held.graph().reversed() : held.graph();
  }

  /** What the operator opens. */
  OperatorInput input(HeldGraph held, Selection selection, int shard) {
    return new OperatorInput(
        graph(held), held.attributes(), selection.engine(), threads, shard, shards);
  }

  /** Bytes of the heap that the result of an executor graph takes. */
  long resultBytes(ExecutorGraph graph) {
    return graph.ids().size() * operator.result().columns().stream().mapToLong(Kind::bytes).sum();
  }

  @Override
  public RunOutcome run() {
    return OperatorRunning.run(this);
  }

  /** Nothing is generated from an operator, and so there is no source. */
  @Override
  public Running.Description describe(boolean source) {
    return OperatorRunning.describe(this);
  }

  /** A device that is open is enough: an operator's kernels are few. */
  @Override
  public void prepare(Engine engine, int partitions) {}
}
