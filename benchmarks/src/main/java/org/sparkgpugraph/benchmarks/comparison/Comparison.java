package org.sparkgpugraph.benchmarks.comparison;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.examples.algorithms.Algorithm;
import org.sparkgpugraph.examples.algorithms.InputOptions;
import org.sparkgpugraph.examples.algorithms.PageRankAlgorithm;
import org.sparkgpugraph.examples.algorithms.Settings;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.examples.algorithms.Weights;
import org.sparkgpugraph.examples.command.CommonOptions;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.conf.BuildRows;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import scala.Tuple2;

/**
 * Runs an algorithm with stock GraphX and with GpuPregel on the same cached GraphX graph, in one
 * JVM, and compares times and results. Both take a GraphX graph and give one whose vertices are
 * materialised.
 *
 * <p>GpuPregel's cold run comes first, so that it pays for everything that the JVM does once; the
 * order of the warm runs does not matter.
 */
@Command(
    name = "Comparison",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Compares stock GraphX with GpuPregel on one graph, once cold and then warm.",
    description = {
      "",
      "Both start from the same cached GraphX graph and end with the vertices of a GraphX"
          + " graph.",
      "lift: bytecode to program; load: GraphX graph to partitions; run: partitions to"
          + " values (of it transfer: copying between host and GPU, kernels: supersteps); collect:"
          + " back to GraphX vertices.",
      "One iteration is the median over the supersteps; stock GraphX's are the intervals"
          + " between the ends of its jobs.",
      ""
    },
    footer = {"", "Example:", "  Comparison --rmat 20 --iterations 10"})
