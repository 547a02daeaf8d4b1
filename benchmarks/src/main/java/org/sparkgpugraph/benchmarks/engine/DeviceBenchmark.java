package org.sparkgpugraph.benchmarks.engine;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.benchmarks.GraphSpec;
import org.sparkgpugraph.benchmarks.RunCounts;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DevicePartitioning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.StopSettings;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.engine.device.tuning.ChoicePolicy;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lanes.ContextForm;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
      "kernels: 2S 3D is two sparse supersteps, then three dense ones; M: merged by servers.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  DeviceBenchmark --engine cuda --graphs rmat22,lattice4096 --check --baseline"
    })
public final class DeviceBenchmark implements Callable<Integer> {
  private static final int MOST_TUNING_RUNS = 200;

  @Mixin private RunCounts counts = new RunCounts(20, 5, 2);

  @Mixin private EnginesAndGraphs subjects = new EnginesAndGraphs();

  @Option(
      names = "--devices",
      paramLabel = "N",
      split = ",",
      description =
          "Devices of a device engine; default 1. Graphs are cut into as many partitions, and each"
              + " superstep is told with the time of its kernels and of what goes between devices."
              + " Several are compared: 1,2 tells by how much two are faster than one.")
  private List<Integer> deviceCounts = List.of(1);

  @Option(
      names = "--share-gpus",
      description =
          "Opens GPUs several times where --devices wants more than there are. Their kernels take"
              + " turns: for results, what goes between devices and profiles, not for times.")
  private boolean sharesGpus;

  @Option(
      names = "--exchange",
      paramLabel = "MODE",
      split = ",",
      description =
          "What partitions tell each other: refined (default), boundary, all. Several are compared.")
  private List<String> exchanges = List.of("refined");

  @Option(
      names = "--device-exchange",
      paramLabel = "WAY",
      split = ",",
      description =
          "How it goes from device to device: auto (default), hub, peer, as"
              + " spark.gpugraph.gpu.exchange says. Several are compared.")
  private List<String> deviceExchanges = List.of("auto");

  @Option(
      names = "--partitioning",
      paramLabel = "HOW",
      split = ",",
      description =
          "How devices share a graph: fixed (default) or permissive, as"
              + " spark.gpugraph.gpu.partitioning says. Several are compared.")
  private List<String> partitionings = List.of("fixed");

  @Option(
      names = "--algorithms",
      paramLabel = "NAME",
      split = ",",
      description =
          "pagerank (floats), pagerank-f64, pagerank-converging (by residuals; what is hoisted hides"
              + " them from --kernel async: --hoist off), bfs, sssp, cc, cc-long, cdlp; default"
              + " pagerank,bfs,sssp,cc.")
  private List<String> algorithms = List.of("pagerank", "bfs", "sssp", "cc");

  @Option(
      names = "--kernel",
      paramLabel = "KIND",
      description =
          "auto (default), dense, sparse, push, outlined (push, many in one launch) or delegated (push"
              + " to blocks that merge) supersteps, or async (push by priority, without supersteps).")
  private String kernel = "auto";

  @Option(
      names = "--push",
      paramLabel = "SHARE/BLOCK/THREAD/BUCKET/ROUNDS",
      description =
          "When and how a device engine's supersteps push: the largest part of the graph, most work"
              + " of one block, most work per thread of a block per multiprocessor, width of a"
              + " bucket in mean edge values (0: none), most supersteps of a launch; default:"
              + " 0.125/512/16/32/512.")
  private String push;

  @Option(
      names = "--stops",
      paramLabel = "FROM/UNTIL/SORTING",
      description =
          "When rows of a device engine stop at the first message that says as much as any can, where"
              + " a program allows it: with more active vertices and edges than a share of the graph,"
              + " and behind such a superstep with more than another share; rows are sorted by edge"
              + " values never, always, or for graphs that are run again; never: not at all;"
              + " default: 0.0156/0.00098/again.")
  private String stops;

  @Option(
      names = "--no-meetings",
      description =
          "Devices that push tell each other behind a launch what changed, not behind each superstep"
              + " of it.")
  private boolean noMeetings;

