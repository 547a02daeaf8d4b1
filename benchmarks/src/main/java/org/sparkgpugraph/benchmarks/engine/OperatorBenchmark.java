package org.sparkgpugraph.benchmarks.engine;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.benchmarks.GraphSpec;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.RunCounts;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.cores.PeelingOperator;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.intersect.IntersectionTuning;
import org.sparkgpugraph.engine.intersect.Measure;
import org.sparkgpugraph.engine.intersect.SortedIntersection;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.strong.StrongComponentsOperator;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures operators on generated graphs without Spark: triangle counts, coreness and strongly
 * connected components, a line for each engine.
 *
 * <p>Exit status: 0; 1 when engines find different values; 2 when the arguments are wrong.
 */
@Command(
    name = "OperatorBenchmark",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Runs operators on generated graphs, without Spark.",
    description = {
      "",
      "Medians over the runs after warm-up. run: from the graph in memory to the values in memory;",
      "preparing, counting: of that, until the rows are ready for counting, and until all is counted,",
      "by the host's clock; kernels, copies: by the device's events and the host's clock.",
      ""
    })
public final class OperatorBenchmark implements Callable<Integer> {
  @Mixin private RunCounts counts = new RunCounts(1, 3, 1);

  @Mixin private EnginesAndGraphs subjects = new EnginesAndGraphs();

  @Option(
      names = "--operators",
      paramLabel = "NAME",
      split = ",",
      description =
          "triangles (default), coreness (of graphs that have each edge in both directions),"
              + " strong-components.")
  private List<String> operators = List.of(TRIANGLES);

  @Option(
      names = "--tuning",
      paramLabel = "LISTED/WORDS/CELLS/BLOCKS/DEPTH/PART/ROOM",
      split = ",",
      description =
          "Of a device engine: vertices of LISTED neighbours and more have a list of the rows that"
              + " name them; words of a block's map; entries of a row that it counts at a time; blocks"
              + " that a multiprocessor should hold; entries that a lane has under way; most rows of a"
              + " list that a block takes at a time; edges of a row that it has room for while it sorts"
              + " them. Several are compared."
              + " Default 96/2560/1280/7/2/2048/4096.")
  private List<String> tunings = List.of("96/2560/1280/7/2/2048/4096");

  @Option(
      names = "--phases",
      description = "Tells the phases of every run: ranking, rows, counting.")
  private boolean phases;

  private static final String TRIANGLES = "triangles";
  private static final String CORENESS = "coreness";
  private static final String STRONG = "strong-components";
  private static final List<String> OPERATORS = List.of(TRIANGLES, CORENESS, STRONG);

  /** Phases of a run: counting, and what comes behind it; all else prepares. */
  private static final String COUNTING = "intersect: triangles";

  private static final String BEHIND = "intersect: counts to the host";

  private final PrintStream out;
  private boolean failed;