public final class Comparison implements Callable<Integer> {
  @Mixin private InputOptions input;

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      description = "pagerank (default), connected-components, sssp or bfs.")
  private String algorithmName = "pagerank";

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "pagerank: number of iterations, default 10; others: bound on the supersteps.")
  private Integer iterations;

  @Option(
      names = "--source",
      paramLabel = "ID",
      description =
          "sssp, bfs: vertex to start from; default: the one of largest out-degree, the"
              + " corner 0 of a lattice.")
  private Long source;

  @Option(
      names = "--graphx-supersteps",
      paramLabel = "N",
      description =
          "Bound on stock GraphX's supersteps, where it does not survive as many as are needed;"
              + " supersteps per second are compared then, and the results after N supersteps.")
  private Integer graphxSupersteps;

  @Mixin private SidesOptions sides;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs of each, the first cold, the fastest later one is warm; default 2.")
  private int runs = 2;

  @Option(
      names = "--phases",
      description = "Print how long each phase of GpuPregel's cold run and of its last one took.")
  private boolean printPhases;

  @Option(
      names = "--build-rows",
      split = ",",
      paramLabel = "WHERE",
      converter = BuildRowsOption.class,
      description =
          "Run GpuPregel warm with spark.gpugraph.gpu.buildRows set to each of these too: host,"
              + " device.")
  private List<BuildRows> buildRows = List.of();

  @Mixin private CommonOptions common;

  private static final String BUILD_ROWS = "spark.gpugraph.gpu.buildRows";

  private List<PhaseTimes.Phase> phases = List.of();
  private final PrintStream out;
  private final PrintStream err;

  private Comparison(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the comparison and ends the JVM with its exit status. */
  public static void main(String[] args) {
    EmbeddedSpark.end(run(args, System.out, System.err));
  }

  /**
   * Compares in this JVM.
   *
   * @return the exit status
   */
  static int run(String[] args, PrintStream out, PrintStream err) {
    return JobRunner.run(new Comparison(out, err), args, out, err);
  }

  /**
   * One run.
   *
   * @param lift seconds to read the program from its bytecode, 0 for stock GraphX
   * @param load seconds from the GraphX graph to the partitions, 0 for stock GraphX
   * @param run seconds from the partitions to the values
   * @param transfer of these: copying between host and GPU
   * @param kernels of these: the supersteps
   * @param collect seconds to the result's vertices
   * @param total seconds from calling the algorithm to the materialised result
   * @param iteration seconds of one iteration, the median
   * @param supersteps number of supersteps
   */
  private record Times(
      double lift,
      double load,
      double run,
      double transfer,
      double kernels,
      double collect,
      double total,
      double iteration,
      int supersteps) {}

  /** A run with its result, which is still cached. */
  private record Run(Times times, Graph<?, ?> result, String engine) {}

  @Override
  public Integer call() {
    Algorithm algorithm = Algorithm.of(algorithmName);
    Settings settings = new Settings(iterations, null, source);
    input.check(algorithm);
    algorithm.check(settings, false);
    if (!algorithm.hasStock()) {
      throw algorithm.noStock();
    }
    sides.check();
    if (runs < 2) {
      throw new UsageException("--runs must be at least 2, one cold and one warm, not " + runs);
    }
    if (graphxSupersteps != null && graphxSupersteps < 1) {
      throw new UsageException("--graphx-supersteps must be at least 1, not " + graphxSupersteps);
    }
    if (graphxSupersteps != null && algorithm.takesTolerance()) {
      throw new UsageException(
          "--graphx-supersteps is not for " + algorithm.name() + ": use --iterations");
    }
    SparkSession spark = EmbeddedSpark.session("Comparison " + algorithm.name());
    compare(spark, algorithm, settings);
    return JobRunner.DONE;
  }

  private void compare(SparkSession spark, Algorithm algorithm, Settings given) {
    JavaRDD<EdgeBlock> blocks = input.edges(spark, sides.edgePartitions);
    if (algorithm.readsWeights() && input.isWeighted()) {
      String name = algorithm.name();
      blocks = blocks.map(block -> Weights.checked(block, name));
    }
    err.println("making a GraphX graph of " + input.describe());
    long start = System.nanoTime();
    Graph<Double, Double> graph = cachedGraph(blocks, input.vertices(spark, sides.edgePartitions));
    long vertices = graph.vertices().count();
    long edges = graph.edges().count();
    out.printf(
        Locale.ROOT,
        "graph: %s; %,d vertices, %,d edges in %d edge partitions, cached in %.1f s%n",
        input.describe(),
        vertices,
        edges,
        graph.edges().getNumPartitions(),
        seconds(start));
    if (vertices == 0) {
      throw new org.sparkgpugraph.files.input.BadInputException(
          input.describe() + " has no edges, so there is nothing to compare");
    }
    Settings settings =
        algorithm.needsSource() && given.source() == null
            ? given.withSource(input.isLattice() ? 0 : StockGraphX.largestOutDegrees(graph, 1)[0])
            : given;
    Settings stockSettings =
        graphxSupersteps == null ? settings : settings.withIterations(graphxSupersteps);

    List<Times> ours = new ArrayList<>();
    List<Times> stock = new ArrayList<>();
    err.println("GpuPregel, cold");
    Run run = runOurs(algorithm, graph, settings);
    ours.add(run.times());
    printPhases("cold", phases);
    Run stockRun = null;
    for (int i = 0; i < runs; i++) {
      err.println("stock GraphX, " + (i == 0 ? "cold" : "warm"));
      if (stockRun != null) {
        unpersist(stockRun.result(), graph);
      }
      stockRun = runStock(spark, algorithm, graph, stockSettings);
      stock.add(stockRun.times());
    }
    for (int i = 1; i < runs; i++) {
      err.println("GpuPregel, warm");
      unpersist(run.result(), graph);
      run = runOurs(algorithm, graph, settings);
      ours.add(run.times());
    }
    printPhases("warm", phases);
    List<Times> byRows = new ArrayList<>();
    for (BuildRows where : buildRows) {
      List<Times> found = new ArrayList<>();
      spark.sparkContext().setLocalProperty(BUILD_ROWS, where.name());
      for (int i = 0; i < runs; i++) {
        err.println("GpuPregel, rows made on: " + name(where));
        unpersist(run.result(), graph);
        run = runOurs(algorithm, graph, settings);
        found.add(run.times());
      }
      printPhases("rows made on: " + name(where), phases);
      byRows.add(fastest(found));
    }
    spark.sparkContext().setLocalProperty(BUILD_ROWS, null);
    // A monotone program may take fewer supersteps than Pregel; a bound makes it keep step.
    Times inStep = null;
    if (graphxSupersteps != null) {
      err.println("GpuPregel, warm, in step with Pregel");
      Run bounded = runOurs(algorithm, graph, settings.withIterations(Integer.MAX_VALUE - 1));
      inStep = bounded.times();
      unpersist(bounded.result(), graph);
    }
    Times warmStock = fastest(stock.subList(1, runs));
    Times warmOurs = fastest(ours.subList(1, runs));

    String from = settings.source() == null ? "" : " from vertex " + settings.source();
    out.printf("%n%s%s; GpuPregel on engine %s%n", algorithm.name(), from, run.engine());
    out.printf(
        "%-20s %9s %9s %9s %10s %9s %9s %9s %11s %15s %12s%n",
        "",
        "lift s",
        "load s",
        "run s",
        "transfer s",
        "kernels s",
        "collect s",
        "total s",
        "supersteps",
        "ms/iteration",
        "M edges/s");
    print("stock GraphX, cold", stock.get(0), edges);
    print("stock GraphX, warm", warmStock, edges);
    print("GpuPregel, cold", ours.get(0), edges);
    print("GpuPregel, warm", warmOurs, edges);
    for (int i = 0; i < byRows.size(); i++) {
      print("GpuPregel, " + name(buildRows.get(i)), byRows.get(i), edges);
    }
    if (inStep == null) {
      out.println();
      printRatios("cold/cold", stock.get(0), ours.get(0));
      printRatios("warm/warm", warmStock, warmOurs);
    } else {
      print("GpuPregel, in step", inStep, edges);
      out.println();
      printRates(warmStock, warmOurs, inStep);
    }
    err.println("comparing the results");
    Graph<?, ?> comparable =
        graphxSupersteps == null ? run.result() : algorithm.run(graph, stockSettings, sides.ours());
    out.println(largestDifference(comparable, stockRun.result()).describe());
  }

  private static String name(BuildRows where) {
    return where.name().toLowerCase(Locale.ROOT);
  }

  private Graph<Double, Double> cachedGraph(
      JavaRDD<EdgeBlock> blocks, JavaRDD<VertexBlock> vertices) {
    JavaRDD<EdgeBlock> partitioned =
        blocks.getNumPartitions() == sides.edgePartitions ? blocks : spread(blocks);
    return StockGraphX.graph(partitioned, vertices, StorageLevel.MEMORY_AND_DISK()).cache();
  }

  /** As many partitions as asked for; blocks are small, so dealing them out balances well. */
  private JavaRDD<EdgeBlock> spread(JavaRDD<EdgeBlock> blocks) {
    return blocks.repartition(sides.edgePartitions);
  }

  private Run runOurs(Algorithm algorithm, Graph<Double, Double> graph, Settings settings) {
    PhaseTimes.start();
    Supersteps supersteps = new Supersteps();
    RunOptions options = sides.ours().withObserver(supersteps);
    long start = System.nanoTime();
    Graph<?, ?> result = algorithm.run(graph, settings, options);
    long collected = System.nanoTime();
    result.vertices().count();
    PhaseTimes.ended("count of the result's vertices", collected);
    double total = (PhaseTimes.ended("all", start) - start) / 1e9;
    phases = PhaseTimes.stop();
    RunReport report = supersteps.report;
    if (report == null || report.summary() == null) {
      throw new IllegalStateException("GpuPregel fell back to stock GraphX: the log says why");
    }
    double load =
        Math.max(0, total - report.liftSeconds() - report.runSeconds() - report.collectSeconds());
    return new Run(
        new Times(
            report.liftSeconds(),
            load,
            report.runSeconds(),
            report.transferSeconds(),
            report.kernelSeconds(),
            report.collectSeconds(),
            total,
            median(supersteps.nanos()) / 1e9,
            Math.max(1, report.summary().iterations())),
        result,
        report.engine() + " (" + report.reason() + ")");
  }

  private static Run runStock(
      SparkSession spark, Algorithm algorithm, Graph<Double, Double> graph, Settings settings) {
    JobEnds jobs = new JobEnds();
    spark.sparkContext().addSparkListener(jobs);
    try {
      long start = System.nanoTime();
      Graph<?, ?> result = algorithm.runStock(graph, settings);
      result.vertices().count();
      double total = seconds(start);
      jobs.await(spark);
      double[] intervals = jobs.intervals();
      int supersteps =
          settings.iterations() != null
              ? settings.iterations()
              : algorithm.takesTolerance()
                  ? PageRankAlgorithm.DEFAULT_ITERATIONS
                  : Math.max(1, intervals.length - 1);
      return new Run(
          new Times(0, 0, total, 0, 0, 0, total, median(intervals), supersteps), result, "graphx");
    } finally {
      spark.sparkContext().removeSparkListener(jobs);
    }
  }

  /** Frees a result, but not the edges that it may share with its input. */
  private static void unpersist(Graph<?, ?> result, Graph<?, ?> input) {
    result.vertices().unpersist(true);
    if (result.edges().id() != input.edges().id()) {
      result.edges().unpersist(true);
    }
  }

  /** Phases are parts of each other where their names say so; those of several tasks add up. */
  private void printPhases(String what, List<PhaseTimes.Phase> all) {
    if (printPhases) {
      out.printf("%n%-45s %7s %9s%n", "GpuPregel, " + what, "times", "ms");
      all.forEach(
          phase ->
              out.printf(
                  Locale.ROOT,
                  "%-45s %7d %9.1f%n",
                  phase.name(),
                  phase.times(),
                  phase.nanos() / 1e6));
    }
  }

  private void print(String what, Times times, long edges) {
    // Only PageRank evaluates every edge in every superstep.
    boolean everyEdge = Algorithm.of(algorithmName).takesTolerance();
    boolean stock = what.startsWith("stock");
    out.printf(
        Locale.ROOT,
        "%-20s %9s %9s %9.2f %10s %9s %9s %9.2f %11d %15.2f %12s%n",
        what,
        part(stock, times.lift()),
        part(stock, times.load()),
        times.run(),
        part(stock, times.transfer()),
        part(stock, times.kernels()),
        part(stock, times.collect()),
        times.total(),
        times.supersteps(),
        times.iteration() * 1e3,
        everyEdge ? String.format(Locale.ROOT, "%.1f", edges / times.iteration() / 1e6) : "-");
  }

  /** Stock GraphX does not tell its parts. */
  private static String part(boolean stock, double seconds) {
    return stock ? "-" : String.format(Locale.ROOT, "%.2f", seconds);
  }

  private void printRatios(String what, Times stock, Times ours) {
    out.printf(
        Locale.ROOT,
        "%s: whole job %.1f times faster, one iteration %.1f times%n",
        what,
        stock.total() / ours.total(),
        stock.iteration() / ours.iteration());
  }

  /** Supersteps per second where stock GraphX did not run to the end. */
  private void printRates(Times stock, Times ours, Times inStep) {
    out.printf(
        Locale.ROOT,
        "Pregel needs %,d supersteps; per second of the whole job: %.2f by stock GraphX,"
            + " %.1f by GpuPregel in step (%.0f times), %.1f in the time that it takes at its best"
            + " (%.0f times)%n",
        inStep.supersteps(),
        rate(stock.supersteps(), stock),
        rate(inStep.supersteps(), inStep),
        rate(inStep.supersteps(), inStep) / rate(stock.supersteps(), stock),
        rate(inStep.supersteps(), ours),
        rate(inStep.supersteps(), ours) / rate(stock.supersteps(), stock));
  }

  private static double rate(int supersteps, Times times) {
    return supersteps / times.total();
  }

  private static Difference largestDifference(Graph<?, ?> ours, Graph<?, ?> stock) {
    return numbers(ours)
        .fullOuterJoin(numbers(stock))
        .map(both -> new Difference(both._1(), both._2()._1().orNull(), both._2()._2().orNull()))
        .reduce(Difference::larger);
  }

  private static JavaPairRDD<Long, Double> numbers(Graph<?, ?> graph) {
    return graph
        .vertices()
        .toJavaRDD()
        .mapToPair(v -> new Tuple2<>((Long) v._1(), ((Number) v._2()).doubleValue()));
  }

  private static Times fastest(List<Times> times) {
    return times.stream().min((a, b) -> Double.compare(a.total(), b.total())).orElseThrow();
  }

  private static double median(double[] values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Keeps what GpuPregel reports. */
  private static final class Supersteps implements RunObserver {
    private final List<SuperstepStats> stats = new ArrayList<>();
    private RunReport report;

    @Override
    public synchronized void superstepEnded(SuperstepStats superstep) {
      stats.add(superstep);
    }

    @Override
    public synchronized void finished(RunReport finished) {
      report = finished;
    }

    /** Wall times of the supersteps after superstep 0. */
    synchronized double[] nanos() {
      return stats.stream()
          .filter(s -> s.superstep() > 0)
          .mapToDouble(SuperstepStats::nanos)
          .toArray();
    }
  }

  /** When GraphX's jobs end: it runs one a superstep. */
  private static final class JobEnds extends SparkListener {
    private static final long POLL_MILLIS = 10;
    private static final int POLLS = 200;

    private final List<Long> times = new ArrayList<>();

    @Override
    public synchronized void onJobEnd(SparkListenerJobEnd end) {
      times.add(end.time());
    }

    private synchronized int size() {
      return times.size();
    }

    /** Waits until an own job's end is heard, and so, listeners being told in order, all before. */
    void await(SparkSession spark) {
      int before = size();
      JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(List.of(1), 1).count();
      for (int poll = 0; poll < POLLS && size() == before; poll++) {
        try {
          Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }

    /** Seconds between ends of jobs; the waiting job's own is left out. */
    synchronized double[] intervals() {
      double[] intervals = new double[Math.max(0, times.size() - 2)];
      for (int i = 0; i < intervals.length; i++) {
        intervals[i] = (times.get(i + 1) - times.get(i)) / 1e3;
      }
      return intervals;
    }
  }
}
