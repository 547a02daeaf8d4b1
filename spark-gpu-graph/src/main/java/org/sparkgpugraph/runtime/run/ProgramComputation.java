package org.sparkgpugraph.runtime.run;

import org.apache.spark.SparkContext;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.observe.RunWatch;
import org.sparkgpugraph.runtime.stage.FencedStages;
import org.sparkgpugraph.runtime.stage.ShardStages;

/**
 * A lifted program, and how it is run.
 *
 * @param liftSeconds that it took to lift it
 */
record ProgramComputation(
    ProgramInstance instance, PregelRequest request, RunConf conf, double liftSeconds)
    implements Computation<RunTask> {
  private LiftedProgram program() {
    return instance.program();
  }

  @Override
  public String name() {
    return RunWatch.programName(request.vertexProgram());
  }

  @Override
  public ValueType result() {
    return program().result();
  }

  @Override
  public ClassLoader loader() {
    return request.vertexProgram().getClass().getClassLoader();
  }

  @Override
  public Needs needs(boolean reversed) {
    return Needs.of(program(), reversed);
  }

  @Override
  public int rowBytes() {
    return FunctionTraits.shippedBytes(program());
  }

  @Override
  public RunTask task(String graphKey, String resultKey, boolean reversed, int executors) {
    return new RunTask(
        graphKey,
        resultKey,
        reversed,
        conf.engine(),
        conf.device(),
        instance,
        new ProgramSettings(request, conf).of(program()),
        conf.encoding());
  }

  @Override
  public FencedStages.Ended runSpread(
      SparkContext sc,
      GraphHandle graph,
      RunTask task,
      FencedStages.Recovery recovery,
      RunWatch watch) {
    return new DistributedRun(
            sc,
            graph,
            task,
            new DistributedRun.Options(
                watch.program(), conf.localSupersteps(), conf.checkpointInterval()),
            recovery,
            watch::superstepEnded,
            new ShardStages(sc, conf.engine(), task.resultKey()))
        .run();
  }
}