  @Option(
      names = "--no-searches",
      description =
          "Supersteps that push and those whose rows stop early are launches of their own, not one.")
  private boolean noSearches;

  @Option(
      names = "--push-schedule",
      paramLabel = "SCHEDULE",
      description =
          "Who walks the edges of active vertices: serial (a lane each), or block, warp and fine"
              + " joined by +, each for what is long enough for it; /shelf behind that: places in the"
              + " next queue are taken by blocks, not by warps; default: fine.")
  private String pushSchedule = "fine";

  @Option(
      names = "--async",
      paramLabel = "WIDTH/HOW/TAKEN/KEEP/BLOCKS/AFTER",
      description =
          "How --kernel async relaxes without supersteps: width of a bucket at first, in mean edge"
              + " values by mean degree; dynamic or fixed; from how many buckets items are taken at"
              + " first; items that a warp keeps to itself (0: chosen); most thread blocks (0: all);"
              + " behind how many supersteps --kernel auto goes on so (0: never); default:"
              + " 32/dynamic/2/0/0/256.")
  private String async;

  @Option(
      names = "--tiles",
      paramLabel = "FORM/WIDTH/THREADS/NEAR/FAR/VERTICES",
      description =
          "Whether blocks own tiles of the graph without supersteps: auto, tiles or buckets; how far"
              + " behind the best value they walk, in mean edge values by mean degree; threads of a"
              + " block; vertices that it queues, and those that it keeps for later, at most;"
              + " vertices of a tile; default: auto/32/512/1536/2560/1024.")
  private String tiles;

  @Option(
      names = "--dense-kernel",
      paramLabel = "KERNEL",
      split = ",",
      description =
          "What a device engine walks all rows with: stream (default), segmentation, lanes1, lanes2,"
              + " … lanes32: a virtual warp of so many lanes per row, or waves4, … waves32: so many"
              + " lanes take a row after what concerns rows was done for 32 at once (waves: as many as"
              + " degrees say), or nested-serial, … nested-block+warp+fine: each schedule takes what is"
              + " long enough for it. Constants follow behind slashes: stream/depth=8/serial=16/blocks=5/piece=4096/hub=2048/chunk=4096 (pieces"
              + " of so many edges are taken by warps when they get there, -1: none are);"
              + " stream/hot: other ends' values are read in the order of how many edges end there, with"
              + " what there is room for in shared memory (stream/hot=BYTES: so much at most,"
              + " stream/hot=-1: in the order of ids; stream: as the planner decides);"
              + " segmentation/tasks=1: all lanes of a warp share the loops of its edges;"
              + " segmentation/contexts=32: a warp collects that many edges that take a costly branch,"
              + " then runs it. Several are compared.")
  private List<String> denseKernels = List.of("stream");

  @Option(
      names = "--outline-dense",
      paramLabel = "MODE",
      split = ",",
      description =
          "Whether a device engine's supersteps that walk rows follow each other in one launch: auto"
              + " (default: of graphs that launches bound, by their number of edges), on, off."
              + " Several are compared.")
  private List<String> outlines = List.of("auto");

  @Option(
      names = "--grouping",
      paramLabel = "N",
      description =
          "Vertices per candidate bit of a device engine: 1, 2, 4, 32 or 64; default: as it chooses.")
  private int grouping;

  @Option(
      names = "--edge-memory",
      paramLabel = "SHARE",
      split = ",",
      description =
          "Most memory of a device that neighbours and edge values may take, as a share of the"
              + " graph's: 4 bytes an edge, and those of its value where it has one. The rest stays in"
              + " the host's memory. Default: all that fits. Several are compared: 1,0.125.")
  private List<Double> edgeMemory = List.of();

  @Option(
      names = "--kernel-times",
      description =
          "Times every launch of a device engine by events of its own, which slows it down a little;"
              + " the last run is told kernel by kernel, with the medians of all runs.")
  private boolean kernelTimes;

