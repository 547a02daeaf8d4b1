package org.sparkgpugraph.benchmarks.engine;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.sparkgpugraph.benchmarks.JsonLine;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.run.LaneUse;

/**
 * What {@link DeviceBenchmark} tells: a JSON object for every measurement as soon as it is made,
 * and tables at the end.
 */
final class BenchmarkReport {
  private final PrintStream out;
  private final Path json;
  private final TextTable table =
      new TextTable(
          "graph",
          "algorithm",
          "engine",
          "dense kernel",
          "device ms",
          "wall ms",
          "step ms",
          "GTEPS",
          "supersteps",
          "edges",
          "kernels",
          "check");
  private final TextTable memory =
      new TextTable(
          "graph",
          "algorithm",
          "engine",
          "dense kernel",
          "uploaded MB",
          "upload ms",
          "GB/s",
          "on device MB",
          "first open ms",
          "open ms");
  private final TextTable hub =
      new TextTable(
          "graph",
          "algorithm",
          "engine",
          "devices",
          "exchange",
          "way",
          "partitioning",
          "superstep",
          "kernel",
          "kernels ms",
          "exchange ms",
          "exchange MB",
          "updates",
          "edges of the devices");

  /** One device beside several. */
  private final TextTable scaling =
      new TextTable(
          "graph",
          "algorithm",
          "engine",
          "dense kernel",
          "devices",
          "exchange",
          "way",
          "partitioning",
          "step ms",
          "step wall ms",
          "exchange ms per step",
          "exchange MB per step",
          "launches",
          "other commands",
          "waits",
          "imbalance",
          "speed-up",
          "speed-up of wall");

  /** Times of one device, device's and host's, by what else is the same. */
  private final Map<List<String>, List<Double>> alone = new HashMap<>();

  private final TextTable resources =
      new TextTable("algorithm", "engine", "kernel", "registers", "local bytes", "blocks");
  private final TextTable times =
      new TextTable(
          "graph", "algorithm", "engine", "dense kernel", "kernel", "launches", "ms", "ms each");

  /**
   * @param out receives the tables, and the measurements where there is no file
   * @param json file of the measurements, or null
   */
  BenchmarkReport(PrintStream out, Path json) {
    this.out = out;
    this.json = json;
  }

  /** Prints the tables. */
  void print() {
    out.println();
    out.print(table);
    for (TextTable more : List.of(memory, hub, scaling, times, resources)) {
      if (more.rows() > 0) {
        out.println();
        out.print(more);
      }
    }
  }

