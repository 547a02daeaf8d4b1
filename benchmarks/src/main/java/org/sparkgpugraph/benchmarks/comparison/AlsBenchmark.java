package org.sparkgpugraph.benchmarks.comparison;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.recommendation.ALS;
import org.apache.spark.mllib.recommendation.MatrixFactorizationModel;
import org.apache.spark.mllib.recommendation.Rating;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Alternating least squares beside Spark MLlib's, on generated ratings like MovieLens's: the same
 * rank, λ and iterations. Both begin with ratings that Spark has in memory. Prints the error on
 * ratings held out, the ratio of both, and times: the median over rounds, which take turns. With an
 * ε a change-driven run takes its turn, too; M edges are those that supersteps evaluate.
 *
 * <pre>
 * AlsBenchmark [ratings = 1000000] [rank = 10] [rounds = 3] [engine = cpu] [iterations = 10]
 *   [lambda = 0.05] [epsilon]
 * </pre>
 */
public final class AlsBenchmark {
  private static final int BLOCKS = 8;
  private static final long SEED = 42;

  /** Iterations between MLlib's checkpoints, in contexts that have a folder for them. */
  private static final int CHECKPOINTS = 4;

  /**
   * What a run comes to.
   *
   * @param seconds from the ratings to the factors, which executors hold
   * @param supersteps seconds of them; NaN where there are none
   * @param edges millions evaluated; NaN where none are
   * @param error root of the mean squared error of the ratings held out
   */
  record Learnt(double seconds, double supersteps, double edges, double error) {}

  private final JavaSparkContext sc;
  private final GeneratedRatings ratings;
  private final AlternatingLeastSquares.Conf conf;

  AlsBenchmark(JavaSparkContext sc, GeneratedRatings ratings, AlternatingLeastSquares.Conf conf) {
    this.sc = sc;
    this.ratings = ratings;
    this.conf = conf;
  }

