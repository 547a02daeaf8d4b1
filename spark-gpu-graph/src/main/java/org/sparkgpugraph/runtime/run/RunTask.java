package org.sparkgpugraph.runtime.run;

import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.observe.RunOutcome;

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
public record RunTask(
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
  public RunOutcome run() {
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
