package org.sparkgpugraph.benchmarks.comparison;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.learning.BeliefPropagation;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.algorithm.learning.SoftLabels;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.files.generate.LatticeGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import scala.Tuple2;

/**
 * The library's soft labels and belief propagation on an undirected R-MAT graph, and the latter on
 * a square lattice, until nothing changes by more than ε: with every edge in every superstep, and
 * change-driven. Prints the edges evaluated, the time of the supersteps (median over rounds, which
 * take turns), and by how much the results differ at most.
 *
 * <p>Of the edges of the beliefs' factor graph half are idle in each superstep of the full run; the
 * third row of the beliefs counts as evaluated only those that are not.
 *
 * <pre>
 * DeltaBenchmark [scale = 16] [rounds = 3] [engine = cpu] [length = 16] [epsilon = 1e-3]
 *     [like = 1]
 * </pre>
 */
public final class DeltaBenchmark {
  private static final int MOST = 200;

  private static final int PARTITIONS = 4;

  private static final double ALPHA = 0.8;

  /** A program with its graph. */
  private interface Program {
    VertexResult<double[]> run(Convergence until, RunOptions options);
  }

  private final TextTable table =
      new TextTable(
          "program", "run", "supersteps", "M edges", "ratio", "ms", "ratio", "difference");
  private final JavaSparkContext sc;
  private final int scale;
  private final int length;
  private final double epsilon;
  private final int rounds;

  private DeltaBenchmark(JavaSparkContext sc, int scale, int rounds, int length, double epsilon) {
    this.sc = sc;
    this.scale = scale;
    this.rounds = rounds;
    this.length = length;
    this.epsilon = epsilon;
  }

  /** Runs it and prints a table; the first round is left out. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 16;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    String engine = args.length > 2 ? args[2] : "cpu";
    int length = args.length > 3 ? Integer.parseInt(args[3]) : 16;
    double epsilon = args.length > 4 ? Double.parseDouble(args[4]) : 1e-3;
    double like = args.length > 5 ? Double.parseDouble(args[5]) : 1;
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("DeltaBenchmark")
            .set("spark.ui.enabled", "false")
            .set("spark.gpugraph.engine", engine)
            .set("spark.gpugraph.fallback", "never");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      System.out.printf(
          Locale.ROOT,
          "R-MAT %d; engine %s, %d numbers, epsilon %s, like %s%n",
          scale,
          engine,
          length,
          epsilon,
          like);
      DeltaBenchmark benchmark = new DeltaBenchmark(sc, scale, rounds, length, epsilon);
      benchmark.labels();
      benchmark.beliefs("beliefs", benchmark.rmat(false), like);
      int side = 1 << scale / 2;
      benchmark.beliefs(
          "beliefs, lattice",
          new LatticeGraph(side, side, 1).edges(sc, PARTITIONS, false, false),
          like);
      System.out.print(benchmark.table);
    }
  }

  /** A sixteenth of the vertices has a label; of the others all are as likely. */
  private void labels() {
    double[] even = new double[length];
    Arrays.fill(even, 1);
    JavaRDD<EdgeBlock> edges = rmat(true);
    try (ResidentGraph<Object, Double> graph =
            ResidentGraph.load(edges, Double.class, RunOptions.DEFAULT);
        ResidentGraph<double[], Double> labelled =
            graph.withVertices(known(edges, 1), double[].class, even)) {
      tell("labels", graph);
      measure(
          "labels",
          1,
          (until, options) ->
              SoftLabels.run(labelled, length, ALPHA, SoftLabels.Pull.FIRST, until, options));
    }
  }

  /**
   * The same vertices are likely to have one state, and neighbours to be alike.
   *
   * @param like by how much more than other pairs of states two that are the same
   */
  private void beliefs(String name, JavaRDD<EdgeBlock> all, double like) {
    JavaRDD<EdgeBlock> edges = simple(all).persist(StorageLevel.MEMORY_ONLY());
    double[] potential = new double[length * length];
    Arrays.fill(potential, 1);
    for (int i = 0; i < length; i++) {
      potential[i * length + i] += like;
    }
    double[] even = new double[length];
    Arrays.fill(even, 1);
    try (ResidentGraph<Object, Object> graph =
            ResidentGraph.load(edges, Object.class, RunOptions.DEFAULT);
        ResidentGraph<double[], Object> field =
            graph.withVertices(known(edges, 10), double[].class, even)) {
      tell(name, graph);
      measure(
          name,
          2,
          (until, options) -> BeliefPropagation.run(field, length, potential, until, options));
    }
  }

  private static void tell(String name, ResidentGraph<?, ?> graph) {
    System.out.printf(
        Locale.ROOT, "%s: %,d vertices, %,d edges%n", name, graph.vertexCount(), graph.edgeCount());
  }