  /** Runs it and prints a table; the first round is left out. */
  public static void main(String[] args) {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int rank = args.length > 1 ? Integer.parseInt(args[1]) : 10;
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 3;
    String engine = args.length > 3 ? args[3] : "cpu";
    int iterations = args.length > 4 ? Integer.parseInt(args[4]) : 10;
    double lambda = args.length > 5 ? Double.parseDouble(args[5]) : 0.05;
    double epsilon = args.length > 6 ? Double.parseDouble(args[6]) : Double.NaN;
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("AlsBenchmark")
            .set("spark.ui.enabled", "false");
    RunOptions options =
        RunOptions.DEFAULT
            .withEngine(EngineChoice.valueOf(engine.toUpperCase(Locale.ROOT)))
            .withFallback(RunOptions.Fallback.NEVER);
    GeneratedRatings ratings = GeneratedRatings.of(count, SEED);
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      System.out.printf(
          "%d ratings by %d users, %d held out; rank %d, lambda %s, %d iterations, engine %s%n",
          ratings.learnt(),
          ratings.userCount(),
          count - ratings.learnt(),
          rank,
          lambda,
          iterations,
          engine);
      AlternatingLeastSquares.Conf als = new AlternatingLeastSquares.Conf(rank, iterations, lambda);
      new AlsBenchmark(sc, ratings, als).measure(rounds, epsilon, options);
    }
  }

  private void measure(int rounds, double epsilon, RunOptions options) {
    JavaRDD<EdgeBlock> edges = edges();
    JavaRDD<Rating> rated = rated();
    List<Learnt> ours = new ArrayList<>();
    List<Learnt> theirs = new ArrayList<>();
    List<Learnt> changes = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      Learnt our = ours(edges, options);
      Learnt their = mllib(rated);
      if (round > 0) {
        ours.add(our);
        theirs.add(their);
      }
      if (!Double.isNaN(epsilon)) {
        Learnt change = deltas(edges, epsilon, options);
        if (round > 0) {
          changes.add(change);
        }
      }
    }
    double their = Medians.median(theirs.stream().map(Learnt::error).toList());
    double slow = Medians.median(theirs.stream().map(Learnt::seconds).toList());
    TextTable table =
        new TextTable("run", "error", "ratio", "s", "of that supersteps", "faster", "M edges");
    add(table, "MLlib", theirs, their, slow);
    add(table, "AlternatingLeastSquares", ours, their, slow);
    if (!changes.isEmpty()) {
      add(table, "… with deltas(" + epsilon + ")", changes, their, slow);
    }
    System.out.print(table);
  }

  private static void add(
      TextTable table, String name, List<Learnt> runs, double error, double slow) {
    double here = Medians.median(runs.stream().map(Learnt::error).toList());
    double seconds = Medians.median(runs.stream().map(Learnt::seconds).toList());
    double supersteps = Medians.median(runs.stream().map(Learnt::supersteps).toList());
    double edges = Medians.median(runs.stream().map(Learnt::edges).toList());
    table.add(
        List.of(
            name,
            format("%.5f", here),
            format("%.4f", here / error),
            format("%.2f", seconds),
            Double.isNaN(supersteps) ? "" : format("%.2f", supersteps),
            format("%.2f", slow / seconds),
            Double.isNaN(edges) ? "" : format("%.1f", edges)));
  }

  private static String format(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  JavaRDD<EdgeBlock> edges() {
    JavaRDD<EdgeBlock> edges =
        sc.parallelize(ratings.blocks(BLOCKS), BLOCKS).persist(StorageLevel.MEMORY_ONLY());
    edges.count();
    return edges;
  }

  JavaRDD<Rating> rated() {
    List<Rating> all = new ArrayList<>();
    for (int i = 0; i < ratings.learnt(); i++) {
      all.add(new Rating(ratings.users()[i], (int) ratings.item(i), ratings.ratings()[i]));
    }
    JavaRDD<Rating> rated = sc.parallelize(all, BLOCKS).persist(StorageLevel.MEMORY_ONLY());
    rated.count();
    return rated;
  }

  Learnt ours(JavaRDD<EdgeBlock> edges, RunOptions options) {
    return learnt(
        edges, options, graph -> AlternatingLeastSquares.run(graph, conf, SEED, options).factors());
  }

  private Learnt deltas(JavaRDD<EdgeBlock> edges, double epsilon, RunOptions options) {
    return learnt(
        edges,
        options,
        graph -> AlternatingLeastSquares.runDeltas(graph, conf, epsilon, SEED, options));
  }

  private Learnt learnt(
      JavaRDD<EdgeBlock> edges,
      RunOptions options,
      Function<ResidentGraph<Object, Double>, VertexResult<double[]>> run) {
    long start = System.nanoTime();
    try (ResidentGraph<Object, Double> graph = ResidentGraph.load(edges, Double.class, options);
        VertexResult<double[]> factors = run.apply(graph)) {
      double seconds = (System.nanoTime() - start) / 1e9;
      List<SuperstepStats> supersteps = factors.report().summary().supersteps();
      return new Learnt(
          seconds,
          supersteps.stream().mapToLong(SuperstepStats::nanos).sum() / 1e9,
          supersteps.stream().mapToLong(SuperstepStats::edgesEvaluated).sum() / 1e6,
          ratings.error(factors.collectAsMap()));
    }
  }

  Learnt mllib(JavaRDD<Rating> rated) {
    long start = System.nanoTime();
    MatrixFactorizationModel model =
        new ALS()
            .setRank(conf.rank())
            .setIterations(conf.iterations())
            .setLambda(conf.lambda())
            .setSeed(SEED)
            .setCheckpointInterval(CHECKPOINTS)
            .run(rated.rdd());
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<Long, double[]> factors = new HashMap<>();
    model
        .userFeatures()
        .toJavaRDD()
        .collect()
        .forEach(user -> factors.put(((Integer) user._1()).longValue(), user._2()));
    model
        .productFeatures()
        .toJavaRDD()
        .collect()
        .forEach(item -> factors.put(((Integer) item._1()).longValue(), item._2()));
    model.userFeatures().unpersist(false);
    model.productFeatures().unpersist(false);
    return new Learnt(seconds, Double.NaN, Double.NaN, ratings.error(factors));
  }
}
