package org.sparkgpugraph.benchmarks.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.Bfs;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.cluster.GraphLostException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the library for long on a cluster whose executors are killed now and then, and looks whether
 * anything grows: heap, buffers, threads, open files, classes, files in Spark's local directories,
 * what the library holds, memory of devices.
 *
 * <p>Exit status: 0; 1 when something has grown or a result differs from the undisturbed one; 2
 * when the arguments are wrong.
 */
@Command(
    name = "SoakBenchmark",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Looks for what grows in a long run and in many short ones, with executors killed.",
    description = {
      "",
      "One run of many supersteps over two of the executors; then cycles that load a graph, rank it,",
      "search it and let go of all. Executors that hold a part of the graph are killed on the way,",
      "by kill -9, and started again by Spark. Every process is sampled after garbage collection;",
      "the table has what it held when it was warm, and at the end.",
      ""
    })
public final class SoakBenchmark implements Callable<Integer> {
  private static final long SEED = 42;
  private static final int SHARDS = 2;
  private static final int EDGE_FACTOR = 8;
  private static final int SHORT = 3;
  private static final int CHECKPOINTS = 50;
  private static final int PAUSE_MILLIS = 60;
  private static final int TASKS_PER_CORE = 3;

  @Option(names = "--engine", paramLabel = "NAME", description = "cpu (default), emulated.")
  private EngineChoice engine = EngineChoice.CPU;

  @Option(
      names = "--executors",
      paramLabel = "N",
      description = "Executors, a JVM each; two hold the graph. Default 3.")
  private int executors = SHARDS + 1;

  @Option(names = "--supersteps", paramLabel = "N", description = "Of the long run; default 500.")
  private int supersteps = 500;

  @Option(names = "--cycles", paramLabel = "N", description = "Loads and unloads; default 200.")
  private int cycles = 200;

  @Option(
      names = "--kills",
      paramLabel = "N",
      description = "Executors that are killed in the long run and in the cycles; default 3.")
  private int kills = 3;

  @Option(names = "--scale", paramLabel = "N", description = "2^N ids, 8 edges each; default 12.")
  private int scale = 12;

  @Option(names = "--samples", paramLabel = "N", description = "Of the cycles; default 20.")
  private int wanted = 20;

  private final PrintStream out;
  private final Random random = new Random(SEED);
  private final SoakSamples samples = new SoakSamples();

  /** Results that went with an executor that was killed behind their run. */
  private int lost;