  private JavaRDD<EdgeBlock> rmat(boolean undirected) {
    return new RmatGraph(scale, RmatGraphX.EDGE_FACTOR, RmatGraphX.SEED)
        .edges(sc, PARTITIONS, true, undirected);
  }

  /** One edge between two vertices at most, and none from one to itself. */
  private static JavaRDD<EdgeBlock> simple(JavaRDD<EdgeBlock> edges) {
    return edges
        .flatMap(
            block ->
                IntStream.range(0, block.size())
                    .filter(i -> block.source(i) != block.destination(i))
                    .mapToObj(
                        i ->
                            new Tuple2<>(
                                Math.min(block.source(i), block.destination(i)),
                                Math.max(block.source(i), block.destination(i))))
                    .iterator())
        .distinct(PARTITIONS)
        .mapPartitions(
            pairs -> {
              List<Tuple2<Long, Long>> all = new ArrayList<>();
              pairs.forEachRemaining(all::add);
              long[] sources = all.stream().mapToLong(Tuple2::_1).toArray();
              long[] destinations = all.stream().mapToLong(Tuple2::_2).toArray();
              EdgeBlock block = new GlobalEdgeBlock(all.size(), sources, destinations, null);
              return List.of(block).iterator();
            });
  }

  /**
   * Arrays of each sixteenth vertex.
   *
   * @param most its largest number; the others are 0 in labels, 1 in priors
   */
  private JavaPairRDD<Long, double[]> known(JavaRDD<EdgeBlock> edges, double most) {
    int k = length;
    return edges
        .flatMap(
            block ->
                IntStream.range(0, 2 * block.size())
                    .mapToObj(i -> i % 2 == 0 ? block.source(i / 2) : block.destination(i / 2))
                    .filter(id -> id % 16 == 0)
                    .iterator())
        .distinct()
        .mapToPair(
            id -> {
              double[] own = new double[k];
              Arrays.fill(own, most > 1 ? 1 : 0);
              own[(int) (id / 16 % k)] = most;
              return new Tuple2<>(id, own);
            });
  }

  /** What runs have taken. */
  private static final class Taken implements RunObserver {
    private final List<Double> millis = new ArrayList<>();
    private long edges;
    private long nanos;
    private int supersteps;

    @Override
    public void superstepEnded(SuperstepStats stats) {
      edges += stats.edgesEvaluated();
      nanos += stats.nanos();
      supersteps++;
    }

    private void begin() {
      edges = 0;
      nanos = 0;
      supersteps = 0;
    }
  }

  /**
   * Measures a program.
   *
   * @param idle by how much more than those that tell something the full run evaluates
   */
  private void measure(String name, int idle, Program program) {
    Map<String, Convergence> modes = new HashMap<>();
    modes.put("every edge", Convergence.everyEdge(epsilon, MOST));
    modes.put("deltas", Convergence.deltas(epsilon, MOST));
    List<String> order = List.of("every edge", "deltas");
    Map<String, Taken> taken = new HashMap<>();
    Map<String, Map<Long, double[]>> results = new HashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (String mode : order) {
        Taken here = taken.computeIfAbsent(mode, m -> new Taken());
        here.begin();
        try (VertexResult<double[]> result =
            program.run(modes.get(mode), RunOptions.DEFAULT.withObserver(here))) {
          if (round == 0) {
            results.put(mode, result.collectAsMap());
          } else {
            here.millis.add(here.nanos / 1e6);
          }
        }
      }
    }
    Taken all = taken.get("every edge");
    for (String mode : order) {
      Taken one = taken.get(mode);
      double millis = Medians.median(one.millis);
      table.add(
          List.of(
              name,
              mode,
              Integer.toString(one.supersteps),
              format("%.1f", one.edges / 1e6),
              format("%.2f", all.edges / (double) one.edges),
              format("%.1f", millis),
              format("%.2f", Medians.median(all.millis) / millis),
              format("%.1e", difference(results.get(mode), results.get("every edge")))));
    }
    if (idle > 1) {
      double busy = all.edges / (double) idle;
      table.add(
          List.of(
              name,
              "every edge, not idle",
              Integer.toString(all.supersteps),
              format("%.1f", busy / 1e6),
              format("%.2f", busy / taken.get("deltas").edges),
              "",
              "",
              ""));
    }
  }

  private static double difference(Map<Long, double[]> one, Map<Long, double[]> other) {
    double most = 0;
    for (Map.Entry<Long, double[]> vertex : one.entrySet()) {
      double[] here = vertex.getValue();
      double[] there = other.get(vertex.getKey());
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
