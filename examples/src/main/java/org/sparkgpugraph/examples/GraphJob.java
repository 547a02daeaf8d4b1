package org.sparkgpugraph.examples;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.examples.algorithms.Algorithm;
import org.sparkgpugraph.examples.algorithms.ColumnFacts;
import org.sparkgpugraph.examples.algorithms.InputOptions;
import org.sparkgpugraph.examples.algorithms.LearningOptions;
import org.sparkgpugraph.examples.algorithms.Merit;
import org.sparkgpugraph.examples.algorithms.Outcome;
import org.sparkgpugraph.examples.algorithms.RatingOptions;
import org.sparkgpugraph.examples.algorithms.Settings;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.examples.algorithms.StockResult;
import org.sparkgpugraph.examples.algorithms.Weights;
import org.sparkgpugraph.examples.command.Choice;
import org.sparkgpugraph.examples.command.CommaList;
import org.sparkgpugraph.examples.command.CommonOptions;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.EngineOption;
import org.sparkgpugraph.examples.command.ExplainOption;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.examples.command.PeakHeap;
import org.sparkgpugraph.examples.command.ReportFile;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.files.VertexWriter;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.Printable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.GraphEstimate;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.load.GraphSizing;
import org.sparkgpugraph.runtime.load.KnownEdges;
import org.sparkgpugraph.runtime.observe.ConsoleProgress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads a graph, runs an algorithm on it, and writes a value for every vertex. */
@Command(
    name = "GraphJob",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Runs a graph algorithm on a graph from files and writes a value for every vertex.",
    description = {
      "",
      "Algorithms: pagerank, personalized-pagerank, connected-components, sssp (shortest"
          + " paths), bfs; graphalytics-bfs, -pr, -wcc, -cdlp, -sssp, -lcc as LDBC Graphalytics"
          + " prescribes them; shortest-paths (to landmarks), strongly-connected-components,"
          + " label-propagation, louvain, triangle-count, clustering-coefficient,"
          + " weighted-pagerank, hits, katz, betweenness, multi-source-bfs, k-core, coreness,"
          + " maximal-independent-set, maximal-matching, graph-colouring, minimum-spanning-forest;"
          + " sswp (widest paths), nn (neural network), hs (heat simulation), cs (circuit simulation);"
          + " svd-plus-plus, als (alternating least squares; of ratings: edges from users to items,"
          + " --weighted); soft-labels, belief-propagation,"
          + " multi-modal, manifold-ranking (of arrays of the vertices, --values).",
      "All paths are Hadoop paths: local ones, or with a scheme such as hdfs: or s3a:.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  GraphJob pagerank --rmat 16 --output /tmp/ranks",
      "  GraphJob graphalytics-bfs --input g.e --vertices g.v --directed false --source 1 --output"
          + " /tmp/bfs",
      "  GraphJob --batch jobs.txt",
      "  GraphJob bfs --rmat 20 --source 0 --output /tmp/levels --report /tmp/run.html",
      "  GraphJob sssp --input roads.csv --format csv --weighted --source 7 --output /tmp/distances",
      "",
      "Exit status: 0 when everything was written, 1 when the job failed, 2 for a wrong command line."
    })
public final class GraphJob implements Callable<Integer> {
  static final class FallbackOption extends Choice<RunOptions.Fallback> {
    FallbackOption() {
      super(RunOptions.Fallback.class, "a fallback");
    }
  }

