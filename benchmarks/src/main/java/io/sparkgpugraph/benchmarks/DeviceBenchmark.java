package io.sparkgpugraph.benchmarks;

import io.sparkgpugraph.engine.Gather;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.engine.device.DeviceException;
import io.sparkgpugraph.engine.device.DeviceSettings;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.program.Kind;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures engines on large generated graphs without Spark: each graph is built once, becomes
 * resident at its first run, and every workload then runs over it several times. Prints tables, and
 * a JSON object per measurement.
 *
 * <p>Exit status: 0; 1 when a compared result differs or an engine failed; 2 when the arguments are
 * wrong.
 */
@Command(
    name = "DeviceBenchmark",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measures engines on generated graphs, without Spark.",
    description = {
      "",
      "Times are medians over the runs after warm-up: of the supersteps of a run, the graph resident.",
      "device: by the engine's own events, wall: by the host's clock.",
      "step: one superstep, by device time where there is one; GTEPS: edges evaluated over that time.",
      "kernels: 2S 3D is two sparse supersteps, then three dense ones.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  DeviceBenchmark --engine cuda --graphs rmat22,lattice4096 --check --baseline"
    })
public final class DeviceBenchmark implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      split = ",",
      description = "cuda, cpu, emulated; default cpu. Several with commas.")
  private List<String> engines = List.of("cpu");

  @Option(
      names = "--graphs",
      paramLabel = "GRAPH",
      split = ",",
      description =
          "rmatSCALE: R-MAT of 2^SCALE vertices and 16 edges for each, ids scrambled;"
              + " latticeSIDE: SIDE x SIDE vertices, 4 neighbours. Default rmat16.")
  private List<String> graphs = List.of("rmat16");

  @Option(
      names = "--algorithms",
      paramLabel = "NAME",
      split = ",",
      description =
          "pagerank (floats), pagerank-f64, bfs, sssp, cc, cc-long; default pagerank,bfs,sssp,cc.")
  private List<String> algorithms = List.of("pagerank", "bfs", "sssp", "cc");

  @Option(names = "--runs", paramLabel = "N", description = "Measured runs; default 5.")
  private int runs = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Runs before, not measured; default 2.")
  private int warmUps = 2;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Iterations of PageRank in a run; default 20.")
  private int iterations = 20;

  @Option(
      names = "--kernel",
      paramLabel = "KIND",
      description = "auto (default), dense or sparse supersteps.")
  private String kernel = "auto";

  @Option(
      names = "--dense-kernel",
      paramLabel = "KERNEL",
      split = ",",
      description =
          "What a device engine walks all rows with: segmentation (default), or lanes1, lanes2, …"
              + " lanes32: a virtual warp of so many lanes per row. Several are compared.")
  private List<String> denseKernels = List.of("segmentation");

  @Option(
      names = "--grouping",
      paramLabel = "N",
      description =
          "Vertices per candidate bit of a device engine: 1, 2, 4, 32 or 64; default: as it chooses.")
  private int grouping;

  @Option(
      names = "--kernel-times",
      description =
          "Times every launch of a device engine by events of its own, which slows it down a little;"
              + " the last run is told kernel by kernel.")
  private boolean kernelTimes;

  @Option(
      names = "--two-buffers",
      description = "Keeps two value buffers, in step with Pregel, where in place is possible too.")
  private boolean twoBuffers;

  @Option(
      names = "--check",
      description = "Compares the last run's values with those of a sequential algorithm.")
  private boolean check;

  @Option(
      names = "--baseline",
      description =
          "Measures cuSPARSE's CSR SpMV on the same matrix, and a copy on the device, with"
              + " benchmarks/gpu/spmv_baseline.cu (nvcc) or spmv_baseline.py (CuPy).")
  private boolean baseline;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads of the CPU engine; default: all.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Where the measurements go as JSON, an object per line; default: the output.")
  private Path json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this and exits.")
  private boolean help;

  private final PrintStream out;
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
  private final TextTable resources =
      new TextTable("algorithm", "engine", "kernel", "registers", "local bytes", "blocks");
  private final TextTable times =
      new TextTable(
          "graph", "algorithm", "engine", "dense kernel", "kernel", "launches", "ms", "ms each");
  private boolean failed;

  DeviceBenchmark(PrintStream out) {
    this.out = out;
  }

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    System.exit(execute(System.out, args));
  }

  static int execute(PrintStream out, String... args) {
    PrintWriter writer = new PrintWriter(out, true);
    return new CommandLine(new DeviceBenchmark(out)).setOut(writer).setErr(writer).execute(args);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Workload> workloads = algorithms.stream().map(this::workload).toList();
    List<GraphSpec> specs = graphs.stream().map(this::graphSpec).toList();
    List<DenseKernel> dense = denseKernels.stream().map(this::denseKernel).toList();
    DeviceSettings deviceSettings = deviceSettings();
    KernelChoice choice = kernelChoice();
    if (runs < 1 || warmUps < 0 || iterations < 1 || threads < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--runs, --iterations and --threads must be at least 1, --warm-up at least 0");
    }
    engines.forEach(this::checkEngineName);
    if (json != null) {
      Files.deleteIfExists(json);
    }
    try (SpmvBaseline spmv = baseline ? new SpmvBaseline(baselineFolder()) : null) {
      for (GraphSpec graphSpec : specs) {
        measure(graphSpec, workloads, dense, deviceSettings, choice, spmv);
      }
    }
    out.println();
    out.print(table);
    for (TextTable more : List.of(memory, times, resources)) {
      if (more.rows() > 0) {
        out.println();
        out.print(more);
      }
    }
    return failed ? 1 : 0;
  }

  private void measure(
      GraphSpec graphSpec,
      List<Workload> workloads,
      List<DenseKernel> dense,
      DeviceSettings deviceSettings,
      KernelChoice choice,
      SpmvBaseline spmv)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    boolean weighted = workloads.contains(Workload.SSSP);
    ExecutorGraph graph =
        BenchmarkGraphs.build(graphSpec.generated(), weighted ? Kind.INT : null, true, 1);
    GraphPartition partition = graph.partitions().get(0);
    int source = graphSpec.lattice() ? 0 : largestOutDegree(partition);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "graph");
    fields.put("graph", graphSpec.name());
    fields.put("vertices", graph.vertexCount());
    fields.put("edges", graph.edgeCount());
    fields.put("source", partition.originalId(source));
    fields.put("sourceOutDegree", partition.outDegree(source));
    fields.put("buildSeconds", (System.nanoTime() - start) / 1e9);
    fields.put("hostBytes", graph.bytes());
    emit(fields);
    ReferenceResults reference = check ? new ReferenceResults(graph, source, iterations) : null;
    for (String name : engines) {
      try (BenchmarkEngine engine = BenchmarkEngines.open(name, kernelTimes)) {
        Subject subject = new Subject(graphSpec, graph, source, engine, reference);
        for (DenseKernel kernelOfAllRows : engine.hasDevice() ? dense : dense.subList(0, 1)) {
          DeviceSettings on = deviceSettings.withVirtualWarp(kernelOfAllRows.lanes());
          for (Workload workload : workloads) {
            measure(subject, workload, kernelOfAllRows, on, choice);
          }
        }
      } catch (DeviceException e) {
        failed = true;
        out.println("engine " + name + " on " + graphSpec + ": " + e.getMessage());
      }
    }
    if (spmv != null) {
      reportBaseline(graphSpec, spmv.measure(partition));
    }
  }

  private void reportBaseline(GraphSpec graphSpec, SpmvBaseline.Outcome outcome)
      throws IOException {
    if (outcome.unavailable() != null) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("measurement", "baseline");
      fields.put("graph", graphSpec.name());
      fields.put("unavailable", outcome.unavailable());
      emit(fields);
      out.println("no baseline for " + graphSpec + ": " + outcome.unavailable());
    }
    for (Map<String, String> result : outcome.results()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("measurement", "baseline");
      fields.put("graph", graphSpec.name());
      fields.putAll(result);
      emit(fields);
      String ms = String.format(Locale.ROOT, "%.3f", Double.parseDouble(result.get("ms")));
      String speed =
          result.containsKey("gbs")
              ? result.get("gbs") + " GB/s"
              : result.getOrDefault("gteps", "");
      table.add(
          List.of(
              graphSpec.name(),
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

  /** Writes a measurement at once, so that a run that is cut short leaves what it has. */
  private void emit(Map<String, ?> fields) {
    String line = JsonLine.of(fields) + "\n";
    if (json == null) {
      out.print(line);
      out.flush();
      return;
    }
    try {
      Files.writeString(json, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What workloads run on.
   *
   * @param source dense id of the vertex that searches start from
   * @param reference right results, or null
   */
  private record Subject(
      GraphSpec spec,
      ExecutorGraph graph,
      int source,
      BenchmarkEngine engine,
      ReferenceResults reference) {
    long sourceId() {
      return graph.partitions().get(0).originalId(source);
    }
  }

  private void measure(
      Subject subject,
      Workload workload,
      DenseKernel dense,
      DeviceSettings deviceSettings,
      KernelChoice choice) {
    WorkloadRuns measured =
        new WorkloadRuns(
            subject.engine(),
            subject.graph(),
            workload,
            subject.sourceId(),
            runSettings(workload, choice),
            deviceSettings);
    try {
      measured.run(warmUps, runs, subject.reference());
    } catch (RuntimeException e) {
      // The other measurements are still wanted: device time is scarce.
      failed = true;
      out.println(name(workload) + " with " + dense + " kernels on " + subject.spec() + " failed:");
      e.printStackTrace(out);
      return;
    }
    report(subject, workload, dense, choice, measured);
  }

  private RunSettings runSettings(Workload workload, KernelChoice choice) {
    return new RunSettings(
        workload.initialMessage(),
        workload.emptyMessage(),
        workload.direction(),
        Gather.ACTIVE,
        workload.iterates() ? iterations : Integer.MAX_VALUE,
        !workload.iterates() && !twoBuffers,
        choice,
        threads,
        null);
  }

  private void report(
      Subject subject,
      Workload workload,
      DenseKernel dense,
      KernelChoice choice,
      WorkloadRuns measured) {
    BenchmarkEngine engine = subject.engine();
    boolean timed = !Double.isNaN(measured.deviceNanos());
    double total = timed ? measured.deviceNanos() : measured.wallNanos();
    long edges = measured.summary().edgesEvaluated();
    int supersteps = measured.summary().iterations();
    double gteps =
        workload.iterates() ? subject.graph().edgeCount() / measured.stepNanos() : edges / total;
    String trail = KernelTrail.of(measured.summary().supersteps());
    String checked =
        !check ? "" : measured.difference() == null ? "ok" : "DIFFERS: " + measured.difference();
    failed |= measured.difference() != null;
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "run");
    fields.put("graph", subject.spec().name());
    fields.put("algorithm", name(workload));
    fields.put("engine", engine.name());
    fields.put("hardware", engine.hardware());
    fields.put("kernel", choice.name().toLowerCase(Locale.ROOT));
    fields.put("denseKernel", engine.hasDevice() ? dense.toString() : null);
    fields.put("grouping", engine.hasDevice() ? grouping : null);
    fields.put("inPlace", !workload.iterates() && !twoBuffers);
    fields.put("runs", runs);
    fields.put("deviceMs", measured.deviceNanos() / 1e6);
    fields.put("wallMs", measured.wallNanos() / 1e6);
    fields.put("stepMs", measured.stepNanos() / 1e6);
    fields.put("gteps", gteps);
    fields.put("supersteps", supersteps);
    fields.put("edgesEvaluated", edges);
    fields.put("kernels", trail);
    fields.put("firstOpenMs", measured.firstOpenNanos() / 1e6);
    fields.put("openMs", measured.openNanos() / 1e6);
    fields.put("uploadBytes", measured.upload().bytes());
    fields.put("uploadMs", measured.upload().nanos() / 1e6);
    fields.put("uploadGBs", (double) measured.upload().bytes() / measured.upload().nanos());
    fields.put("deviceBytes", measured.deviceBytes());
    fields.put("check", checked);
    emit(fields);
    table.add(
        List.of(
            subject.spec().name(),
            name(workload),
            engine.name(),
            engine.hasDevice() ? dense.toString() : "",
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
              subject.spec().name(),
              name(workload),
              engine.name(),
              dense.toString(),
              number(measured.upload().bytes() / 1e6),
              number(measured.upload().nanos() / 1e6),
              number((double) measured.upload().bytes() / Math.max(1, measured.upload().nanos())),
              number(measured.deviceBytes() / 1e6),
              number(measured.firstOpenNanos() / 1e6),
              number(measured.openNanos() / 1e6)));
    }
    for (BenchmarkEngine.KernelResources kernelResources : measured.kernels()) {
      reportResources(workload, engine, dense, kernelResources);
    }
    measured
        .kernelTimes()
        .forEach((kernelName, time) -> reportTime(subject, workload, dense, kernelName, time));
  }

  private void reportResources(
      Workload workload,
      BenchmarkEngine engine,
      DenseKernel dense,
      BenchmarkEngine.KernelResources kernelResources) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "resources");
    fields.put("algorithm", name(workload));
    fields.put("engine", engine.name());
    fields.put("denseKernel", dense.toString());
    fields.put("kernel", kernelResources.name());
    fields.put("registers", kernelResources.registers());
    fields.put("localBytes", kernelResources.localBytes());
    fields.put("blocksPerMultiprocessor", kernelResources.blocks());
    emit(fields);
    resources.addOnce(
        List.of(
            name(workload),
            engine.name(),
            kernelResources.name(),
            Integer.toString(kernelResources.registers()),
            Integer.toString(kernelResources.localBytes()),
            Integer.toString(kernelResources.blocks())));
  }

  private void reportTime(
      Subject subject,
      Workload workload,
      DenseKernel dense,
      String kernelName,
      BenchmarkEngine.KernelTime time) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "kernel");
    fields.put("graph", subject.spec().name());
    fields.put("algorithm", name(workload));
    fields.put("engine", subject.engine().name());
    fields.put("denseKernel", dense.toString());
    fields.put("kernel", kernelName);
    fields.put("launches", time.launches());
    fields.put("ms", time.nanos() / 1e6);
    emit(fields);
    times.add(
        List.of(
            subject.spec().name(),
            name(workload),
            subject.engine().name(),
            dense.toString(),
            kernelName,
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

  /** Dense id of the vertex of largest out-degree, the first of them. */
  private static int largestOutDegree(GraphPartition partition) {
    int best = 0;
    for (int v = 1; v < partition.stored(); v++) {
      if (partition.outDegree(v) > partition.outDegree(best)) {
        best = v;
      }
    }
    return best;
  }

  // ---- options ----------------------------------------------------------------------------------

  private static Path baselineFolder() {
    return Path.of(System.getProperty("sparkgpugraph.benchmarks.gpu", "benchmarks/gpu"));
  }

  private static String name(Workload workload) {
    return workload.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private Workload workload(String name) {
    List<String> names = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      if (name(workload).equals(name)) {
        return workload;
      }
      names.add(name(workload));
    }
    throw new ParameterException(
        spec.commandLine(),
        "'" + name + "' is not an algorithm; valid: " + String.join(", ", names));
  }

  private GraphSpec graphSpec(String name) {
    try {
      return GraphSpec.of(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private DenseKernel denseKernel(String name) {
    try {
      return DenseKernel.of(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private DeviceSettings deviceSettings() {
    try {
      return DeviceSettings.DEFAULT.withGrouping(grouping);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--grouping: " + e.getMessage(), e);
    }
  }

  private KernelChoice kernelChoice() {
    for (KernelChoice choice : KernelChoice.values()) {
      if (choice.name().toLowerCase(Locale.ROOT).equals(kernel)) {
        return choice;
      }
    }
    throw new ParameterException(
        spec.commandLine(), "'" + kernel + "' is not a kernel; valid: auto, dense, sparse");
  }

  private void checkEngineName(String name) {
    if (!BenchmarkEngines.NAMES.contains(name)) {
      throw new ParameterException(
          spec.commandLine(),
          "'" + name + "' is not an engine; valid: " + String.join(", ", BenchmarkEngines.NAMES));
    }
  }
}
