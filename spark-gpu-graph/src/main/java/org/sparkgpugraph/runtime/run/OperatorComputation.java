package org.sparkgpugraph.runtime.run;

import java.util.List;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.stage.Computation;
import org.sparkgpugraph.runtime.stage.RunTask;
import org.sparkgpugraph.runtime.stage.ShardComputation;
import org.sparkgpugraph.runtime.stage.ShardInput;

/**
 * An operator, and how it is run. It has no checkpoints: its state is its own, no columns that a
 * file could hold, and its rounds are few. A device that is open is all there is to prepare.
 *
 * @param threads of an executor
 */
record OperatorComputation(GraphOperator operator, int threads) implements Computation {
  @Override
  public String name() {
    return operator.name();
  }

  @Override
  public String step() {
    return "round";
  }

  @Override
  public ValueType result() {
    return operator.result();
  }

  @Override
  public Needs needs(boolean reversed) {
    return new Needs(
        operator.readsAttributes(),
        operator.readsEdgeValues(),
        operator.readsOutEdges() || reversed);
  }

  // ---- on an executor -------------------------------------------------------------------------

  private OperatorInput input(ShardInput input) {
    return new OperatorInput(
        input.graph(),
        input.held().attributes(),
        input.selection().engine(),
        threads,
        input.shard(),
        input.shards());
  }

  @Override
  public long heapBytes(ShardInput input) {
    return operator.heapBytes(input(input));
  }

  @Override
  public ShardComputation open(ShardInput input) {
    return new OperatorShard(operator, operator.open(input(input)), input);
  }

  @Override
  public void check(RunTask task, Selection selection, ShardInput input) {
    operator.check(selection.engine(), input == null ? 1 : input.shards());
  }

  /** Nothing is generated from an operator, and so there is no source. */
  @Override
  public Description describe(RunTask task, Selection selection, ShardInput input, boolean source) {
    String memory =
        input == null
            ? ""
            : heapBytes(input)
                + " bytes of the heap at most, "
                + task.resultBytes(input.graph())
                + " of the result";
    return new Description(
        selection.engine().name(), selection.reason(), "", memory, List.of(), List.of(), "");
  }

  // ---- over several executors, on the driver --------------------------------------------------

  /** Each shard knows those of the whole graph; the first is believed. */
  @Override
  public double[] aggregates(List<double[]> ofShards) {
    return ofShards.get(0);
  }

  /** It ends when no shard sent a message or wants another round. */
  @Override
  public RunSummary.Stopped stopped(List<SuperstepStats> rounds, boolean more, long vertices) {
    boolean said = rounds.get(rounds.size() - 1).boundaryUpdates() > 0;
    return said || more ? null : RunSummary.Stopped.CONVERGED;
  }
}