  static final class OutputFormatOption extends Choice<VertexWriter.Format> {
    OutputFormatOption() {
      super(VertexWriter.Format.class, "an output format");
    }
  }

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ALGORITHM",
      description = "One of the algorithms above.")
  private String algorithmName;

  @Mixin private InputOptions input;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Directory to write; must not exist but with --overwrite. Needed but with --explain and"
              + " --estimate.")
  private String output;

  @Option(
      names = "--overwrite",
      description =
          "Replace an output that exists, when the new one is complete. Only a directory that is"
              + " empty or that a job has completed is replaced.")
  private boolean overwrite;

  @Option(
      names = "--output-format",
      paramLabel = "FORMAT",
      converter = OutputFormatOption.class,
      description =
          "text: lines 'id<TAB>value' (default); graphalytics: lines 'id value' (default of"
              + " graphalytics-...); csv; parquet.")
  private VertexWriter.Format outputFormat;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description =
          "pagerank, personalized-pagerank, weighted-pagerank, graphalytics-pr, graphalytics-cdlp,"
              + " label-propagation, hits, svd-plus-plus, als: number of iterations, default 10; louvain:"
              + " bound on the levels; others: bound on the supersteps.")
  private Integer iterations;

  @Option(
      names = "--tolerance",
      paramLabel = "X",
      description =
          "pagerank: run until no rank changes by more; katz, nn, hs, cs, soft-labels,"
              + " belief-propagation (logarithms), multi-modal, manifold-ranking: likewise, default"
              + " 1e-6; louvain: modularity that a sweep must add, default 1e-6.")
  private Double tolerance;

  @Option(
      names = "--source",
      paramLabel = "ID",
      description =
          "sssp, bfs, graphalytics-bfs, graphalytics-sssp, sswp, hs, cs: vertex to start from;"
              + " weighted-pagerank: personalised for it.")
  private Long source;

  @Option(
      names = {"--sources", "--landmarks"},
      paramLabel = "ID",
      converter = CommaList.Ids.class,
      description =
          "Vertices, separated by commas. shortest-paths: up to 1024 landmarks, the value has a"
              + " column for each; personalized-pagerank: likewise up to 64; multi-source-bfs: up to"
              + " 64;"
              + " betweenness: any number.")
  private List<CommaList<Long>> sources;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description = "betweenness: estimate from N sources that are drawn by --seed.")
  private Integer sample;

  @Option(
      names = "--ground",
      paramLabel = "ID",
      description = "cs: vertex of 0 V; --source has 1 V.")
  private Long ground;

  @Option(
      names = "--k",
      paramLabel = "N",
      description =
          "k-core: edges that members have; soft-labels, belief-propagation, multi-modal,"
              + " manifold-ranking: numbers of a vertex.")
  private Integer k;

  @Option(
      names = "--damping",
      paramLabel = "X",
      description =
          "graphalytics-pr: damping factor, default 0.85; katz: attenuation, default 0.01.")
  private Double damping;

  @Option(
      names = "--resolution",
      paramLabel = "X",
      description = "louvain: larger ones give smaller communities; default 1.")
  private Double resolution;

  @Option(
      names = "--refine",
      description = "louvain: refine communities as Leiden does, so that each is connected.")
  private boolean refine;

  @Mixin private RatingOptions ratings;

  @Mixin private LearningOptions learning;

  @Option(
      names = "--batch",
      paramLabel = "FILE",
      description =
          "Instead of all else: run one job per line of a file in one Spark session. A line holds"
              + " the arguments of a job; # begins a comment. A job that fails is told with its"
              + " line, and the others run.")
  private String batch;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      converter = EngineOption.class,
      description = EngineOption.DESCRIPTION)
  private EngineChoice engine;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Partitions that the graph is cut into; default: one per memory.")
  private Integer partitions;

  @Option(
      names = "--executors",
      paramLabel = "N",
      description =
          "Executors that the graph is spread over; default: one where it fits, else all.")
  private Integer executors;

  @Option(
      names = "--fallback",
      paramLabel = "WHEN",
      converter = FallbackOption.class,
      description =
          "What runs on stock GraphX: auto, what cannot be lifted (default); never; always.")
  private RunOptions.Fallback fallback;

  @Option(
      names = "--explain",
      paramLabel = "WHAT",
      arity = "0..1",
      fallbackValue = "all",
      converter = ExplainOption.class,
      description =
          "Print what would run, and where; without --output nothing runs. --explain=source prints"
              + " the CUDA source too.")
  private ExplainMode explain = ExplainMode.NONE;

  @Option(
      names = "--estimate",
      description =
          "Count the graph and print what it will take: executors, heap, GPU memory. Without"
              + " --output nothing is loaded.")
  private boolean estimate;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write an HTML page with tables and charts of what ran, which needs nothing else; a file"
              + " that exists is replaced.")
  private String report;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  /** Null where no report is wanted. */
  private ReportFile pageOrNull;

  private final PrintStream out;
  private final PrintStream err;

  GraphJob(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the job and ends the JVM with its exit status. */
  public static void main(String[] args) {
    EmbeddedSpark.end(run(args, System.out, System.err));
  }

  /**
   * Runs the job in this JVM.
   *
   * @param out the summary
   * @param err what is done, and errors; supersteps are shown on the JVM's standard error
   * @return the exit status
   */
  static int run(String[] args, PrintStream out, PrintStream err) {
    return JobRunner.run(new GraphJob(out, err), args, out, err);
  }

  @Override
  public Integer call() {
    if (batch != null) {
      return new Batch(batch, common.stacktrace(), out, err).run(spec);
    }
    if (algorithmName == null) {
      throw new UsageException("no algorithm is given: name one of " + Algorithm.names());
    }
    Algorithm algorithm = Algorithm.of(algorithmName);
    Settings settings =
        new Settings(
            iterations,
            tolerance,
            source,
            CommaList.all(sources),
            ground,
            k,
            damping,
            resolution,
            refine,
            input.seed(),
            sample,
            input.isWeighted(),
            ratings,
            learning);
    input.check(algorithm);
    algorithm.check(settings, true);
    int perEdge = input.isWeighted() ? algorithm.weightsPerEdge(settings) : 0;
    if (perEdge > 0) {
      input.checkArrays();
    }
    if (output == null && explain == ExplainMode.NONE && !estimate) {
      throw new UsageException("no output is given: use --output DIR");
    }
    if (output == null && report != null) {
      throw new UsageException("--report only goes with --output");
    }
    if (output == null && overwrite) {
      throw new UsageException("--overwrite only goes with --output");
    }
    if (partitions != null && partitions < 1) {
      throw new UsageException("--partitions must be at least 1, not " + partitions);
    }
    if (executors != null && executors < 0) {
      throw new UsageException("--executors must be positive, or 0 to choose, not " + executors);
    }
    boolean stock = engine == EngineChoice.GRAPHX || fallback == RunOptions.Fallback.ALWAYS;
    if (stock && !algorithm.hasStock()) {
      throw algorithm.noStock();
    }
    try (PeakHeap heap = new PeakHeap()) {
      SparkSession spark = EmbeddedSpark.session("GraphJob " + algorithm.name());
      if (!spark.sparkContext().getConf().contains(GpuGraphConf.PROGRESS.key())) {
        spark.sparkContext().setLocalProperty(GpuGraphConf.PROGRESS.key(), "true");
      }
      try (ReportFile page = reportOrNull(spark, algorithm);
          VertexWriter writer = output == null ? null : writer(spark, algorithm, settings)) {
        pageOrNull = page;
        int tasks = spark.sparkContext().defaultParallelism();
        JavaRDD<EdgeBlock> edges = input.edges(spark, tasks, perEdge);
        JavaRDD<VertexBlock> vertices = input.vertices(spark, tasks);
        if (perEdge == 0 && algorithm.readsWeights(input.isWeighted())) {
          edges = weighted(edges, algorithm);
        }
        if (estimate) {
          out.println(estimate(algorithm, settings, edges, vertices));
          if (writer == null && explain == ExplainMode.NONE) {
            return JobRunner.DONE;
          }
        }
        if (stock) {
          runStock(algorithm, settings, edges, vertices, writer, heap);
        } else {
          runResident(spark, algorithm, settings, edges, vertices, writer, heap);
        }
      }
      return JobRunner.DONE;
    }
  }

  private GraphEstimate estimate(
      Algorithm algorithm,
      Settings settings,
      JavaRDD<EdgeBlock> edges,
      JavaRDD<VertexBlock> vertices) {
    long valueBytes = algorithm.kinds(settings).stream().mapToLong(Kind::bytes).sum();
    return GraphSizing.of(
        edges,
        vertices,
        new RunOptions(engine, null, partitions, executors, fallback, RunObserver.NONE),
        algorithm.readsWeights(input.isWeighted())
            ? Double.BYTES * Math.max(1, algorithm.weightsPerEdge(settings))
            : 0,
        valueBytes);
  }

  private ReportFile reportOrNull(SparkSession spark, Algorithm algorithm) {
    if (report == null) {
      return null;
    }
    ReportFile page = ReportFile.of(report, spark.sparkContext(), "GraphJob " + algorithm.name());
    page.add("GraphJob " + String.join(" ", spec.commandLine().getParseResult().originalArgs()));
    return page;
  }

  private VertexWriter writer(SparkSession spark, Algorithm algorithm, Settings settings) {
    return new VertexWriter(
        spark,
        output,
        outputFormat == null ? algorithm.format() : outputFormat,
        algorithm.valueNames(settings),
        overwrite ? VertexWriter.Existing.REPLACE : VertexWriter.Existing.REFUSE);
  }

  private JavaRDD<EdgeBlock> weighted(JavaRDD<EdgeBlock> edges, Algorithm algorithm) {
    if (!input.isWeighted()) {
      return KnownEdges.map(edges, Weights::ones);
    }
    String name = algorithm.name();
    return algorithm.takes(Algorithm.Takes.NEGATIVE_WEIGHTS)
        ? edges
        : KnownEdges.map(edges, block -> Weights.checked(block, name));
  }

  private void runResident(
      SparkSession spark,
      Algorithm algorithm,
      Settings settings,
      JavaRDD<EdgeBlock> edges,
      JavaRDD<VertexBlock> vertices,
      VertexWriter writer,
      PeakHeap heap) {
    RunOptions runOptions = new RunOptions(engine, null, null, null, fallback, RunObserver.NONE);
    RunOptions loadOptions =
        new RunOptions(engine, null, partitions, executors, fallback, RunObserver.NONE);
    err.println("loading " + input.describe());
    long start = System.nanoTime();
    try (ResidentGraph<?, Double> graph = load(edges, vertices, algorithm, settings, loadOptions)) {
      double loaded = seconds(start);
      err.println(
          String.format(
              Locale.ROOT,
              "loaded %,d vertices and %,d edges in %.2f s (%s)",
              graph.vertexCount(),
              graph.edgeCount(),
              loaded,
              size(graph.bytes())));
      input.requireGraph(graph.vertexCount());
      requireVertex(graph, "source", settings.source());
      requireVertex(graph, "ground", settings.ground());
      if (explain != ExplainMode.NONE) {
        out.println(explanation(spark, algorithm, graph, settings, runOptions));
      }
      if (writer == null) {
        return;
      }
      err.println("running " + algorithm.name());
      try (VertexResult<?> result = algorithm.run(graph, settings, runOptions)) {
        RunReport report = result.report();
        err.println("writing " + Printable.of(writer.output()));
        long writeStart = System.nanoTime();
        writer.write(algorithm.kinds(settings), algorithm.blocks(result, settings));
        double written = seconds(writeStart);
        List<Kind> kinds = algorithm.kinds(settings);
        Merit merit = algorithm.merit();
        List<ColumnFacts> columns =
            ColumnFacts.of(
                algorithm.blocks(result, settings), kinds, merit.counted(), merit.labels());
        Outcome outcome = new Outcome(columns, graph.vertexCount(), report, settings);
        long edgesEvaluated = report.summary().edgesEvaluated();
        summarise(
            algorithm,
            "engine " + report.engine() + " (" + report.reason() + ")",
            graph.vertexCount(),
            graph.edgeCount(),
            outcome,
            new Seconds(
                loaded,
                report.runSeconds(),
                report.transferSeconds(),
                report.kernelSeconds(),
                written),
            String.format(
                Locale.ROOT,
                "%,d (%s), %s edges/s",
                report.summary().iterations(),
                report.summary().stopped().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                ConsoleProgress.rate(edgesEvaluated, report.summary().nanos())),
            writer,
            heap);
      }
    }
  }

  private static void requireVertex(ResidentGraph<?, ?> graph, String what, Long id) {
    if (id != null && !graph.containsVertex(id)) {
      throw new BadInputException(
          what + " " + id + " is not a vertex of the graph: pass the id of one with --" + what);
    }
  }

  private String explanation(
      SparkSession spark,
      Algorithm algorithm,
      ResidentGraph<?, Double> graph,
      Settings settings,
      RunOptions options) {
    String key = GpuGraphConf.EXPLAIN.key();
    spark.sparkContext().setLocalProperty(key, GpuGraphConf.EXPLAIN.text(explain));
    try {
      return algorithm.explain(graph, settings, options).stripTrailing();
    } finally {
      spark.sparkContext().setLocalProperty(key, null);
    }
  }

  /** Loads the edges, and their values if the algorithm reads them. */
  @SuppressWarnings("unchecked") // a program that reads no values does not care about their type
  private static ResidentGraph<?, Double> load(
      JavaRDD<EdgeBlock> edges,
      JavaRDD<VertexBlock> vertices,
      Algorithm algorithm,
      Settings settings,
      RunOptions options) {
    Class<?> type = Object.class;
    if (algorithm.readsWeights(settings.weighted())) {
      type = algorithm.weightsPerEdge(settings) > 0 ? double[].class : Double.class;
    }
    return (ResidentGraph<?, Double>)
        (vertices == null
            ? GpuPregel.load(edges, type, options)
            : GpuPregel.load(edges, vertices, type, options));
  }

  private void runStock(
      Algorithm algorithm,
      Settings settings,
      JavaRDD<EdgeBlock> edges,
      JavaRDD<VertexBlock> vertices,
      VertexWriter writer,
      PeakHeap heap) {
    if (explain != ExplainMode.NONE) {
      out.println("engine graphx: stock GraphX runs " + algorithm.name() + ", nothing is lifted");
    }
    if (writer == null) {
      return;
    }
    err.println("loading " + input.describe());
    long start = System.nanoTime();
    StorageLevel level = StorageLevel.MEMORY_AND_DISK();
    Graph<Double, Double> graph = StockGraphX.graph(edges, vertices, level);
    long vertexCount = graph.vertices().count();
    long edgeCount = graph.edges().count();
    double loaded = seconds(start);
    input.requireGraph(vertexCount);
    if (settings.source() != null) {
      long wanted = settings.source();
      boolean present =
          !graph.vertices().toJavaRDD().filter(v -> (Long) v._1() == wanted).isEmpty();
      if (!present) {
        throw new BadInputException(
            "source " + wanted + " is not a vertex of the graph: pass the id of one with --source");
      }
    }
    err.println("running " + algorithm.name() + " on stock GraphX");
    start = System.nanoTime();
    JavaRDD<VertexBlock> blocks =
        StockResult.blocks(algorithm.runStock(graph, settings), algorithm.kind())
            .persist(StorageLevel.MEMORY_AND_DISK());
    blocks.count();
    double ran = seconds(start);
    err.println("writing " + Printable.of(writer.output()));
    start = System.nanoTime();
    writer.write(List.of(algorithm.kind()), blocks);
    double written = seconds(start);
    Merit merit = algorithm.merit();
    List<ColumnFacts> columns =
        ColumnFacts.of(blocks, List.of(algorithm.kind()), merit.counted(), merit.labels());
    summarise(
        algorithm,
        "engine graphx",
        vertexCount,
        edgeCount,
        new Outcome(columns, vertexCount, null, settings),
        new Seconds(loaded, ran, 0, ran, written),
        "unknown to stock GraphX",
        writer,
        heap);
  }

  /**
   * How long the parts of a job took.
   *
   * @param load from the source to the partitions
   * @param run from these to the values
   * @param transfer of it: copying between host and GPU
   * @param kernels of it: the supersteps
   * @param write of the values, with the way back from the executors
   */
  private record Seconds(double load, double run, double transfer, double kernels, double write) {}

  private void summarise(
      Algorithm algorithm,
      String engineName,
      long vertices,
      long edges,
      Outcome outcome,
      Seconds seconds,
      String supersteps,
      VertexWriter writer,
      PeakHeap heap) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s, %s: %,d vertices, %,d edges",
            algorithm.name(),
            engineName,
            vertices,
            edges));
    lines.add("  result: " + algorithm.merit().text().apply(outcome));
    lines.add(
        String.format(
            Locale.ROOT,
            "  load %.2f s (%s edges/s), run %.2f s (transfer %.2f s, kernels %.2f s), write %.2f s,"
                + " total %.2f s",
            seconds.load(),
            ConsoleProgress.rate(edges, seconds.load() * 1e9),
            seconds.run(),
            seconds.transfer(),
            seconds.kernels(),
            seconds.write(),
            seconds.load() + seconds.run() + seconds.write()));
    lines.add("  supersteps " + supersteps);
    lines.add(
        String.format(
            Locale.ROOT,
            "  peak heap of the driver %,d MB, after collections %,d MB",
            heap.usedBytes() >> 20,
            heap.bytesAfterCollection() >> 20));
    if (outcome.report() != null) {
      outcome.report().memory().forEach(memory -> lines.add("  " + describe(memory)));
    }
    lines.add("  output " + writer.output());
    algorithm
        .merit()
        .warning()
        .apply(outcome)
        .ifPresent(warning -> err.println("warning: " + warning));
    lines.forEach(out::println);
    if (pageOrNull != null) {
      lines.forEach(pageOrNull::add);
      out.println("  report " + Printable.of(report));
    }
  }

  private static String describe(ExecutorMemory memory) {
    return String.format(
        Locale.ROOT,
        "executor %s: heap %s while loading, %s while running, at most, of %s; edges: %s on it, %s"
            + " off it, %s in mapped files",
        memory.executor(),
        size(memory.heap().loadPeak()),
        size(memory.heap().runPeak()),
        size(memory.heap().most()),
        size(memory.edges().onHeap()),
        size(memory.edges().offHeap()),
        size(memory.edges().mapped()));
  }

  private static String size(long bytes) {
    return bytes >= 10 << 20
        ? String.format(Locale.ROOT, "%,d MB", bytes >> 20)
        : String.format(Locale.ROOT, "%,d kB", bytes + 1023 >> 10);
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