  @Option(
      names = "--two-buffers",
      description = "Keeps two value buffers, in step with Pregel, where in place is possible too.")
  private boolean twoBuffers;

  @Option(
      names = "--hoist",
      paramLabel = "MODE",
      split = ",",
      description =
          "Whether what is computed of one end of an edge alone is computed once per vertex: auto"
              + " (default), off, or both to compare them.")
  private List<String> hoist = List.of("auto");

  @Option(
      names = "--ablation",
      paramLabel = "PART",
      split = ",",
      description =
          "Compares a device engine's techniques, one after the other, and prints a table in"
              + " Markdown, every result checked: kernels (ways to gather all rows), supersteps"
              + " (dense, sparse, pushed, chosen), buckets (of shortest paths), async (searches without"
              + " supersteps, fixed widths and changing ones), tiles (the same by owners), nested (who walks the edges of active"
              + " vertices), rows (of all), loops and contexts (of send functions with loops and"
              + " costly branches: --algorithms loops, branches-2, …). Of the other options"
              + " only --engine, --graphs, --algorithms, --iterations, --runs, --warm-up and --json"
              + " count.")
  private List<String> ablation = List.of();

  @Option(
      names = "--tune",
      description =
          "Tries all ways in which a device engine may gather rows and walk the edges of active"
              + " vertices, in at most 200 runs of each algorithm, prints what an edge took in each of them, and remembers the quickest as"
              + " spark.gpugraph.gpu.tuning does. The kernels of each way are compiled first. What"
              + " was remembered before is taken: remove choices.tuned in the folder of compiled"
              + " kernels to try again. Of the other options only --engine, --graphs, --algorithms,"
              + " --kernel, --push, --async, --devices (the first) and --iterations count.")
  private boolean tune;

  @Option(
      names = "--union-find",
      description =
          "Measures connected components by union-find, the operator, too; with --kernel-times kernel"
              + " by kernel. --algorithms cc-long is the vertex program.")
  private boolean unionFind;

  @Option(
      names = "--write-graphs",
      paramLabel = "FOLDER",
      description =
          "Writes each graph as FOLDER/NAME.csr first, for other codes to run on, and for"
              + " --graphs file:FOLDER/NAME.csr.")
  private Path written;

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

