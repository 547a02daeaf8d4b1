package org.sparkgpugraph.benchmarks.cold;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.examples.algorithms.Algorithm;
import org.sparkgpugraph.examples.algorithms.InputOptions;
import org.sparkgpugraph.examples.algorithms.Settings;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.examples.command.CommonOptions;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.EngineOption;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import scala.Tuple2;

/**
 * One job in this JVM, which has done nothing but to start Spark and to read the graph: from the
 * GraphX graph in Spark's memory to the materialised vertices of another, as {@code Comparison}
 * takes it. Prints a line for each phase: {@link #MARK}, name and milliseconds, with tabs between,
 * and for a part of the job when it began.
 *
 * <p>With {@code --save} it makes the graph instead, for those that come.
 */
@Command(name = "ColdStart", header = "A job in a JVM of its own; ColdStarts starts it.")
final class ColdStart implements Callable<Integer> {
  /** In front of each line for {@link ColdStarts}. */
  static final String MARK = "cold start";

  /** Name of the line of what the result comes to. */
  static final String RESULT = "result";

  private static final String SOURCE = "source";

  /** Milliseconds of CPU time of threads that are told. */
  private static final int WORTH_A_LINE = 20;

  @Option(names = "--graph", required = true, description = "Folder of the graph.")
  private Path graph;

  @Option(names = "--save", description = "Make the graph and write it.")
  private boolean save;

  @Mixin private InputOptions input;

  @Option(names = "--edge-partitions", description = "Of the graph that is made.")
  private int edgePartitions = 4;

  @Option(names = "--algorithm", description = "As in Comparison.")
  private String algorithmName = "pagerank";

  @Option(names = "--iterations", description = "As in Comparison.")
  private Integer iterations;

  @Option(names = "--engine", converter = EngineOption.class, description = "The engine.")
  private EngineChoice engine;

  @Option(names = "--warm", description = "How often the job runs again.")
  private int warm;

  @Mixin private CommonOptions common;

  private final PrintStream out;

  private ColdStart(PrintStream out) {
    this.out = out;
  }

  /** Runs and ends the JVM. */
  public static void main(String[] args) {
    EmbeddedSpark.end(JobRunner.run(new ColdStart(System.out), args, System.out, System.err));
  }

  @Override
  public Integer call() throws Exception {
    long begun = System.currentTimeMillis();
    long start = System.nanoTime();
    SparkSession spark = EmbeddedSpark.session("ColdStart " + algorithmName);
    JavaSparkContext sc = JavaSparkContext.fromSparkContext(spark.sparkContext());
    if (save) {
      save(spark);
      return JobRunner.DONE;
    }
    print("JVM until main", begun - ManagementFactory.getRuntimeMXBean().getStartTime());
    start = printed("start of Spark", start);
    Graph<Double, Double> kept = SavedGraph.read(sc, graph);
    kept.vertices().count();
    kept.edges().count();
    printed("graph into Spark's memory", start);
    Algorithm algorithm = Algorithm.of(algorithmName);
    Long source =
        algorithm.needsSource()
            ? Long.valueOf(Files.readString(graph.resolve(SOURCE)).strip())
            : null;
    Settings settings = new Settings(iterations, null, source);
    Graph<?, ?> result = cold(algorithm, kept, settings);
    print(RESULT, checksum(result));
    for (int i = 0; i < warm; i++) {
      result.vertices().unpersist(true);
      long begin = System.nanoTime();
      result = run(algorithm, kept, settings);
      printed("warm run " + (i + 1), begin);
    }
    return JobRunner.DONE;
  }

  private void save(SparkSession spark) throws Exception {
    Graph<Double, Double> made =
        StockGraphX.graph(
                input.edges(spark, edgePartitions),
                input.vertices(spark, edgePartitions),
                StorageLevel.MEMORY_AND_DISK())
            .cache();
    SavedGraph.write(made, graph);
    long source = input.isLattice() ? 0 : StockGraphX.largestOutDegrees(made, 1)[0];
    Files.writeString(graph.resolve(SOURCE), String.valueOf(source));
  }

  private Graph<?, ?> run(Algorithm algorithm, Graph<Double, Double> kept, Settings settings) {
    RunOptions options =
        engine == null ? RunOptions.DEFAULT : RunOptions.DEFAULT.withEngine(engine);
    Graph<?, ?> result = algorithm.run(kept, settings, options);
    long collected = System.nanoTime();
    result.vertices().count();
    PhaseTimes.ended("count of the result's vertices", collected);
    return result;
  }

  private Graph<?, ?> cold(Algorithm algorithm, Graph<Double, Double> kept, Settings settings)
      throws IOException {
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    long classesBefore = classes.getTotalLoadedClassCount();
    long compiledBefore = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
    long collectedBefore = collections();
    long cpuBefore = cpuMillis();
    Map<String, Long> threadsBefore = ThreadTimes.now();
    PhaseTimes.start();
    long start = System.nanoTime();
    Graph<?, ?> result = run(algorithm, kept, settings);
    printed("job", start);
    PhaseTimes.stop().stream()
        .sorted(Comparator.comparingLong(PhaseTimes.Phase::begun))
        .forEach(
            phase ->
                print(
                    "  " + phase.name() + (phase.times() == 1 ? "" : " × " + phase.times()),
                    decimal(phase.nanos() / 1e6) + "\t" + decimal(phase.begun() / 1e6)));
    print("CPU time before the job", cpuBefore);
    print("CPU time of the job", cpuMillis() - cpuBefore);
    ThreadTimes.now()
        .forEach(
            (kind, millis) -> {
              long spent = millis - threadsBefore.getOrDefault(kind, 0L);
              if (spent >= WORTH_A_LINE) {
                print("  CPU time: " + kind, spent);
              }
            });
    print(
        "JIT's time meanwhile",
        ManagementFactory.getCompilationMXBean().getTotalCompilationTime() - compiledBefore);
    print("garbage collectors' time meanwhile", collections() - collectedBefore);
    print("classes loaded meanwhile (number)", classes.getTotalLoadedClassCount() - classesBefore);
    return result;
  }

  private static long cpuMillis() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1_000_000;
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  /** The same for the same values at the same vertices, in whatever order. */
  private static String checksum(Graph<?, ?> graph) {
    return Long.toHexString(
        graph.vertices().toJavaRDD().map(ColdStart::hash).fold(0L, (a, b) -> a + b));
  }

  private static long hash(Tuple2<Object, ?> vertex) {
    long value = Double.doubleToLongBits(((Number) vertex._2()).doubleValue());
    long mixed = ((Long) vertex._1() * 0x9E3779B97F4A7C15L ^ value) * 0xBF58476D1CE4E5B9L;
    return mixed ^ mixed >>> 32;
  }

  private long printed(String phase, long start) {
    long now = System.nanoTime();
    print(phase, (now - start) / 1e6);
    return now;
  }

  private void print(String phase, double millis) {
    print(phase, decimal(millis));
  }

  private static String decimal(double millis) {
    return String.format(Locale.ROOT, "%.1f", millis);
  }

  private void print(String phase, String value) {
    out.println(MARK + "\t" + phase + "\t" + value);
  }
}