  private OperatorBenchmark(PrintStream out) {
    this.out = out;
  }

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    System.exit(execute(System.out, args));
  }

  static int execute(PrintStream out, String... args) {
    PrintWriter writer = new PrintWriter(out, true);
    return new CommandLine(new OperatorBenchmark(out)).setOut(writer).setErr(writer).execute(args);
  }

  @Override
  public Integer call() {
    counts.check();
    subjects.check();
    for (String operator : operators) {
      if (!OPERATORS.contains(operator)) {
        throw counts.wrong(
            "'" + operator + "' is not an operator; valid: " + String.join(", ", OPERATORS));
      }
    }
    List<String> engines = subjects.engines();
    for (GraphSpec spec : subjects.graphs(1)) {
      ExecutorGraph graph =
          BenchmarkGraphs.build(
              spec.edges(null), BenchmarkGraphs.vertices(spec.vertices()), null, 1);
      out.printf(
          "%s: %d vertices, %d edges%n", spec.name(), graph.vertexCount(), graph.edgeCount());
      if (operators.contains(TRIANGLES)) {
        countTriangles(graph, engines);
      }
      if (operators.contains(CORENESS)) {
        compare(
            engines.stream()
                .mapToLong(
                    name ->
                        on(
                            name,
                            engine -> {
                              int[] coreness =
                                  run(new PeelingOperator(PeelingOperator.ALL), graph, name, engine)
                                      .ints(0);
                              int most = Arrays.stream(coreness).max().orElse(0);
                              out.printf("    coreness up to %d%n", most);
                              return Arrays.hashCode(coreness);
                            })));
      }
      if (operators.contains(STRONG)) {
        compare(
            engines.stream()
                .mapToLong(
                    name ->
                        on(
                            name,
                            engine -> {
                              long[] components =
                                  run(new StrongComponentsOperator(), graph, name, engine).longs(0);
                              out.printf(
                                  "    %d strongly connected components%n",
                                  Arrays.stream(components).distinct().count());
                              return Arrays.hashCode(components);
                            })));
      }
    }
    return failed ? 1 : 0;
  }

  private void countTriangles(ExecutorGraph graph, List<String> engines) {
    if (engines.contains("cpu")) {
      graph.partitions().get(0).outEdges();
    }
    compare(
        engines.stream()
            .flatMapToLong(
                name ->
                    (name.equals("cpu") ? tunings.subList(0, 1) : tunings)
                        .stream()
                            .mapToLong(
                                tuning ->
                                    on(
                                        name,
                                        engine -> measure(graph, name, engine, tuning(tuning))))));
  }

  private void compare(LongStream sums) {
    long[] found = sums.toArray();
    if (Arrays.stream(found).distinct().count() > 1) {
      out.println("the engines count differently: " + Arrays.toString(found));
      failed = true;
    }
  }

  private IntersectionTuning tuning(String text) {
    try {
      int[] parts = Arrays.stream(text.split("/")).mapToInt(Integer::parseInt).toArray();
      return new IntersectionTuning(
          parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw counts.wrong(
          "'" + text + "' is not LISTED/WORDS/CELLS/BLOCKS/DEPTH/PART/ROOM: " + e.getMessage());
    }
  }

  private static long on(String name, ToLongFunction<Engine> measure) {
    if (name.equals("cpu")) {
      return measure.applyAsLong(new CpuEngine());
    }
    try (Device device = BenchmarkEngines.device(name);
        DeviceEngine engine = new DeviceEngine(name, device, DeviceSettings.DEFAULT)) {
      return measure.applyAsLong(engine);
    }
  }

  /** Measures any operator; the last run's values. */
  private Columns run(GraphOperator operator, ExecutorGraph graph, String name, Engine engine) {
    OperatorRuns runs = OperatorRuns.of(counts, operator, graph, engine, () -> {}, this::tell);
    out.printf(
        "  %-8s %s: run %.1f ms, kernels %.2f ms, copies %.1f ms%n",
        name, operator.name(), runs.runMillis(), runs.kernelMillis(), runs.copyMillis());
    return runs.results();
  }

  private void tell(List<PhaseTimes.Phase> told) {
    if (phases) {
      told.forEach(each -> out.printf("    %s: %.1f ms%n", each.name(), each.nanos() / 1e6));
    }
  }

  /** Sum over all values, to be compared. */
  private long measure(ExecutorGraph graph, String name, Engine engine, IntersectionTuning tuning) {
    GraphOperator operator = new SortedIntersection(Measure.NEIGHBORHOOD, tuning);
    OperatorRuns runs = OperatorRuns.of(counts, operator, graph, engine, () -> {}, this::tell);
    long[] ofVertices = runs.results().longs(1);
    out.printf(
        "  %-8s run %.1f ms (preparing %.1f, counting %.1f), kernels %.2f ms, copies %.1f ms;"
            + " %d triangles; %s%n",
        name,
        runs.runMillis(),
        median(runs, of -> !of.equals(COUNTING) && !of.equals(BEHIND)),
        median(runs, COUNTING::equals),
        runs.kernelMillis(),
        runs.copyMillis(),
        Arrays.stream(ofVertices).sum() / 3,
        tuning);
    return Arrays.hashCode(ofVertices) * 31L + Arrays.hashCode(runs.results().longs(2));
  }

  private static double median(OperatorRuns runs, Predicate<String> which) {
    return Medians.median(runs.phases().stream().map(phases -> millis(phases, which)).toList());
  }

  private static double millis(List<PhaseTimes.Phase> phases, Predicate<String> which) {
    return phases.stream()
        .filter(phase -> phase.name().startsWith("intersect: ") && which.test(phase.name()))
        .mapToDouble(phase -> phase.nanos() / 1e6)
        .sum();
  }
}