  private final PrintStream out;
  private BenchmarkReport report;
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
    int least = deviceCounts.stream().mapToInt(n -> n).min().orElse(0);
    int most = deviceCounts.stream().mapToInt(n -> n).max().orElse(0);
    if (least < 1 || baseline && most > 1) {
      throw counts.wrong("--devices must be at least 1, and 1 with --baseline");
    }
    List<Workload> workloads = algorithms.stream().map(this::workload).toList();
    List<GraphSpec> specs = subjects.graphs(least);
    subjects.write(written, specs);
    List<DenseKernel> dense = denseKernels.stream().map(this::denseKernel).toList();
    DeviceSettings deviceSettings = deviceSettings();
    List<ExchangeMode> modes =
        exchanges.stream()
            .map(name -> constant(ExchangeMode.class, name, "an exchange mode"))
            .toList();
    List<DeviceExchange> ways =
        deviceExchanges.stream()
            .map(name -> constant(DeviceExchange.class, name, "a device exchange"))
            .toList();
    List<DevicePartitioning> shared =
        partitionings.stream()
            .map(name -> constant(DevicePartitioning.class, name, "a partitioning"))
            .toList();
    List<Between> between =
        shared.stream()
            .flatMap(p -> modes.stream().flatMap(m -> ways.stream().map(w -> new Between(m, w, p))))
            .toList();
    KernelChoice choice = kernelChoice();
    outlines.forEach(this::outline);
    counts.check();
    if (edgeMemory.stream().anyMatch(share -> !(share >= 0))) {
      throw counts.wrong("--edge-memory is a share of the graph, at least 0: " + edgeMemory);
    }
    if (threads < 1) {
      throw counts.wrong("--threads must be at least 1");
    }
    subjects.check();
    hoist.forEach(this::checkHoistMode);
    List<Ablation.Part> parts = ablation.stream().map(this::part).toList();
    if (tune) {
      return tune(specs, workloads, deviceSettings, choice);
    }
    report = new BenchmarkReport(out, counts.newJson());
    workloads.stream().filter(workload -> workload.every() > 0).forEach(this::estimate);
    if (!parts.isEmpty()) {
      return ablate(new Ablation(parts), specs, workloads);
    }
    try (SpmvBaseline spmv = baseline ? new SpmvBaseline() : null) {
      for (GraphSpec graphSpec : specs) {
        boolean weighted = workloads.contains(Workload.SSSP);
        Edges edges = new Edges(graphSpec, weighted ? Kind.INT : null);
        for (int devices : deviceCounts) {
          // On one device nothing is exchanged.
          measure(
              edges,
              devices,
              workloads,
              dense,
              devices == 1 ? between.subList(0, 1) : between,
              deviceSettings,
              choice,
              spmv);
        }
      }
    }
    report.print();
    return failed ? 1 : 0;
  }

  /** What a rule that has warps collect contexts looks at: {@code /contexts-from=}. */
  private void estimate(Workload workload) {
    ContextForm form = ChoicePolicy.contexts(workload.program(0).program()).orElseThrow();
    out.println(workload.title() + ": contexts are " + form.estimate());
  }

  private int tune(
      List<GraphSpec> specs,
      List<Workload> workloads,
      DeviceSettings deviceSettings,
      KernelChoice choice) {
    int devices = deviceCounts.get(0);
    for (GraphSpec spec : specs) {
      ExecutorGraph graph = new Edges(spec, Kind.INT).graph(devices);
      int source = spec.lattice() ? 0 : largestOutDegree(graph);
      for (String name : subjects.engines()) {
        try (BenchmarkEngine engine = BenchmarkEngines.open(name, devices, sharesGpus, false)) {
          if (!engine.hasDevice()) {
            throw counts.wrong("--tune is for device engines: --engine cuda or emulated");
          }
          for (Workload workload : workloads) {
            TuningRuns runs =
                new TuningRuns(
                    engine,
                    graph,
                    workload,
                    graph.ids().original(source),
                    runSettings(workload, choice, ExchangeMode.REFINED),
                    deviceSettings);
            runs.run(MOST_TUNING_RUNS);
            out.printf("%n%s on %s, %s%n", workload.title(), spec, engine.hardware());
            out.print(runs.text());
          }
        } catch (DeviceException e) {
          failed = true;
          out.println("engine " + name + " on " + spec + ": " + e.getMessage());
        }
      }
    }
    return failed ? 1 : 0;
  }

  private int ablate(Ablation compared, List<GraphSpec> specs, List<Workload> workloads) {
    for (GraphSpec spec : specs) {
      ExecutorGraph graph = new Edges(spec, Kind.INT).graph(1);
      int source = spec.lattice() ? 0 : largestOutDegree(graph);
      ReferenceResults reference = new ReferenceResults(graph, source, counts.iterations());
      for (String name : subjects.engines()) {
        try (BenchmarkEngine engine = BenchmarkEngines.open(name, 1, false, false)) {
          Subject subject = new Subject(spec, graph, source, engine, reference);
          for (Workload workload : workloads) {
            for (Ablation.Row row : compared.rows()) {
              if (row.covers(workload, spec.lattice())) {
                ablate(compared, row, subject, workload);
              }
            }
          }
        } catch (DeviceException e) {
          failed = true;
          out.println("engine " + name + " on " + spec + ": " + e.getMessage());
        }
      }
    }
    out.println();
    out.print(compared.markdown());
    return failed ? 1 : 0;
  }

  private void ablate(Ablation compared, Ablation.Row row, Subject subject, Workload workload) {
    DeviceSettings on = row.dense().in(DeviceSettings.DEFAULT.withPush(row.push()));
    RunSettings run = runSettings(workload, row.kernel(), ExchangeMode.REFINED);
    WorkloadRuns measured = runs(subject, workload, row.hoists(), on, run);
    try {
      measured.run(counts.warmUps(), counts.runs(), subject.reference());
    } catch (RuntimeException e) {
      failed = true;
      e.printStackTrace(out);
      compared.failed(row, subject.spec().name(), workload, String.valueOf(e.getMessage()));
      return;
    }
    failed |= measured.difference() != null;
    compared.add(row, subject.spec().name(), measured);
    report.runs(subject.spec().name(), row.dense(), measured);
  }

  /**
   * What goes between devices.
   *
   * @param mode what partitions tell each other
   * @param way how it goes from device to device
   * @param partitioning how they share the graph
   */
  private record Between(ExchangeMode mode, DeviceExchange way, DevicePartitioning partitioning) {}

  /** The edges of a graph, generated once. */
  private static final class Edges {
    private final GraphSpec spec;
    private final Kind weights;
    private final List<EdgeBlock> blocks;

    Edges(GraphSpec spec, Kind weights) {
      this.spec = spec;
      this.weights = weights;
      blocks = spec.edges(weights);
    }

    /** Bytes of one side's neighbours and values. */
    long bytes() {
      long each = Integer.BYTES + (weights == null ? 0 : weights.bytes());
      return each * blocks.stream().mapToLong(EdgeBlock::size).sum();
    }

    ExecutorGraph graph(int partitions) {
      return BenchmarkGraphs.build(
          blocks, BenchmarkGraphs.vertices(spec.vertices()), weights, partitions);
    }
  }

  private void measure(
      Edges edges,
      int devices,
      List<Workload> workloads,
      List<DenseKernel> dense,
      List<Between> between,
      DeviceSettings deviceSettings,
      KernelChoice choice,
      SpmvBaseline spmv)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    GraphSpec graphSpec = edges.spec;
    ExecutorGraph graph = edges.graph(devices);
    int source = graphSpec.lattice() ? 0 : largestOutDegree(graph);
    GraphPartition partition = graph.partitions().get(graph.partitionOf(source));
    int row = source - (int) partition.firstVertex();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", "graph");
    fields.put("graph", graphSpec.name());
    fields.put("vertices", graph.vertexCount());
    fields.put("edges", graph.edgeCount());
    fields.put("source", partition.originalId(row));
    fields.put("sourceOutDegree", partition.outDegree(row));
    fields.put("partitions", devices);
    fields.put("buildSeconds", (System.nanoTime() - start) / 1e9);
    fields.put("hostBytes", graph.bytes());
    report.emit(fields);
    ReferenceResults reference =
        check ? new ReferenceResults(whole(graph, edges), source, counts.iterations()) : null;
    for (String name : subjects.engines()) {
      try (BenchmarkEngine engine = BenchmarkEngines.open(name, devices, sharesGpus, kernelTimes)) {
        Subject subject = new Subject(graphSpec, graph, source, engine, reference);
        if (unionFind) {
          for (Between exchange : engine.hasDevice() ? between : between.subList(0, 1)) {
            components(subject, deviceSettings.withExchange(exchange.way()));
          }
        }
        for (DenseKernel kernelOfAllRows : engine.hasDevice() ? dense : dense.subList(0, 1)) {
          for (Workload workload : workloads) {
            for (Between exchange : engine.hasDevice() ? between : between.subList(0, 1)) {
              DeviceSettings on =
                  kernelOfAllRows
                      .in(deviceSettings)
                      .withExchange(exchange.way())
                      .withPartitioning(exchange.partitioning());
              RunSettings run = runSettings(workload, choice, exchange.mode());
              for (String outlined : engine.hasDevice() ? outlines : outlines.subList(0, 1)) {
                DeviceSettings outlining =
                    on.withOutline(OutlineSettings.DEFAULT.with(outline(outlined)));
                for (String mode : hoist) {
                  for (DeviceSettings bounded : edgeMemory(outlining, edges)) {
                    measure(subject, workload, mode.equals("auto"), kernelOfAllRows, bounded, run);
                  }
                }
              }
            }
          }
        }
      } catch (DeviceException e) {
        failed = true;
        out.println("engine " + name + " on " + graphSpec + ": " + e.getMessage());
      }
    }
    if (spmv != null) {
      report.baseline(graphSpec.name(), spmv.measure(graph.partitions().get(0)));
    }
  }

  /** The graph in one partition, for the sequential algorithms. */
  private static ExecutorGraph whole(ExecutorGraph graph, Edges edges) {
    return graph.partitions().size() == 1 ? graph : edges.graph(1);
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
      return graph.ids().original(source);
    }
  }

  private void measure(
      Subject subject,
      Workload workload,
      boolean hoists,
      DenseKernel dense,
      DeviceSettings deviceSettings,
      RunSettings run) {
    WorkloadRuns measured = runs(subject, workload, hoists, deviceSettings, run);
    try {
      measured.run(counts.warmUps(), counts.runs(), subject.reference());
    } catch (RuntimeException e) {
      // The other measurements are still wanted: device time is scarce.
      failed = true;
      out.println(
          measured.title() + " with " + dense + " kernels on " + subject.spec() + " failed:");
      e.printStackTrace(out);
      return;
    }
    failed |= measured.difference() != null;
    report.runs(subject.spec().name(), dense, measured);
  }

  private static WorkloadRuns runs(
      Subject subject,
      Workload workload,
      boolean hoists,
      DeviceSettings deviceSettings,
      RunSettings run) {
    return new WorkloadRuns(
        subject.engine(),
        subject.graph(),
        workload,
        subject.sourceId(),
        hoists,
        run,
        deviceSettings);
  }

  private void components(Subject subject, DeviceSettings deviceSettings) {
    UnionFindRuns measured =
        new UnionFindRuns(subject.engine(), subject.graph(), threads, deviceSettings);
    try {
      measured.run(counts.warmUps(), counts.runs());
    } catch (RuntimeException e) {
      // The other measurements are still wanted: device time is scarce.
      failed = true;
      out.println("union-find on " + subject.spec() + " failed:");
      e.printStackTrace(out);
      return;
    }
    String difference =
        subject.reference() == null ? null : subject.reference().difference(measured.roots());
    failed |= difference != null;
    String said = subject.reference() == null ? "" : difference == null ? "right" : difference;
    report.emit(measured.fields(subject.spec().name(), said));
    out.print(measured.text(subject.spec().name(), said));
  }

  private RunSettings runSettings(Workload workload, KernelChoice choice, ExchangeMode exchange) {
    return new RunSettings(
        workload.initialMessage(),
        workload.emptyMessage(),
        workload.direction(),
        Gather.ACTIVE,
        workload.iterates() ? counts.iterations() : Integer.MAX_VALUE,
        workload.isMonotone() && !twoBuffers,
        choice,
        threads,
        null,
        exchange);
  }

  /** Dense id of the vertex of largest out-degree, the first of them. */
  private static int largestOutDegree(ExecutorGraph graph) {
    int best = 0;
    int degree = -1;
    for (GraphPartition partition : graph.partitions()) {
      for (int v = 0; v < partition.stored(); v++) {
        if (partition.outDegree(v) > degree) {
          degree = partition.outDegree(v);
          best = (int) partition.firstVertex() + v;
        }
      }
    }
    return best;
  }

  // ---- options ----------------------------------------------------------------------------------

  private Workload workload(String name) {
    return counts.named("an algorithm", name, List.of(Workload.values()), Workload::title);
  }

  private DenseKernel denseKernel(String name) {
    try {
      return DenseKernel.of(name);
    } catch (IllegalArgumentException e) {
      throw counts.wrong(e.getMessage());
    }
  }

  private DeviceSettings deviceSettings() {
    try {
      return DeviceSettings.DEFAULT.withGrouping(grouping).withPush(pushSettings());
    } catch (IllegalArgumentException e) {
      throw counts.wrong(
          "--grouping, --push, --stops, --push-schedule, --async or --tiles: " + e.getMessage());
    }
  }

  /** With each bound of what edges may take, or without. */
  private List<DeviceSettings> edgeMemory(DeviceSettings on, Edges edges) {
    long bytes = edges.bytes();
    return edgeMemory.isEmpty()
        ? List.of(on)
        : edgeMemory.stream().map(share -> on.withEdgeBytes((long) (share * bytes))).toList();
  }

  private AsyncSettings asyncSettings() {
    AsyncSettings defaults = AsyncSettings.DEFAULT.withTiles(tileSettings());
    if (async == null) {
      return defaults;
    }
    String[] parts = async.split("/");
    if (parts.length != 6 || !parts[1].matches("dynamic|fixed")) {
      throw new IllegalArgumentException(
          "'" + async + "' is not WIDTH/HOW/TAKEN/KEEP/BLOCKS/AFTER");
    }
    return defaults
        .withWidth(Double.parseDouble(parts[0]), parts[1].equals("dynamic"))
        .withTaken(Integer.parseInt(parts[2]))
        .withKeep(Integer.parseInt(parts[3]))
        .withBlocks(Integer.parseInt(parts[4]))
        .withAfter(Integer.parseInt(parts[5]));
  }

  private TileSettings tileSettings() {
    if (tiles == null) {
      return TileSettings.DEFAULT;
    }
    String[] parts = tiles.split("/");
    if (parts.length != 6 || !parts[0].matches("auto|tiles|buckets")) {
      throw new IllegalArgumentException(
          "'" + tiles + "' is not FORM/WIDTH/THREADS/NEAR/FAR/VERTICES");
    }
    return TileSettings.DEFAULT
        .withForm(TileSettings.Form.valueOf(parts[0].toUpperCase(Locale.ROOT)))
        .withWidth(Double.parseDouble(parts[1]))
        .withBlocks(0, Integer.parseInt(parts[2]))
        .withRoom(
            Integer.parseInt(parts[3]), Integer.parseInt(parts[4]), TileSettings.DEFAULT.posts())
        .withTiles(Integer.parseInt(parts[5]));
  }

  private PushSettings pushSettings() {
    return pushWork()
        .withMeets(!noMeetings)
        .withSearches(!noSearches)
        .withAsync(asyncSettings())
        .withSchedule(WalkSchedule.of(pushSchedule))
        .withStops(stopSettings());
  }

  private StopSettings stopSettings() {
    if (stops == null) {
      return StopSettings.DEFAULT;
    }
    if (stops.equals("never")) {
      return StopSettings.NEVER;
    }
    String[] parts = stops.split("/");
    if (parts.length != 2 && parts.length != 3) {
      throw new IllegalArgumentException("'" + stops + "' is not FROM/UNTIL or FROM/UNTIL/SORTING");
    }
    StopSettings settings =
        new StopSettings(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
    return parts.length == 2
        ? settings
        : settings.withSorting(StopSettings.Sorting.valueOf(parts[2].toUpperCase(Locale.ROOT)));
  }

  private PushSettings pushWork() {
    if (push == null) {
      return PushSettings.DEFAULT;
    }
    String[] parts = push.split("/");
    if (parts.length != 5) {
      throw new IllegalArgumentException("'" + push + "' is not SHARE/BLOCK/THREAD/BUCKET/ROUNDS");
    }
    return new PushSettings(
        Double.parseDouble(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Double.parseDouble(parts[3]),
        Integer.parseInt(parts[4]));
  }

  private KernelChoice kernelChoice() {
    return constant(KernelChoice.class, kernel, "a kernel");
  }

  private OutlineSettings.Choice outline(String name) {
    return constant(OutlineSettings.Choice.class, name, "a choice of outlining");
  }

  private <E extends Enum<E>> E constant(Class<E> type, String name, String what) {
    return counts.named(
        what,
        name,
        List.of(type.getEnumConstants()),
        one -> one.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  private void checkHoistMode(String mode) {
    counts.named("a hoist mode", mode, List.of("auto", "off"), known -> known);
  }

  private Ablation.Part part(String name) {
    return counts.named(
        "a part of the ablation", name, List.of(Ablation.Part.values()), Ablation.Part::title);
  }
}
