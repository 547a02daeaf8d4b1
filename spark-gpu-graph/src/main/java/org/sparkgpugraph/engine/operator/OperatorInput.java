package org.sparkgpugraph.engine.operator;

import java.util.Optional;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/**
 * What an operator works with on one executor.
 *
 * @param graph the executor graph: the whole graph, or a shard of it
 * @param attributes vertex attributes by dense id, ghosts' too; null where they are not loaded
 * @param engine the engine that was chosen
 * @param threads to compute with
 * @param shard number of this executor graph
 * @param shards number of executor graphs
 */
public record OperatorInput(
    ExecutorGraph graph, Columns attributes, Engine engine, int threads, int shard, int shards) {
  /** Where kernels of the operator's own can run; empty: on the CPU. */
  public Optional<OperatorDevice> device() {
    return engine.offer(OperatorDevice.class);
  }
}
