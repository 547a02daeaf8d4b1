package org.sparkgpugraph.benchmarks.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Runs one workload several times over one resident graph. What a run takes is the time of its
 * supersteps, superstep 0 included; opening it (code generation, allocation, uploads) is told
 * apart.
 */
final class WorkloadRuns {
  private final BenchmarkEngine engine;
  private final ExecutorGraph graph;
  private final Workload workload;
  private final boolean hoists;
  private final ProgramInstance program;
  private final RunSettings settings;
  private final DeviceSettings deviceSettings;

  private final List<Long> openNanos = new ArrayList<>();
  private final List<Long> wallNanos = new ArrayList<>();
  private final List<Long> deviceNanos = new ArrayList<>();
  private final List<Long> stepWallNanos = new ArrayList<>();
  private final List<Long> stepDeviceNanos = new ArrayList<>();
  private final List<Long> hubNanos = new ArrayList<>();

  /** The last run's supersteps. */
  private final List<Step> steps = new ArrayList<>();

  private RunSummary summary;
  private BenchmarkEngine.Upload upload;
  private long firstOpenNanos;
  private long deviceBytes;
  private List<BenchmarkEngine.KernelResources> kernels = List.of();
  private final List<Map<String, BenchmarkEngine.KernelTime>> kernelTimes = new ArrayList<>();
  private BenchmarkEngine.Commands commands = new BenchmarkEngine.Commands(0, 0, 0);
  private boolean checked;
  private String difference;

  /**
   * One superstep of several devices.
   *
   * @param stats what it did
   * @param kernelNanos device time of its kernels, of the slowest device
   * @param hub what brought the changes of the superstep before to it, and its own to the host
   * @param edges evaluated by each device
   */
  record Step(SuperstepStats stats, long kernelNanos, BenchmarkEngine.Hub hub, List<Long> edges) {}

  /**
   * @param source original id of the vertex that searches start from
   * @param hoists whether values of a vertex are computed once per vertex, not per edge
   */
  WorkloadRuns(
      BenchmarkEngine engine,
      ExecutorGraph graph,
      Workload workload,
      long source,
      boolean hoists,
      RunSettings settings,
      DeviceSettings deviceSettings) {
    this.engine = engine;
    this.graph = graph;
    this.workload = workload;
    this.hoists = hoists;
    ProgramInstance lifted = workload.program(source);
    this.program = hoists ? Hoisting.apply(lifted, settings.inPlace()) : lifted;
    this.settings = settings;
    this.deviceSettings = deviceSettings;
  }

  /**
   * Runs.
   *
   * @param warmUps runs whose times are dropped; the first one's uploads are what is reported
   * @param runs runs that are measured, at least 1
   * @param reference what the last run's values are compared with, or null
   */
  void run(int warmUps, int runs, ReferenceResults reference) {
    engine.takeUpload();
    engine.takeKernels();
    for (int i = 0; i < warmUps + runs; i++) {
      once(i == 0, i >= warmUps, i == warmUps + runs - 1 ? reference : null);
    }
  }

  private void once(boolean first, boolean measured, ReferenceResults reference) {
    long start = System.nanoTime();
    try (EngineRun run =
        engine.open(graph, program, noAttributes(graph), settings, deviceSettings)) {
      long opened = System.nanoTime() - start;
      if (first) {
        upload = engine.takeUpload();
        firstOpenNanos = opened;
      }
      long[] before = {0};
      BenchmarkEngine.Hub[] hubBefore = {new BenchmarkEngine.Hub(0, 0)};
      steps.clear();
      if (measured) {
        engine.takeKernelTimes();
        engine.takeCommands();
      }
      summary =
          SuperstepLoop.run(
              engine.name(),
              run,
              settings,
              graph.vertexCount(),
              program.program().aggregates(),
              stats -> {
                long now = engine.deviceNanos(run);
                if (measured && stats.superstep() > 0) {
                  stepWallNanos.add(stats.nanos());
                  if (now >= 0) {
                    // Of supersteps that were launched together each one's own.
                    stepDeviceNanos.add(stats.times().kernelNanos() + stats.times().hubNanos());
                  }
                }
                BenchmarkEngine.Hub hub = engine.hub(run);
                BenchmarkEngine.Hub own = hub.minus(hubBefore[0]);
                List<Long> edges = Arrays.stream(engine.edgesByDevice(run)).boxed().toList();
                steps.add(new Step(stats, now - before[0] - own.nanos(), own, edges));
                before[0] = now;
                hubBefore[0] = hub;
              });
      if (measured) {
        openNanos.add(opened);
        wallNanos.add(summary.nanos());
        if (before[0] >= 0) {
          deviceNanos.add(before[0]);
        }
        hubNanos.add(hubBefore[0].nanos());
        kernelTimes.add(engine.takeKernelTimes());
        commands = engine.takeCommands();
      }
      if (first) {
        kernels = engine.takeKernels();
      }
      deviceBytes = engine.deviceBytes();
      if (reference != null) {
        checked = true;
        difference = reference.difference(workload, values(run));
      }
    }
  }