  /** Writes a measurement at once: a benchmark that is cut short leaves what it has. */
  void emit(Map<String, ?> fields) {
    String line = JsonLine.of(fields) + "\n";
    if (json == null) {
      out.print(line);
      out.flush();
      return;
    }
    try {
      Files.writeString(json, line, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Measurements of the baseline, or why there are none. */
  void baseline(String graph, SpmvBaseline.Outcome outcome) {
    if (outcome.unavailable() != null) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("measurement", "baseline");
      fields.put("graph", graph);
      fields.put("unavailable", outcome.unavailable());
      emit(fields);
      out.println("no baseline for " + graph + ": " + outcome.unavailable());
    }
    for (Map<String, String> result : outcome.results()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("measurement", "baseline");
      fields.put("graph", graph);
      fields.putAll(result);
      emit(fields);
      String ms = String.format(Locale.ROOT, "%.3f", Double.parseDouble(result.get("ms")));
      String speed =
          result.containsKey("gbs")
              ? result.get("gbs") + " GB/s"
              : result.getOrDefault("gteps", "");
      table.add(
          List.of(
              graph,
              result.get("name"),
              "baseline",
              "",
              ms,
              "",
              ms,
              speed,
              "",
              "",
              "",
              result.getOrDefault("check", "")));
    }
  }

  /**
   * A workload's runs.
   *
   * @param dense what a device engine walked all rows with
   */
  void runs(String graph, DenseKernel dense, WorkloadRuns measured) {
    Workload workload = measured.workload();
    BenchmarkEngine engine = measured.engine();
    RunSettings settings = measured.settings();
    boolean timed = !Double.isNaN(measured.deviceNanos());
    double total = timed ? measured.deviceNanos() : measured.wallNanos();
    long edges = measured.summary().edgesEvaluated();
    int supersteps = measured.summary().iterations();
    double gteps =
        workload.iterates() ? measured.graph().edgeCount() / measured.stepNanos() : edges / total;
    String trail = KernelTrail.of(measured.summary().supersteps());
    String checked =
        !measured.checked()
            ? ""
            : measured.difference() == null ? "ok" : "DIFFERS: " + measured.difference();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "run");
    fields.put("graph", graph);
    fields.put("algorithm", measured.title());
    fields.put("engine", engine.name());
    fields.put("hardware", engine.hardware());
    fields.put("kernel", settings.kernel().name().toLowerCase(Locale.ROOT));
    fields.put("denseKernel", engine.hasDevice() ? dense.toString() : null);
    fields.put("grouping", engine.hasDevice() ? measured.deviceSettings().grouping() : null);
    long edgeBytes = measured.deviceSettings().edgeBytes();
    fields.put("edgeMemory", edgeBytes == DeviceSettings.DEFAULT.edgeBytes() ? null : edgeBytes);
    fields.put("inPlace", settings.inPlace());
    fields.put("runs", measured.runs());
    fields.put("deviceMs", measured.deviceNanos() / 1e6);
    fields.put("wallMs", measured.wallNanos() / 1e6);
    fields.put("stepMs", measured.stepNanos() / 1e6);
    fields.put("gteps", gteps);
    fields.put("supersteps", supersteps);
    fields.put("edgesEvaluated", edges);
    fields.put("kernels", trail);
    LaneUse lanes = measured.summary().lanes();
    fields.put("laneEfficiency", lanes.edgeLanes() == 0 ? null : lanes.efficiency());
    fields.put("packingFactor", lanes.rowLanes() == 0 ? null : lanes.packing());
    fields.put("firstOpenMs", measured.firstOpenNanos() / 1e6);
    fields.put("openMs", measured.openNanos() / 1e6);
    fields.put("uploadBytes", measured.upload().bytes());
    fields.put("uploadMs", measured.upload().nanos() / 1e6);
    fields.put("uploadGBs", (double) measured.upload().bytes() / measured.upload().nanos());
    fields.put("deviceBytes", measured.deviceBytes());
    if (engine.devices() > 1) {
      fields.put("devices", engine.devices());
      fields.put("exchange", lower(settings.exchange()));
      fields.put("deviceExchange", lower(measured.deviceSettings().exchange()));
      fields.put("partitioning", lower(measured.deviceSettings().partitioning()));
      fields.put("hubMs", measured.hubNanos() / 1e6);
    }
    fields.put("check", checked);
    emit(fields);
    table.add(
        List.of(
            graph,
            measured.title(),
            engine.name(),
            (engine.hasDevice() ? dense.toString() : "")
                + (edgeBytes == DeviceSettings.DEFAULT.edgeBytes()
                    ? ""
                    : ", edges " + number(edgeBytes / 1e6) + " MB"),
            timed ? millis(measured.deviceNanos()) : "",
            millis(measured.wallNanos()),
            millis(measured.stepNanos()),
            String.format(Locale.ROOT, "%.2f", gteps),
            Integer.toString(supersteps),
            Long.toString(edges),
            trail,
            checked));
    if (engine.hasDevice()) {
      memory.add(
          List.of(
              graph,
              measured.title(),
              engine.name(),
              dense.toString(),
              number(measured.upload().bytes() / 1e6),
              number(measured.upload().nanos() / 1e6),
              number((double) measured.upload().bytes() / Math.max(1, measured.upload().nanos())),
              number(measured.deviceBytes() / 1e6),
              number(measured.firstOpenNanos() / 1e6),
              number(measured.openNanos() / 1e6)));
    }
    if (engine.devices() > 1) {
      measured.steps().forEach(step -> step(graph, measured, step));
    }
    if (engine.devices() > 0) {
      scaling(graph, measured, dense);
    }
    for (BenchmarkEngine.KernelResources kernelResources : measured.kernels()) {
      resources(measured, dense, kernelResources);
    }
    measured.kernelTimes().forEach((kernel, time) -> time(graph, measured, dense, kernel, time));
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What a superstep takes on so many devices, beside what it takes on one. */
  private void scaling(String graph, WorkloadRuns measured, DenseKernel dense) {
    BenchmarkEngine engine = measured.engine();
    int devices = engine.devices();
    double step = measured.stepNanos();
    double wall = measured.stepWallNanos();
    List<String> same = List.of(graph, measured.title(), engine.name(), dense.toString());
    if (devices == 1) {
      alone.put(same, List.of(step, wall));
    }
    List<Double> one = alone.getOrDefault(same, List.of(Double.NaN, Double.NaN));
    double steps = Math.max(1, measured.steps().size());
    double bytes = measured.steps().stream().mapToLong(s -> s.hub().bytes()).sum() / steps;
    String mode = devices == 1 ? "" : lower(measured.settings().exchange());
    String way = devices == 1 ? "" : lower(measured.deviceSettings().exchange());
    String partitioning = devices == 1 ? "" : lower(measured.deviceSettings().partitioning());
    List<Double> commands = measured.commands();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "scaling");
    fields.put("graph", graph);
    fields.put("algorithm", measured.title());
    fields.put("engine", engine.name());
    fields.put("denseKernel", dense.toString());
    fields.put("devices", devices);
    fields.put("exchange", mode);
    fields.put("deviceExchange", way);
    fields.put("partitioning", partitioning);
    fields.put("stepMs", step / 1e6);
    fields.put("stepWallMs", wall / 1e6);
    fields.put("exchangeMsPerStep", measured.hubNanos() / steps / 1e6);
    fields.put("exchangeBytesPerStep", bytes);
    fields.put("launchesPerStep", commands.get(0));
    fields.put("otherCommandsPerStep", commands.get(1));
    fields.put("waitsPerStep", commands.get(2));
    fields.put("imbalance", measured.imbalance());
    fields.put("speedUp", one.get(0) / step);
    fields.put("wallSpeedUp", one.get(1) / wall);
    emit(fields);
    scaling.add(
        List.of(
            graph,
            measured.title(),
            engine.name(),
            dense.toString(),
            Integer.toString(devices),
            mode,
            way,
            partitioning,
            millis(step),
            millis(wall),
            millis(measured.hubNanos() / steps),
            String.format(Locale.ROOT, "%.3f", bytes / 1e6),
            number(commands.get(0)),
            number(commands.get(1)),
            number(commands.get(2)),
            factor(measured.imbalance()),
            factor(one.get(0) / step),
            factor(one.get(1) / wall)));
  }

  private static String factor(double factor) {
    return Double.isNaN(factor) ? "" : String.format(Locale.ROOT, "%.2f", factor);
  }

  private void step(String graph, WorkloadRuns measured, WorkloadRuns.Step step) {
    BenchmarkEngine engine = measured.engine();
    String kernel = step.stats().kernel().name().toLowerCase(Locale.ROOT);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "superstep");
    fields.put("graph", graph);
    fields.put("algorithm", measured.title());
    fields.put("engine", engine.name());
    fields.put("devices", engine.devices());
    fields.put("exchange", lower(measured.settings().exchange()));
    fields.put("deviceExchange", lower(measured.deviceSettings().exchange()));
    fields.put("partitioning", lower(measured.deviceSettings().partitioning()));
    fields.put("superstep", step.stats().superstep());
    fields.put("kernel", kernel);
    fields.put("kernelMs", step.kernelNanos() / 1e6);
    fields.put("hubMs", step.hub().nanos() / 1e6);
    fields.put("hubBytes", step.hub().bytes());
    fields.put("updates", step.stats().boundaryUpdates());
    fields.put("wallMs", step.stats().nanos() / 1e6);
    String edges = step.edges().stream().map(String::valueOf).collect(Collectors.joining(" "));
    fields.put("deviceEdges", edges);
    emit(fields);
    hub.add(
        List.of(
            graph,
            measured.title(),
            engine.name(),
            Integer.toString(engine.devices()),
            lower(measured.settings().exchange()),
            lower(measured.deviceSettings().exchange()),
            lower(measured.deviceSettings().partitioning()),
            Integer.toString(step.stats().superstep()),
            kernel,
            millis(step.kernelNanos()),
            millis(step.hub().nanos()),
            String.format(Locale.ROOT, "%.3f", step.hub().bytes() / 1e6),
            Long.toString(step.stats().boundaryUpdates()),
            edges));
  }