  SoakBenchmark(PrintStream out) {
    this.out = out;
  }

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    System.exit(execute(System.out, args));
  }

  static int execute(PrintStream out, String... args) {
    PrintWriter writer = new PrintWriter(out, true);
    return new CommandLine(new SoakBenchmark(out))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(writer)
        .setErr(writer)
        .execute(args);
  }

  @Override
  public Integer call() throws IOException {
    Path scratch = Files.createTempDirectory("spark-gpu-graph-soak");
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.local.dir", scratch.resolve("local").toString());
    settings.put("spark.checkpoint.dir", scratch.resolve("checkpoints").toString());
    settings.put("spark.locality.wait", "300ms");
    settings.put("spark.shuffle.io.retryWait", "500ms");
    settings.put("spark.deploy.maxExecutorRetries", "-1");
    settings.put("spark.gpugraph.checkpointInterval", String.valueOf(CHECKPOINTS));
    BenchmarkCluster.Layout layout =
        new BenchmarkCluster.Layout(executors, 1, 640, 0, List.of(), false);
    int differing;
    try (BenchmarkCluster cluster = new BenchmarkCluster(layout, settings)) {
      JavaSparkContext sc = cluster.context();
      differing = longRun(sc) + cycles(sc);
    } finally {
      delete(scratch);
    }
    out.print(samples);
    List<String> grown = samples.grown();
    grown.forEach(out::println);
    out.println(
        differing + " results differ from the undisturbed ones; " + grown.size() + " things grew");
    return grown.isEmpty() && differing == 0 ? 0 : 1;
  }

  private RunOptions options() {
    return RunOptions.DEFAULT.withEngine(engine);
  }

  private ResidentGraph<Object, Double> load(JavaSparkContext sc) {
    JavaRDD<EdgeBlock> edges =
        new RmatGraph(scale, EDGE_FACTOR, SEED).edges(sc, SHARDS, true, false);
    return ResidentGraph.load(edges, Double.class, options().withExecutors(SHARDS));
  }

  // ---- work -------------------------------------------------------------------------------------

  /** Returns how many results differ. */
  private int longRun(JavaSparkContext sc) {
    long start = System.nanoTime();
    int differing = 0;
    Map<Long, Double> undisturbed = null;
    for (boolean disturbed : new boolean[] {false, true}) {
      try (ResidentGraph<Object, Double> graph = load(sc)) {
        RunObserver killing =
            new RunObserver() {
              private int killed;

              @Override
              public void superstepEnded(SuperstepStats stats) {
                if (disturbed
                    && killed < kills
                    && stats.superstep() == (killed + 1) * supersteps / (kills + 1)) {
                  killed++;
                  kill(sc);
                }
              }
            };
        try (VertexResult<Double> ranks =
            PageRank.run(graph, supersteps, 0.15, options().withObserver(killing))) {
          Map<Long, Double> values = new TreeMap<>(ranks.collectAsMap());
          differing += undisturbed == null || values.equals(undisturbed) ? 0 : 1;
          undisturbed = values;
        }
      }
      sample(sc);
      out.printf(
          Locale.ROOT,
          "%d supersteps%s: %.0f s%n",
          supersteps,
          disturbed ? ", executors killed" : "",
          (System.nanoTime() - start) / 1e9);
    }
    return differing;
  }

  private int cycles(JavaSparkContext sc) {
    long start = System.nanoTime();
    int differing = 0;
    int sampled = 0;
    int killed = 0;
    Values expected = null;
    for (int cycle = 0; cycle < cycles; cycle++) {
      try (ResidentGraph<Object, Double> graph = load(sc)) {
        CompletableFuture<Void> killing = null;
        // Not behind the first half: what is started then is to be warm before the end.
        if (killed < kills && cycle >= (killed + 1) * cycles / 2 / (kills + 1)) {
          killed++;
          killing =
              CompletableFuture.runAsync(
                  () -> kill(sc),
                  CompletableFuture.delayedExecutor(random.nextInt(100), TimeUnit.MILLISECONDS));
        }
        Values values = values(graph);
        differing += expected == null || values.equals(expected) ? 0 : 1;
        expected = expected == null ? values : expected;
        if (killing != null) {
          killing.join();
        }
      }
      if ((cycle + 1) * wanted / cycles > sampled) {
        sampled++;
        sample(sc);
      }
    }
    out.printf(
        Locale.ROOT,
        "%d cycles, %d executors killed, %d results lost with them and made again: %.0f s%n",
        cycles,
        killed,
        lost,
        (System.nanoTime() - start) / 1e9);
    return differing;
  }

  /** What a cycle gives. */
  private record Values(Map<Long, Double> ranks, Map<Long, Integer> hops) {}

  /** Runs both programs, again where a result went with the executor that held it. */
  private Values values(ResidentGraph<Object, Double> graph) {
    while (true) {
      try (VertexResult<Double> ranks = PageRank.run(graph, SHORT, 0.15, options());
          VertexResult<Integer> hops = Bfs.run(graph, 1, options())) {
        return new Values(new TreeMap<>(ranks.collectAsMap()), new TreeMap<>(hops.collectAsMap()));
      } catch (GraphLostException e) {
        lost++;
      }
    }
  }

  // ---- processes --------------------------------------------------------------------------------

  /** Kills one of the executors that hold something. */
  private void kill(JavaSparkContext sc) {
    List<ProcessSample> holding =
        processes(sc).values().stream().filter(one -> one.held() > 0).toList();
    if (!holding.isEmpty()) {
      long pid = holding.get(random.nextInt(holding.size())).pid();
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private void sample(JavaSparkContext sc) {
    ProcessSample driver = ProcessSample.here();
    // What the driver's garbage referred to is removed by executors now.
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    Collection<ProcessSample> all = processes(sc).values();
    for (List<ProcessSample> some : List.of(List.of(driver), List.copyOf(all))) {
      samples.add(some);
      some.forEach(out::println);
    }
  }

  /** Samples of the executors that get a task. */
  private Map<String, ProcessSample> processes(JavaSparkContext sc) {
    int tasks = TASKS_PER_CORE * executors;
    Map<String, ProcessSample> found = new TreeMap<>();
    sc.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
        .map(
            task -> {
              Thread.sleep(PAUSE_MILLIS);
              return ProcessSample.here();
            })
        .collect()
        .forEach(one -> found.put(one.executor(), one));
    return found;
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("removing " + folder, e);
    }
  }
}
