package org.sparkgpugraph.benchmarks.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.benchmarks.RunCounts;
import org.sparkgpugraph.files.generate.GeneratedGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the library's algorithms on a generated graph that several executors hold, each a JVM
 * with GPUs of its own, on one host. Prints a table of loading and one of the algorithms.
 *
 * <p>Exit status: 0; 1 when a result differs from the sequential algorithm's; 2 when the arguments
 * are wrong.
 */
@Command(
    name = "ClusterBenchmark",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measures algorithms over several executors on this host.",
    description = {
      "",
      "Starts local-cluster with an executor JVM for each executor, gives each its own GPUs, loads",
      "an R-MAT graph over them and runs each algorithm several times. Milliseconds per superstep,",
      "superstep 0 left out: the median, and the mean with its parts. kernels, hub (GPU to GPU",
      "inside an executor), codec (packing and unpacking what travels between executors), staging",
      "(bringing that from the engine and to it, from GPU to host and back) and host (what else an",
      "executor does) are those of the slowest executor; Spark is the rest, with the shuffle. On one",
      "executor nothing is known of Spark's part; it is in 'run s', which begins with opening the run",
      "and ends with the result's columns. Each row is told when it is measured, and all at the end.",
      ""
    },
    footer = {
      "",
      "Example, on four GPUs:",
      "  ClusterBenchmark --engine cuda --executors 2 --gpus 2 --cores 8 --baseline"
    })
public final class ClusterBenchmark implements Callable<Integer> {
  private static final int EDGE_FACTOR = 16;
  private static final long SEED = 42;

  /** Runs before the one whose timeline is told. */
  private static final int RECORDED_WARM_UPS = 2;

  /** Edges that a task generates at least. */
  private static final long EDGES_PER_TASK = 1 << 20;

  /** Heap per edge while a graph is loaded and run, by default; generous. */
  private static final int BYTES_PER_EDGE = 160;

  @Mixin private RunCounts counts = new RunCounts(10, 3, 1);

  @Option(names = "--engine", paramLabel = "NAME", description = "cuda, cpu (default), emulated.")
  private String engineName = "cpu";

  @Option(
      names = "--executors",
      paramLabel = "N",
      description = "Executors, a JVM each; default 2.")
  private int executors = 2;