  /** The values of all partitions, by dense id. */
  private Columns values(EngineRun run) {
    if (graph.partitions().size() == 1) {
      return run.values(0);
    }
    Columns all =
        Columns.allocate(program.program().state().columns(), Math.toIntExact(graph.ids().size()));
    for (GraphPartition partition : graph.partitions()) {
      all.copyFrom(
          run.values(partition.index()), 0, (int) partition.firstVertex(), partition.stored());
    }
    return all;
  }

  /** Tables without columns for all partitions. */
  static List<Columns> noAttributes(ExecutorGraph graph) {
    return graph.partitions().stream()
        .map(p -> Columns.allocate(List.of(), p.stored() + p.ghosts()))
        .toList();
  }

  BenchmarkEngine engine() {
    return engine;
  }

  ExecutorGraph graph() {
    return graph;
  }

  Workload workload() {
    return workload;
  }

  /** The workload's name, and how it was run where it can be run otherwise. */
  String title() {
    String outlined =
        switch (deviceSettings.outline().choice()) {
          case AUTO -> "";
          case ON -> " (outlined)";
          case OFF -> " (not outlined)";
        };
    return workload.title() + (hoists ? "" : " (not hoisted)") + outlined;
  }

  RunSettings settings() {
    return settings;
  }

  DeviceSettings deviceSettings() {
    return deviceSettings;
  }

  /** Number of measured runs. */
  int runs() {
    return wallNanos.size();
  }

  /** Whether values were compared with a reference. */
  boolean checked() {
    return checked;
  }

  /** The last run, superstep by superstep. */
  RunSummary summary() {
    return summary;
  }

  /** Median time of the supersteps of a run, as the host's clock saw them. */
  double wallNanos() {
    return Medians.median(wallNanos);
  }

  /** Median device time of a run; NaN when the engine measures none. */
  double deviceNanos() {
    return deviceNanos.isEmpty() ? Double.NaN : Medians.median(deviceNanos);
  }

  /** Median of what of the device time of a run brings changes from device to device. */
  double hubNanos() {
    return Medians.median(hubNanos);
  }

  /** The last run, superstep by superstep, with the times of its devices. */
  List<Step> steps() {
    return steps;
  }

  /**
   * Time of one superstep, by device time where there is any: the median over all iterations of all
   * runs; for a workload that converges, whose supersteps differ, and where one's own time is not
   * known, the mean of the median run.
   */
  double stepNanos() {
    if (workload.iterates() && !stepDeviceNanos.contains(0L)) {
      return Medians.median(stepDeviceNanos.isEmpty() ? stepWallNanos : stepDeviceNanos);
    }
    double run = deviceNanos.isEmpty() ? wallNanos() : deviceNanos();
    return run / Math.max(1, summary.iterations());
  }

  /** Median time of opening a run once the graph is resident. */
  double openNanos() {
    return Medians.median(openNanos);
  }

  /** Time of opening the first run: compilation and upload, as far as nothing was there before. */
  long firstOpenNanos() {
    return firstOpenNanos;
  }

  /** What the first run copied to the device. */
  BenchmarkEngine.Upload upload() {
    return upload;
  }

  /** Bytes that the device held while the last run was open. */
  long deviceBytes() {
    return deviceBytes;
  }

  /** The kernels that the first run was the first to use. */
  List<BenchmarkEngine.KernelResources> kernels() {
    return kernels;
  }

  /** What the last run queued, per superstep and device: launches, other commands, waits. */
  List<Double> commands() {
    double turns = Math.max(1.0, (double) steps.size() * engine.devices());
    return List.of(
        commands.launches() / turns, commands.others() / turns, commands.waits() / turns);
  }

  /**
   * How unevenly the devices' edges were spread in the last run: those of the busiest device, added
   * up over the supersteps, by what each would have had if all had the same. NaN without edges.
   */
  double imbalance() {
    long busiest = 0;
    long all = 0;
    for (Step step : steps) {
      busiest += step.edges().stream().mapToLong(e -> e).max().orElse(0);
      all += step.edges().stream().mapToLong(e -> e).sum();
    }
    return (double) busiest * engine.devices() / all;
  }

  /** Host's time of one superstep, as {@link #stepNanos} has the devices'. */
  double stepWallNanos() {
    return workload.iterates()
        ? Medians.median(stepWallNanos)
        : wallNanos() / Math.max(1, summary.iterations());
  }

  /**
   * Device time by kernel: the median of all runs, of kernels of the last one. Empty unless every
   * launch is timed.
   */
  Map<String, BenchmarkEngine.KernelTime> kernelTimes() {
    Map<String, BenchmarkEngine.KernelTime> last =
        kernelTimes.isEmpty() ? Map.of() : kernelTimes.get(kernelTimes.size() - 1);
    Map<String, BenchmarkEngine.KernelTime> medians = new TreeMap<>();
    last.forEach(
        (kernel, time) -> {
          List<Long> nanos =
              kernelTimes.stream()
                  .filter(run -> run.containsKey(kernel))
                  .map(run -> run.get(kernel).nanos())
                  .toList();
          long median = (long) Medians.median(nanos);
          medians.put(kernel, new BenchmarkEngine.KernelTime(time.launches(), median));
        });
    return medians;
  }

  /** How the values differ from the reference; null: not at all, or not compared. */
  String difference() {
    return difference;
  }
}