  private void resources(
      WorkloadRuns measured, DenseKernel dense, BenchmarkEngine.KernelResources kernelResources) {
    BenchmarkEngine engine = measured.engine();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "resources");
    fields.put("algorithm", measured.title());
    fields.put("engine", engine.name());
    fields.put("denseKernel", dense.toString());
    fields.put("kernel", kernelResources.name());
    fields.put("registers", kernelResources.registers());
    fields.put("localBytes", kernelResources.localBytes());
    fields.put("blocksPerMultiprocessor", kernelResources.blocks());
    emit(fields);
    resources.addOnce(
        List.of(
            measured.title(),
            engine.name(),
            kernelResources.name(),
            Integer.toString(kernelResources.registers()),
            Integer.toString(kernelResources.localBytes()),
            Integer.toString(kernelResources.blocks())));
  }

  private void time(
      String graph,
      WorkloadRuns measured,
      DenseKernel dense,
      String kernel,
      BenchmarkEngine.KernelTime time) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "kernel");
    fields.put("graph", graph);
    fields.put("algorithm", measured.title());
    fields.put("engine", measured.engine().name());
    fields.put("denseKernel", dense.toString());
    fields.put("kernel", kernel);
    fields.put("launches", time.launches());
    fields.put("ms", time.nanos() / 1e6);
    emit(fields);
    times.add(
        List.of(
            graph,
            measured.title(),
            measured.engine().name(),
            dense.toString(),
            kernel,
            Long.toString(time.launches()),
            millis(time.nanos()),
            millis((double) time.nanos() / time.launches())));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String millis(double nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
  }
}
