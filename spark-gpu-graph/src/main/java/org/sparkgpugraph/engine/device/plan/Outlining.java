package org.sparkgpugraph.engine.device.plan;

import java.util.Optional;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.run.AggregateAtMost;
import org.sparkgpugraph.run.KernelChoice;

/**
 * Whether supersteps that walk rows are outlined: where the host has nothing to do between them
 * (legality, Pai and Pingali, OOPSLA 2016, section 4.1), and launches are what bounds them.
 */
public final class Outlining {
  private Outlining() {}

  /** Whether what ends a run is known on the device behind a superstep, without asking the host. */
  public static boolean endsByItself(RunSettings run) {
    return run.stopWhen() == null || run.stopWhen() instanceof AggregateAtMost;
  }

  /**
   * Why a program's supersteps are launched one by one, whatever the graph; empty: they need not
   * be.
   */
  public static Optional<String> refusal(
      LiftedProgram program, RunSettings run, DeviceSettings settings, DeviceProperties device) {
    OutlineSettings outline = settings.outline();
    if (outline.choice() == OutlineSettings.Choice.OFF) {
      return Optional.of("switched off");
    }
    if (settings.virtualWarp() != 0 || !settings.tuning().streams()) {
      return Optional.of("rows are gathered as it is forced");
    }
    if (!endsByItself(run)) {
      return Optional.of("stopWhen is a function that the host asks behind each");
    }
    if (run.maxIterations() == 1) {
      return Optional.of("there is one");
    }
    return outline.choice() == OutlineSettings.Choice.AUTO && pushes(program, run)
        ? Optional.of("few come beside those that push")
        : outline.refusal(device);
  }

  private static boolean pushes(LiftedProgram program, RunSettings run) {
    KernelShape shape = KernelShape.of(program, run, true, false);
    return (run.kernel() == KernelChoice.AUTO || run.kernel().pushes())
        && Pushing.of(program, shape, run.activeDirection()).isPresent();
  }

  /** As above, on a graph. */
  public static Optional<String> refusal(
      ExecutorGraph graph,
      LiftedProgram program,
      RunSettings run,
      DeviceSettings settings,
      DeviceProperties device) {
    if (graph.partitions().size() > 1 || KernelShape.exchanges(graph)) {
      return Optional.of("partitions exchange what changed between them");
    }
    return refusal(program, run, settings, device)
        .or(() -> settings.outline().refusal(graph.edgeCount()));
  }
}
