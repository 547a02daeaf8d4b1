package org.sparkgpugraph.benchmarks.engine;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.benchmarks.GraphSpec;
import org.sparkgpugraph.benchmarks.RunCounts;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.louvain.LouvainOperator;
import org.sparkgpugraph.engine.louvain.LouvainTuning;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures Louvain's method on generated graphs without Spark, a line for each engine.
 *
 * <p>Exit status: 0; 1 when engines find different communities; 2 when the arguments are wrong.
 */
@Command(
    name = "CommunityBenchmark",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Finds communities of high modularity in generated graphs, without Spark.",
    description = {
      "",
      "Medians over the runs after warm-up. run: from the graph in memory to the communities in memory,"
          + " by the host's clock; kernels, copies: by the device's events and the host's clock.",
      ""
    })
public final class CommunityBenchmark implements Callable<Integer> {
  @Mixin private RunCounts counts = new RunCounts(1, 3, 1);

  @Mixin private EnginesAndGraphs subjects = new EnginesAndGraphs();

  @Option(names = "--gamma", paramLabel = "G", description = "Resolution; default 1.")
  private double gamma = 1;

  @Option(
      names = "--tolerance",
      paramLabel = "Q",
      description = "Modularity that a sweep, and a level, must add; default 1e-6.")
  private double tolerance = 1e-6;

  @Option(names = "--refine", description = "Refines communities, so that each is connected.")
  private boolean refine;

  @Option(
      names = "--little",
      paramLabel = "SHARE",
      split = ",",
      description =
          "A level's sweeps end when one adds less than this share of what all of them have added."
              + " Several are tried one after the other.")
  private List<Double> littles = List.of(LouvainOperator.Limits.USUAL.little());

  @Option(
      names = "--tuning",
      paramLabel = "ROW/CHUNK/COARSEN/DEPTH",
      split = ",",
      description =
          "Of a device engine: entries of a row that a warp sums up alone; entries that a block sums"
              + " up at a time, and when it makes the next level; entries that a thread has under"
              + " way. Several are compared. Default ${DEFAULT-VALUE}.")
  private List<String> tunings = List.of("192/1536/2048/4");

  @Option(
      names = "--phases",
      description = "Tells the phases of every run, and the rounds of the last.")
  private boolean phases;

  @Option(
      names = "--kernel-times",
      description =
          "Tells the device time of every kernel, all launches of the last run together; the runs"
              + " get slower.")
  private boolean kernelTimes;

  private final PrintStream out;
  private boolean failed;

  private CommunityBenchmark(PrintStream out) {
    this.out = out;
  }

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    System.exit(execute(System.out, args));
  }

  static int execute(PrintStream out, String... args) {
    PrintWriter writer = new PrintWriter(out, true);
    return new CommandLine(new CommunityBenchmark(out)).setOut(writer).setErr(writer).execute(args);
  }

  @Override
  public Integer call() {
    counts.check();
    subjects.check();
    for (GraphSpec spec : subjects.graphs(1)) {
      ExecutorGraph graph =
          BenchmarkGraphs.build(
              spec.edges(null), BenchmarkGraphs.vertices(spec.vertices()), null, 1);
      out.printf(
          "%s: %d vertices, %d edges%n", spec.name(), graph.vertexCount(), graph.edgeCount());
      if (subjects.engines().contains("cpu")) {
        graph.partitions().get(0).outEdges();
      }
      littles.forEach(little -> compare(graph, little));
    }
    return failed ? 1 : 0;
  }

  private void compare(ExecutorGraph graph, double little) {
    int[] hashes =
        subjects.engines().stream()
            .flatMapToInt(
                engine ->
                    (engine.equals("cpu") ? tunings.subList(0, 1) : tunings)
                        .stream().mapToInt(tuning -> measure(graph, engine, tuning, little)))
            .toArray();
    if (Arrays.stream(hashes).distinct().count() > 1) {
      out.println("the engines find different communities: " + Arrays.toString(hashes));
      failed = true;
    }
  }

  private LouvainTuning tuning(String text) {
    try {
      int[] parts = Arrays.stream(text.split("/")).mapToInt(Integer::parseInt).toArray();
      return new LouvainTuning(parts[0], parts[1], parts[2], parts[3]);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw counts.wrong("'" + text + "' is not ROW/CHUNK/COARSEN/DEPTH: " + e.getMessage());
    }
  }

  private int measure(ExecutorGraph graph, String name, String tuning, double little) {
    LouvainOperator operator =
        new LouvainOperator(
            false,
            gamma,
            100,
            tolerance,
            refine,
            LouvainOperator.Limits.USUAL.withLittle(little),
            tuning(tuning));
    if (name.equals("cpu")) {
      return measure(graph, name, new CpuEngine(), null, operator);
    }
    try (MeasuredDevice device = new MeasuredDevice(BenchmarkEngines.device(name), kernelTimes);
        DeviceEngine engine = new DeviceEngine(name, device, DeviceSettings.DEFAULT)) {
      return measure(graph, name, engine, device, operator);
    }
  }

  /** Hash of the communities, to be compared. */
  private int measure(
      ExecutorGraph graph,
      String name,
      Engine engine,
      MeasuredDevice device,
      LouvainOperator operator) {
    Runnable opened = device == null ? () -> {} : device::takeKernelTimes;
    OperatorRuns runs = OperatorRuns.of(counts, operator, graph, engine, opened, this::tell);
    List<Round> rounds = runs.rounds();
    if (phases) {
      rounds.forEach(
          round ->
              out.printf(
                  "    modularity %.5f, %.0f levels, %d entries%n",
                  round.aggregates()[LouvainOperator.MODULARITY],
                  round.aggregates()[LouvainOperator.LEVELS],
                  round.edges()));
    }
    if (kernelTimes && device != null) {
      device
          .takeKernelTimes()
          .forEach(
              (kernel, time) ->
                  out.printf(
                      "    %-24s %6d launches %9.2f ms%n",
                      kernel, time.launches(), time.nanos() / 1e6));
    }
    double[] found = rounds.get(rounds.size() - 1).aggregates();
    out.printf(
        "  %-8s run %.1f ms, kernels %.1f ms, copies %.1f ms; modularity %.4f, %.0f communities,"
            + " %.0f levels, %d rounds; little %s, %s%n",
        name,
        runs.runMillis(),
        runs.kernelMillis(),
        runs.copyMillis(),
        found[LouvainOperator.MODULARITY],
        found[LouvainOperator.COMMUNITIES],
        found[LouvainOperator.LEVELS],
        rounds.size(),
        operator.limits().little(),
        operator.tuning());
    return Arrays.hashCode(runs.results().longs(0));
  }

  private void tell(List<PhaseTimes.Phase> told) {
    if (phases) {
      Map<String, Double> sums = new TreeMap<>();
      told.forEach(each -> sums.merge(each.name(), each.nanos() / 1e6, Double::sum));
      sums.forEach((phase, millis) -> out.printf("    %s: %.1f ms%n", phase, millis));
    }
  }
}
