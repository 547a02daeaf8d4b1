package org.sparkgpugraph.runtime.run;

import org.apache.spark.SparkContext;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.observe.RunWatch;
import org.sparkgpugraph.runtime.stage.FencedStages;
import org.sparkgpugraph.runtime.stage.ShardStages;

/** An operator, and how it is run. */
record OperatorComputation(GraphOperator operator, RunConf conf)
    implements Computation<OperatorTask> {
  @Override
  public String name() {
    return operator.name();
  }

  @Override
  public ValueType result() {
    return operator.result();
  }

  @Override
  public ClassLoader loader() {
    return operator.getClass().getClassLoader();
  }

  @Override
  public Needs needs(boolean reversed) {
    return new Needs(
        operator.readsAttributes(),
        operator.readsEdgeValues(),
        operator.readsOutEdges() || reversed);
  }

  /** What operators tell each other is no row of values. */
  @Override
  public int rowBytes() {
    return 0;
  }

  @Override
  public double liftSeconds() {
    return 0;
  }

  @Override
  public OperatorTask task(String graphKey, String resultKey, boolean reversed, int executors) {
    return new OperatorTask(
        graphKey,
        resultKey,
        reversed,
        conf.engine(),
        conf.device(),
        operator,
        conf.threads(),
        executors);
  }

  @Override
  public FencedStages.Ended runSpread(
      SparkContext sc,
      GraphHandle graph,
      OperatorTask task,
      FencedStages.Recovery recovery,
      RunWatch watch) {
    ShardStages stages = new ShardStages(sc, conf.engine(), task.resultKey());
    return new DistributedOperator(sc, graph, task, recovery, watch::superstepEnded, stages).run();
  }
}
