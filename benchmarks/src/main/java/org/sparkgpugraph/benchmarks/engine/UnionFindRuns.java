package org.sparkgpugraph.benchmarks.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/** Measures connected components by union-find, the operator, beside the vertex programs. */
final class UnionFindRuns {
  private final BenchmarkEngine engine;
  private final ExecutorGraph graph;
  private final int threads;
  private final DeviceSettings settings;
  private final List<Double> kernels = new ArrayList<>();
  private final List<Double> walls = new ArrayList<>();
  private Contraction last;
  private Map<String, BenchmarkEngine.KernelTime> times = Map.of();
  private List<BenchmarkEngine.KernelResources> resources = List.of();

  UnionFindRuns(BenchmarkEngine engine, ExecutorGraph graph, int threads, DeviceSettings settings) {
    this.engine = engine;
    this.graph = graph;
    this.threads = threads;
    this.settings = settings;
  }

  /** Runs; the last run's kernels are kept. */
  void run(int warmUps, int runs) {
    engine.takeKernels();
    for (int i = 0; i < warmUps + runs; i++) {
      engine.takeKernelTimes();
      long start = System.nanoTime();
      last = engine.components(graph, threads, settings);
      if (i >= warmUps) {
        walls.add((System.nanoTime() - start) / 1e6);
        kernels.add(last.kernelNanos() / 1e6);
      }
    }
    times = engine.takeKernelTimes();
    resources = engine.takeKernels();
  }

  /** The roots of the last run. */
  int[] roots() {
    return last.roots();
  }

  /**
   * The measurement as JSON has it.
   *
   * @param check what a comparison said; empty when there was none
   */
  Map<String, Object> fields(String graphName, String check) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "union-find");
    fields.put("graph", graphName);
    fields.put("engine", engine.name());
    fields.put("devices", engine.devices());
    fields.put("kernelMillis", Medians.median(kernels));
    fields.put("wallMillis", Medians.median(walls));
    fields.put("transferMillis", last.transferNanos() / 1e6);
    fields.put("gteps", graph.edgeCount() / Medians.median(kernels) / 1e6);
    fields.put("check", check);
    return fields;
  }

  /** One line, and one for each kernel that was timed or looked up. */
  String text(String graphName, String check) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "union-find on %s, %s: kernels %.3f ms, wall %.3f ms (medians), %.1f edges/ns%s%n",
            graphName,
            engine.name(),
            Medians.median(kernels),
            Medians.median(walls),
            graph.edgeCount() / Medians.median(kernels) / 1e6,
            check.isEmpty() ? "" : ", " + check));
    times.forEach(
        (name, time) ->
            text.append(
                String.format(
                    "  %-24s %d launches %.3f ms%n", name, time.launches(), time.nanos() / 1e6)));
    resources.forEach(
        kernel ->
            text.append(
                String.format(
                    "  %-24s %d registers, %d local bytes, %d blocks%n",
                    kernel.name(), kernel.registers(), kernel.localBytes(), kernel.blocks())));
    return text.toString();
  }
}
