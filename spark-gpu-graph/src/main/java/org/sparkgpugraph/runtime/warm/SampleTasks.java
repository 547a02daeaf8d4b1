package org.sparkgpugraph.runtime.warm;

import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.exchange.UpdateFormat;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.load.LoadTask;
import org.sparkgpugraph.runtime.observe.RunOutcome;
import org.sparkgpugraph.runtime.run.ProgramComputation;
import org.sparkgpugraph.runtime.serial.TaskResult;
import org.sparkgpugraph.runtime.stage.RunTask;

/**
 * What tasks are given and give back, serialised and read again: the JVM makes some hundred classes
 * when it first reads records of so many kinds.
 */
final class SampleTasks {
  private SampleTasks() {}

  /** What loads a graph and runs a program, and what comes of it. */
  static void travel(
      GpuGraphConf conf, ProgramInstance program, RunSettings settings, RunSummary summary) {
    EngineChoice engine = conf.get(GpuGraphConf.ENGINE);
    DeviceConf device = DeviceConf.of(conf);
    LoadTask.Source source =
        new LoadTask.Source(
            program.program().attribute(), program.program().edge(), true, 1, false);
    travel(
        new LoadTask(
            "",
            null,
            null,
            source,
            new LoadTask.How(engine, device, 1, settings.threads(), true),
            Needs.of(program.program(), false),
            false,
            List.of()));
    travel(
        new RunTask(
            "",
            "",
            false,
            1,
            engine,
            device,
            new ProgramComputation(
                "",
                program,
                settings,
                new UpdateFormat(
                    conf.get(GpuGraphConf.EXCHANGE_ENCODING),
                    conf.get(GpuGraphConf.EXCHANGE_SIGNIFICANT_BITS)))));
    travel(new RunOutcome(summary, "", List.of()));
  }

  private static void travel(Serializable object) {
    TaskResult.unpack(TaskResult.pack(object), object.getClass());
  }
}
