package org.sparkgpugraph.engine.device.plan;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.HotColumns;
import org.sparkgpugraph.engine.device.settings.HotVertices;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;

/**
 * Whether gathers of all rows read hot vertices first ({@link HotVertices}): where a program allows
 * it, and, unless it is forced, where many of a graph's edges end at the vertices whose values have
 * room in shared memory.
 */
public final class HotFirst {
  private HotFirst() {}

  /**
   * Why a program's gathers do not, whatever the graph; empty: they may.
   *
   * @param kernels of the program, for its shape
   */
  public static Optional<String> refusal(
      LiftedProgram program, ProgramKernels kernels, RunSettings run, DeviceSettings settings) {
    HotVertices hot = settings.tuning().hot();
    if (hot.choice() == HotVertices.Choice.OFF) {
      return Optional.of("switched off");
    }
    if (settings.virtualWarp() != 0 || !settings.tuning().streams()) {
      return Optional.of("rows are gathered as it is forced");
    }
    return kernels
        .hotObstacle(program)
        .or(
            () ->
                hot.refusal(
                    HotColumns.of(program, kernels.shape()), settings.tuning().edgesOfLane()))
        .or(() -> hot.refusal(run.maxIterations()));
  }

  /**
   * As above, on a graph.
   *
   * @param on a device of its partitions; all are of one kind
   */
  public static Optional<String> refusal(
      ExecutorGraph graph,
      LiftedProgram program,
      ProgramKernels kernels,
      RunSettings run,
      DeviceSettings settings,
      DeviceHoldings on) {
    return refusal(program, kernels, run, settings)
        .or(() -> refusal(graph, HotColumns.of(program, kernels.shape()), settings.tuning(), on));
  }

  /**
   * As above, of a program that allows it: where no partition's gathers do, why those of the
   * largest do not.
   */
  private static Optional<String> refusal(
      ExecutorGraph graph, HotColumns columns, DenseTuning tuning, DeviceHoldings on) {
    List<? extends GraphPartition> falling =
        graph.partitions().stream()
            .sorted(Comparator.comparingLong((GraphPartition p) -> edges(p, columns)).reversed())
            .toList();
    Optional<String> largest = Optional.empty();
    for (GraphPartition p : falling) {
      Optional<String> refusal = refusal(p, columns, tuning, on);
      if (refusal.isEmpty()) {
        return refusal;
      }
      largest = largest.or(() -> refusal);
    }
    return largest;
  }

  private static long edges(GraphPartition p, HotColumns columns) {
    return p.edges(columns.in()).edges();
  }

  /**
   * As above, of a partition. Empty, too, where the degrees are not known yet: {@link
   * DevicePlanner} asks again.
   */
  static Optional<String> refusal(
      GraphPartition p, HotColumns columns, DenseTuning tuning, DeviceHoldings on) {
    HotVertices hot = tuning.hot();
    if (hot.choice() == HotVertices.Choice.ON) {
      return Optional.empty();
    }
    return hot.refusalOf(on.device().properties().sharedBytes())
        .or(() -> hot.refusal(edges(p, columns)))
        .or(
            () ->
                DevicePlanner.areCounted(p)
                    ? hot.refusal(share(p, columns, tuning, on))
                    : Optional.empty());
  }

  /** Which part of a partition's edges ends at vertices whose values are near. */
  private static double share(
      GraphPartition p, HotColumns columns, DenseTuning tuning, DeviceHoldings on) {
    long vertices = (long) p.stored() + p.ghosts();
    int near =
        tuning
            .hot()
            .near(columns, vertices, tuning.edgesOfLane(), on.device().properties().sharedBytes());
    return on.derived().otherEnds(p, columns.in()).share(near);
  }

  /** What is decided on a graph, and by what. */
  public static String note(
      ExecutorGraph graph,
      LiftedProgram program,
      ProgramKernels kernels,
      RunSettings run,
      DeviceSettings settings,
      DeviceHoldings on) {
    Optional<String> refusal = refusal(graph, program, kernels, run, settings, on);
    if (refusal.isPresent()) {
      return "gathers read other ends in the order of ids: " + refusal.get();
    }
    String first =
        kernels.hot().isPresent()
            ? "gathers read hot vertices first"
            : "gathers of later runs read hot vertices first, as soon as their kernels are compiled";
    if (settings.tuning().hot().choice() == HotVertices.Choice.ON) {
      return first + " (forced)";
    }
    HotColumns columns = HotColumns.of(program, kernels.shape());
    GraphPartition p =
        graph.partitions().stream()
            .max(Comparator.comparingLong(each -> edges(each, columns)))
            .orElseThrow();
    return DevicePlanner.areCounted(p)
        ? String.format(
            Locale.ROOT,
            "%s: %.0f %% of the edges end at vertices whose values have room in shared memory",
            first,
            100 * share(p, columns, settings.tuning(), on))
        : first + " where many edges end at few vertices";
  }
}
