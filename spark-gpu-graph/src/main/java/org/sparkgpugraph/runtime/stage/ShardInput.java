package org.sparkgpugraph.runtime.stage;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.observe.RunMetrics;

/**
 * What a computation works with on one executor.
 *
 * @param held what the executor holds
 * @param graph its structure, or that turned round
 * @param selection the engine that was chosen
 * @param shard number of this executor graph
 * @param shards number of executor graphs
 * @param meter begins to count the run in this executor's metrics when it is asked first
 * @param closed whether nobody wants the end of it any more
 */
public record ShardInput(
    HeldGraph held,
    ExecutorGraph graph,
    Selection selection,
    int shard,
    int shards,
    Supplier<RunMetrics.Meter> meter,
    BooleanSupplier closed) {
  /** Whether a device does the work. */
  public boolean isOnDevice() {
    return selection.device() != null;
  }
}
