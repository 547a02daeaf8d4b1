package org.sparkgpugraph.benchmarks.comparison;

import com.sun.management.OperatingSystemMXBean;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.GraphSteps;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.vector.Norms;
import org.sparkgpugraph.vector.Vectors;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Multi-manifold ranking and belief propagation as sequences of edge maps and vertex maps on an
 * R-MAT graph whose edges have arrays of weights: with neighbouring maps folded into one superstep,
 * and with every map a superstep of its own. The maps are those of ONYX: ranking adds up weighted
 * ranks and weights; beliefs take away what a neighbour said before and add what it says now, then
 * are computed and normalised. Prints the time of the supersteps, the median over rounds, which
 * take turns, the CPU time of all threads meanwhile (which other programs on the machine disturb
 * less), and by how much the results differ at most.
 *
 * <pre>FoldingBenchmark [scale = 16] [rounds = 5] [engine = cpu] [length = 16] [turns = 10]</pre>
 */
public final class FoldingBenchmark {
  private static final float ALPHA = 0.85f;

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Ranks now and at the start. */
  public record Ranks(float[] now, float[] first) implements Serializable {}

  /** What a vertex is known to be, the sum of what it was sent, and what it believes. */
  public record Belief(float[] prior, float[] sum, float[] now, float[] before)
      implements Serializable {}

  /** Runs a program. */
  private interface Program {
    VertexResult<float[]> run(boolean folds, RunOptions options);
  }

  private final ResidentGraph<Double, float[]> graph;
  private final int length;
  private final int turns;
  private final TextTable table =
      new TextTable(
          "program",
          "run",
          "supersteps",
          "M edges",
          "ms",
          "ratio",
          "CPU ms",
          "ratio of CPU",
          "difference");

  private FoldingBenchmark(ResidentGraph<Double, float[]> graph, int length, int turns) {
    this.graph = graph;
    this.length = length;
    this.turns = turns;
  }

  /** Runs it and prints a table; the first round is left out. */
  public static void main(String[] args) {
    int scale = number(args, 0, 16);
    int rounds = number(args, 1, 5);
    String engine = args.length > 2 ? args[2] : "cpu";
    int length = number(args, 3, 16);
    int turns = number(args, 4, 10);
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("FoldingBenchmark")
            .set("spark.ui.enabled", "false")
            .set("spark.gpugraph.engine", engine)
            .set("spark.gpugraph.fallback", "never");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      Graph<Double, float[]> weighted = weighted(sc, scale, length);
      try (ResidentGraph<Double, float[]> graph =
          GpuPregel.loadWithEdgeAttributes(
              weighted, Double.class, float[].class, RunOptions.DEFAULT)) {
        weighted.unpersist(true);
        System.out.printf(
            "R-MAT %d: %d vertices, %d edges; engine %s, %d numbers, %d turns%n",
            scale, graph.vertexCount(), graph.edgeCount(), engine, length, turns);
        FoldingBenchmark benchmark = new FoldingBenchmark(graph, length, turns);
        benchmark.measure("ranking", benchmark::ranking, rounds);
        benchmark.measure("beliefs", benchmark::beliefs, rounds);
        System.out.print(benchmark.table);
      }
    }
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  /** R-MAT edges with an array of weights between 0 and 1 each, made of their one weight. */
  private static Graph<Double, float[]> weighted(JavaSparkContext sc, int scale, int length) {
    ClassTag<Double> numbers = ClassTag$.MODULE$.apply(Double.class);
    ClassTag<float[]> arrays = ClassTag$.MODULE$.apply(float[].class);
    JavaRDD<Edge<float[]>> edges =
        new RmatGraph(scale, RmatGraphX.EDGE_FACTOR, RmatGraphX.SEED)
            .edges(sc, 4, true, false)
            .flatMap(block -> weighted(block, length));
    return Graph.fromEdges(
        edges.rdd(), 0.0, StorageLevel.MEMORY_ONLY(), StorageLevel.MEMORY_ONLY(), numbers, arrays);
  }

  private static Iterator<Edge<float[]>> weighted(EdgeBlock block, int length) {
    double[] values = (double[]) block.values();
    return IntStream.range(0, block.size())
        .mapToObj(
            e -> {
              float[] own = new float[length];
              for (int i = 0; i < length; i++) {
                own[i] = ((int) values[e] * 31 + i * 17) % 255 / 256f;
              }
              return new Edge<>(block.source(e), block.destination(e), own);
            })
        .iterator();
  }

  private VertexResult<float[]> ranking(boolean folds, RunOptions options) {
    int k = length;
    return GpuPregel.steps(graph)
        .state(
            (id, none, in, out) -> {
              float[] first = new float[k];
              first[(int) (id % k)] = 1;
              return new Ranks(first, first);
            })
        .repeat(
            turns,
            steps ->
                steps
                    .edgeMap(
                        e -> e.sendToDst(Vectors.multiply(e.attr(), e.srcAttr().now())),
                        Vectors::add,
                        new float[k])
                    .edgeMap(e -> e.sendToDst(e.attr()), Vectors::add, new float[k])
                    .vertexMap(
                        (id, v, sums, weights) -> {
                          float[] now = new float[k];
                          for (int i = 0; i < k; i++) {
                            float mean = weights[i] > 0 ? sums[i] / weights[i] : 0;
                            now[i] = ALPHA * mean + (1 - ALPHA) * v.first()[i];
                          }
                          return new Ranks(now, v.first());
                        }))
        .result((id, none, v) -> v.now())
        .withFolding(folds)
        .options(options)
        .runVertices();
  }

