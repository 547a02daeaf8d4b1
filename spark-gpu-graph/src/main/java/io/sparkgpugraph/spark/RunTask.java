package io.sparkgpugraph.spark;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.engine.Engine;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.exchange.UpdateEncoding;
import io.sparkgpugraph.program.ProgramInstance;

/**
 * What a run job does on the executor that holds the graph.
 *
 * @param graphKey key of the graph
 * @param resultKey key to keep the result under
 * @param reversed whether the program sees every edge turned round
 * @param engine which engine to take
 * @param device what the configuration says about GPUs
 * @param program the program
 * @param settings how to run it
 * @param encoding how updates for other executors are written
 */
record RunTask(
    String graphKey,
    String resultKey,
    boolean reversed,
    EngineChoice engine,
    DeviceConf device,
    ProgramInstance program,
    RunSettings settings,
    UpdateEncoding encoding)
    implements JobTask<RunTask> {
  @Override
  public RunTask on(GraphHandle graph) {
    return new RunTask(
        graph.key(), resultKey, reversed, engine, device, program, settings, encoding);
  }

  @Override
  public Running.Ran run() {
    return Running.run(this);
  }

  @Override
  public Running.Description describe(boolean source) {
    return Running.describe(this, source);
  }

  @Override
  public void prepare(Engine engine, int partitions) {
    engine.prepare(program.program(), settings, partitions);
  }
}