  @Option(names = "--cores", paramLabel = "N", description = "Cores of each; default 1.")
  private int cores = 1;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      description = "Heap of each; default: 160 bytes for each of its edges, 1024 at least.")
  private Integer memory;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      description = "GPUs of each; default 1 with a GPU engine, 0 with cpu.")
  private Integer gpus;

  @Option(
      names = "--addresses",
      paramLabel = "GPU",
      split = ",",
      description =
          "The GPUs that are handed out, executor by executor: indexes or UUIDs. Executors share a GPU"
              + " that is there twice. Default: the first ones of CUDA_VISIBLE_DEVICES, or of the"
              + " host.")
  private List<String> addresses;

  @Option(names = "--scale", paramLabel = "N", description = "2^N ids, 16 edges each; default 24.")
  private int scale = 24;

  @Option(
      names = "--algorithms",
      paramLabel = "NAME",
      split = ",",
      description =
          "pagerank (doubles), converging (PageRank), bfs, cc, sssp, msbfs (tuples), landmarks (vectors"
              + " of 8 hops); default"
              + " the first four.")
  private List<String> algorithms = List.of("pagerank", "bfs", "cc", "sssp");

  @Option(
      names = "--loads",
      paramLabel = "N",
      description =
          "How often the graph is loaded; default 1. The first time the executors' code is cold.")
  private int loads = 1;

  @Option(
      names = "--no-check",
      description =
          "Does not compare the last results with sequential algorithms, which take a heap of some"
              + " 40 bytes per edge here.")
  private boolean unchecked;

  @Option(
      names = "--baseline",
      description = "Measures one executor with all the cores, memory and GPUs too.")
  private boolean baseline;

  @Option(
      names = "--one-jvm",
      description = "All executors in this JVM, without a cluster; not with cuda.")
  private boolean oneJvm;

  @Option(
      names = "--kill",
      description =
          "Behind all measured runs one more of each algorithm, on a graph loaded anew, in the middle of"
              + " which an executor is killed (kill -9): its result is checked, too. With cuda, what"
              + " is used of the GPUs' memory is told at the beginning and when all executors have"
              + " ended.")
  private boolean kill;

  @Option(
      names = "--timeline",
      description =
          "Behind the measured runs of each algorithm one more, recorded by the JDK's flight recorder:"
              + " prints when in a superstep threads of driver and executors work, and what they wait"
              + " in otherwise, in hundredths of milliseconds: medians, and one superstep. Recording"
              + " takes time itself: compare the timeline's parts, not its length.")
  private boolean timeline;

  @Option(
      names = "--partitioning",
      paramLabel = "HOW",
      description =
          "How the GPUs of an executor share its graph: fixed or permissive, the setting"
              + " spark.gpugraph.gpu.partitioning. Only a graph that one executor holds is shared"
              + " permissively.")
  private String partitioning;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of Spark or of the library; may be given several times.")
  private Map<String, String> settings = new LinkedHashMap<>();

  private final PrintStream out;
  private EngineChoice engine;
  private List<ClusterWorkload> workloads;
  private GeneratedGraph generated;
  private ClusterReport report;
  private ClusterCheck check;
  private ClusterWorkload.Start start;
  private boolean failed;

  ClusterBenchmark(PrintStream out) {
    this.out = out;
  }

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    System.exit(execute(System.out, args));
  }

  static int execute(PrintStream out, String... args) {
    PrintWriter writer = new PrintWriter(out, true);
    return new CommandLine(new ClusterBenchmark(out)).setOut(writer).setErr(writer).execute(args);
  }

  @Override
  public Integer call() throws IOException {
    BenchmarkCluster.Layout layout = layout();
    if (partitioning != null) {
      counts.named("a partitioning", partitioning, List.of("fixed", "permissive"), known -> known);
      settings.put("spark.gpugraph.gpu.partitioning", partitioning);
    }
    workloads = algorithms.stream().map(this::workload).toList();
    generated = new RmatGraph(scale, EDGE_FACTOR, SEED);
    start = start(largestOutDegree());
    report = new ClusterReport(out, counts.newJson(), scale);
    out.println(generated + "; searches start from vertex " + start.source());
    GpuMemory before = kill && engine == EngineChoice.CUDA ? GpuMemory.used() : null;
    int left = Runtime.getRuntime().availableProcessors() - executors * cores;
    check = unchecked ? null : new ClusterCheck(generated, start, counts.iterations(), left);
    try (ClusterCheck closed = check) {
      measure(layout);
      if (baseline) {
        measure(layout.together());
      }
      if (unchecked) {
        out.println("results are not checked: --no-check");
      } else {
        check.compare(true, this::checked);
      }
    }
    report.print();
    if (before != null) {
      GpuMemory after = before.awaitLeft();
      out.println(
          "MB used of each GPU before: " + before + ", when all executors had ended: " + after);
      failed |= after.isMoreThan(before);
    }
    return failed ? 1 : 0;
  }

  private void checked(String where, ClusterWorkload workload, String difference) {
    failed |= difference != null;
    report.checked(where, workload, difference);
  }

  // ---- options ----------------------------------------------------------------------------------

  private BenchmarkCluster.Layout layout() {
    engine =
        counts.named(
            "an engine",
            engineName,
            List.of(EngineChoice.CUDA, EngineChoice.CPU, EngineChoice.EMULATED),
            choice -> choice.name().toLowerCase(Locale.ROOT));
    counts.check();
    if (executors < 1 || cores < 1 || loads < 1) {
      throw counts.wrong("--executors, --cores and --loads must be at least 1");
    }
    if (scale < 1 || scale > 30) {
      throw counts.wrong("--scale must be 1 to 30, not " + scale);
    }
    long edges = (long) EDGE_FACTOR << scale;
    if (!unchecked && edges > GraphPartition.MAX_EDGES) {
      throw counts.wrong("--scale " + scale + " is too large to be checked: give --no-check");
    }
    if (baseline && executors == 1) {
      throw counts.wrong("--baseline is one executor, which --executors 1 is already");
    }
    if (gpus != null && (gpus < 0 || gpus > 0 != (engine != EngineChoice.CPU))) {
      throw counts.wrong("--gpus must be at least 1 with a GPU engine, and 0 with cpu");
    }
    if (timeline && oneJvm) {
      throw counts.wrong("--timeline tells of executors in JVMs of their own, not of --one-jvm");
    }
    if (kill && (oneJvm || executors == 1)) {
      throw counts.wrong("--kill kills one of several executors in JVMs of their own");
    }
    if (oneJvm && engine == EngineChoice.CUDA) {
      throw counts.wrong("--one-jvm would give all executors the same GPUs");
    }
    if (!oneJvm && System.getenv("SPARK_HOME") == null) {
      throw counts.wrong(
          "executors need SPARK_HOME: start this by benchmarks/run or integration-tests/gpu/run");
    }
    int each = gpus != null ? gpus : engine == EngineChoice.CPU ? 0 : 1;
    long megabytes = memory != null ? memory : Math.max(1024, defaultMegabytes(edges));
    if (megabytes < 512 || megabytes > 1 << 24) {
      throw counts.wrong("--memory must be 512 to 16777216 (MB), not " + megabytes);
    }
    return new BenchmarkCluster.Layout(
        executors, cores, (int) megabytes, each, handedOut(executors * each), oneJvm);
  }

  private long defaultMegabytes(long edges) {
    return (edges / executors * BYTES_PER_EDGE) >> 20;
  }

  private List<String> handedOut(int count) {
    if (addresses == null) {
      try {
        // Emulated ones are numbered, whatever the host has.
        String visible = engine == EngineChoice.CUDA ? System.getenv("CUDA_VISIBLE_DEVICES") : null;
        return GpuHandout.addresses(count, visible);
      } catch (IllegalArgumentException e) {
        throw counts.wrong(e.getMessage());
      }
    }
    if (addresses.size() < count) {
      throw counts.wrong(count + " GPUs are needed, but --addresses names " + addresses.size());
    }
    return addresses;
  }

  private ClusterWorkload workload(String name) {
    return counts.named(
        "an algorithm", name, List.of(ClusterWorkload.values()), ClusterWorkload::title);
  }

  // ---- measuring --------------------------------------------------------------------------------

  /** The first of the vertices that have the most out-edges. */
  private long largestOutDegree() {
    AtomicIntegerArray degrees = new AtomicIntegerArray(Math.toIntExact(generated.vertices()));
    int slices = slices();
    IntStream.range(0, slices)
        .parallel()
        .forEach(
            slice -> {
              Iterator<EdgeBlock> blocks = generated.slice(slice, slices, false, false);
              while (blocks.hasNext()) {
                IntEdgeBlock ints = ints(blocks.next());
                for (int e = 0; e < ints.size(); e++) {
                  degrees.incrementAndGet(ints.sources()[e]);
                }
              }
            });
    int best = 0;
    for (int v = 1; v < degrees.length(); v++) {
      best = degrees.get(v) > degrees.get(best) ? v : best;
    }
    return best;
  }

  /** The others are targets of the graph's first edges, so that they are vertices. */
  private ClusterWorkload.Start start(long source) {
    Set<Long> several = new LinkedHashSet<>(List.of(source));
    Iterator<EdgeBlock> blocks = generated.slice(0, slices(), false, false);
    while (blocks.hasNext() && several.size() < ClusterWorkload.SEVERAL) {
      IntEdgeBlock block = ints(blocks.next());
      for (int e = 0; e < block.size() && several.size() < ClusterWorkload.SEVERAL; e++) {
        several.add((long) block.destinations()[e]);
      }
    }
    return new ClusterWorkload.Start(source, several.stream().mapToLong(Long::longValue).toArray());
  }

  private IntEdgeBlock ints(EdgeBlock block) {
    if (!(block instanceof IntEdgeBlock ints)) {
      throw new IllegalStateException("ids of a graph of scale " + scale + " are ints");
    }
    return ints;
  }

  private int slices() {
    return (int) Math.max(1, generated.edges() / EDGES_PER_TASK);
  }

  private void measure(BenchmarkCluster.Layout layout) throws IOException {
    RunOptions options = RunOptions.DEFAULT.withEngine(engine).withExecutors(layout.executors());
    Map<ClusterWorkload, Integer> supersteps = new EnumMap<>(ClusterWorkload.class);
    try (BenchmarkCluster cluster = new BenchmarkCluster(layout, settings)) {
      int tasks = Math.max(layout.executors() * layout.cores(), slices());
      JavaRDD<EdgeBlock> edges = generated.edges(cluster.context(), tasks, true, false);
      for (int left = loads; left > 1; left--) {
        load(cluster, layout, edges, options).close();
      }
      try (ResidentGraph<Object, Double> graph = load(cluster, layout, edges, options)) {
        if (check != null) {
          check.start(workloads);
        }
        for (ClusterWorkload workload : workloads) {
          supersteps.put(workload, measure(cluster, layout, graph, workload));
        }
      }
      if (kill && layout.executors() > 1) {
        for (ClusterWorkload workload : workloads) {
          // What was lost is in the executors that were left: each graph is to be in all of them.
          cluster.awaitExecutors(layout.executors());
          try (ResidentGraph<Object, Double> graph = load(cluster, layout, edges, options)) {
            survive(layout, graph, workload, supersteps.get(workload) / 2);
          }
        }
      }
    }
  }

  private ResidentGraph<Object, Double> load(
      BenchmarkCluster cluster,
      BenchmarkCluster.Layout layout,
      JavaRDD<EdgeBlock> edges,
      RunOptions options) {
    cluster.takeStages();
    long start = System.nanoTime();
    ResidentGraph<Object, Double> graph = GpuPregel.load(edges, Double.class, options);
    double seconds = (System.nanoTime() - start) / 1e9;
    report.loaded(layout, graph, seconds, cluster.takeStages());
    return graph;
  }

  /** Returns the supersteps of a run. */
  private int measure(
      BenchmarkCluster cluster,
      BenchmarkCluster.Layout layout,
      ResidentGraph<Object, Double> graph,
      ClusterWorkload workload) {
    ClusterRuns measured = new ClusterRuns();
    for (int run = -counts.warmUps(); run < counts.runs(); run++) {
      boolean live = layout.executors() > 1 || oneJvm;
      ClusterRuns.Watch watch = new ClusterRuns.Watch(live);
      RunOptions options =
          RunOptions.DEFAULT.withEngine(engine).withObserver(run < 0 ? RunObserver.NONE : watch);
      long before = cluster.shuffledBytes();
      try (VertexResult<?> result = workload.run(graph, start, counts.iterations(), options)) {
        if (run >= 0) {
          measured.add(result.report(), watch, cluster.shuffledBytes() - before);
        }
        if (run == counts.runs() - 1) {
          report.measured(layout, workload, measured);
          take(layout.toString(), workload, result);
        }
      }
    }
    if (timeline && layout.executors() > 1) {
      record(cluster, graph, workload);
    }
    return measured.supersteps();
  }

  private void record(
      BenchmarkCluster cluster, ResidentGraph<Object, Double> graph, ClusterWorkload workload) {
    RunObserver observer =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            WaitRecording.superstepEnded();
          }
        };
    RunOptions options = RunOptions.DEFAULT.withEngine(engine).withObserver(observer);
    WaitRecording.start(cluster.context());
    // The recorder changes code when it starts; that is compiled anew in the first run.
    RunOptions unheard = RunOptions.DEFAULT.withEngine(engine);
    for (int run = 0; run < RECORDED_WARM_UPS; run++) {
      workload.run(graph, start, counts.iterations(), unheard).close();
    }
    workload.run(graph, start, counts.iterations(), options).close();
    WaitRecording.Recorded recorded = WaitRecording.stop(cluster.context());
    if (recorded.ends().size() > 1) {
      new SuperstepTimeline(recorded).print(out);
    } else {
      out.println("one superstep has no timeline");
    }
  }

  /**
   * Kills an executor in the middle of a run.
   *
   * @param middle the superstep behind which it is killed
   */
  private void survive(
      BenchmarkCluster.Layout layout,
      ResidentGraph<Object, Double> graph,
      ClusterWorkload workload,
      int middle) {
    AtomicBoolean killed = new AtomicBoolean();
    RunObserver killing =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            if (stats.superstep() == middle && !killed.getAndSet(true)) {
              ExecutorKill.one();
            }
          }
        };
    RunOptions options = RunOptions.DEFAULT.withEngine(engine).withObserver(killing);
    long begin = System.nanoTime();
    try (VertexResult<?> result = workload.run(graph, start, counts.iterations(), options)) {
      report.survived(layout, workload, middle, (System.nanoTime() - begin) / 1e9);
      take(layout + ", an executor killed", workload, result);
    }
  }

  private void take(String where, ClusterWorkload workload, VertexResult<?> result) {
    if (check == null) {
      return;
    }
    String missing = check.take(where, workload, result);
    if (missing != null) {
      checked(where, workload, missing);
    }
    check.compare(false, this::checked);
  }
}