  private static float[] says(float sign, float[] weights, float[] belief) {
    float[] says = new float[belief.length];
    for (int i = 0; i < belief.length; i++) {
      says[i] = sign * (float) Math.log(1 + weights[i] * belief[i]);
    }
    return says;
  }

  private VertexResult<float[]> beliefs(boolean folds, RunOptions options) {
    int k = length;
    GraphSteps<Double, float[], Belief, Belief> begun =
        GpuPregel.steps(graph)
            .state(
                (id, none, in, out) -> {
                  float[] prior = new float[k];
                  for (int i = 0; i < k; i++) {
                    prior[i] = id % k == i ? 2f / (k + 1) : 1f / (k + 1);
                  }
                  return new Belief(prior, new float[k], prior, new float[k]);
                });
    return begun
        .repeat(
            turns,
            steps ->
                steps
                    .edgeMap(
                        e -> e.sendToDst(says(-1, e.attr(), e.srcAttr().before())),
                        Vectors::add,
                        new float[k])
                    .edgeMap(
                        e -> e.sendToDst(says(1, e.attr(), e.srcAttr().now())),
                        Vectors::add,
                        new float[k])
                    .vertexMap(
                        (id, v, removed, added) ->
                            new Belief(
                                v.prior(),
                                Vectors.add(v.sum(), Vectors.add(removed, added)),
                                v.now(),
                                v.before()))
                    .vertexMap(
                        (id, v) -> {
                          float most = Float.NEGATIVE_INFINITY;
                          for (int i = 0; i < k; i++) {
                            most = Math.max(most, v.sum()[i]);
                          }
                          float[] now = new float[k];
                          for (int i = 0; i < k; i++) {
                            now[i] = v.prior()[i] * (float) Math.exp(v.sum()[i] - most);
                          }
                          return new Belief(v.prior(), v.sum(), now, v.now());
                        })
                    .vertexMap(
                        (id, v) ->
                            new Belief(v.prior(), v.sum(), Norms.unitSum(v.now()), v.before())))
        .result((id, none, v) -> v.now())
        .withFolding(folds)
        .options(options)
        .runVertices();
  }

  /** What runs have taken. */
  private static final class Taken implements RunObserver {
    private final List<Double> millis = new ArrayList<>();
    private long edges;
    private final List<Double> cpuMillis = new ArrayList<>();
    private long nanos;
    private long cpuBegun;
    private long cpu;
    private int supersteps;

    @Override
    public void superstepEnded(SuperstepStats stats) {
      if (cpuBegun == 0) {
        cpuBegun = PROCESS.getProcessCpuTime();
      }
      cpu = PROCESS.getProcessCpuTime() - cpuBegun;
      if (stats.superstep() > 0) {
        edges += stats.edgesEvaluated();
        nanos += stats.nanos();
        supersteps++;
      }
    }

    private void taken() {
      millis.add(nanos / 1e6);
      cpuMillis.add(cpu / 1e6);
    }

    private void begin() {
      edges = 0;
      nanos = 0;
      cpuBegun = 0;
      supersteps = 0;
    }
  }

  private void measure(String name, Program program, int rounds) {
    Map<Boolean, Taken> taken = new HashMap<>();
    Map<Boolean, Map<Long, float[]>> results = new HashMap<>();
    List<Boolean> order = List.of(false, true);
    for (int round = 0; round <= rounds; round++) {
      for (boolean folds : order) {
        Taken here = taken.computeIfAbsent(folds, m -> new Taken());
        here.begin();
        try (VertexResult<float[]> result =
            program.run(folds, RunOptions.DEFAULT.withObserver(here))) {
          if (round == 0) {
            results.put(folds, result.toPairs().collectAsMap());
          } else {
            here.taken();
          }
        }
      }
    }
    double all = Medians.median(taken.get(false).millis);
    double allCpu = Medians.median(taken.get(false).cpuMillis);
    for (boolean folds : order) {
      Taken one = taken.get(folds);
      double millis = Medians.median(one.millis);
      table.add(
          List.of(
              name,
              folds ? "folded" : "a superstep each",
              Integer.toString(one.supersteps),
              format("%.1f", one.edges / 1e6),
              format("%.1f", millis),
              format("%.2f", all / millis),
              format("%.1f", Medians.median(one.cpuMillis)),
              format("%.2f", allCpu / Medians.median(one.cpuMillis)),
              format("%.1e", difference(results.get(folds), results.get(false)))));
    }
  }

  private static double difference(Map<Long, float[]> one, Map<Long, float[]> other) {
    double most = 0;
    for (Map.Entry<Long, float[]> vertex : one.entrySet()) {
      float[] here = vertex.getValue();
      float[] there = other.get(vertex.getKey());
      for (int i = 0; i < here.length; i++) {
        most = Math.max(most, Math.abs(here[i] - there[i]));
      }
    }
    return most;
  }

  private static String format(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
