package org.sparkgpugraph.integration;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.lib.learning.AlternatingLeastSquares;
import org.sparkgpugraph.lib.learning.BeliefPropagation;
import org.sparkgpugraph.lib.learning.ManifoldRanking;
import org.sparkgpugraph.lib.learning.MultiModal;
import org.sparkgpugraph.lib.learning.SoftLabels;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** What learns from arrays, each on a small random graph of its own. */
enum Learning {
  /** Beliefs with one potential for all edges. */
  BELIEFS {
    @Override
    ResidentGraph<?, ?> load(JavaSparkContext sc, RunOptions options) {
      return GpuPregel.load(
          graph(sc, 1, Double.class, random -> 1.0), double[].class, Double.class, options);
    }

    @Override
    VertexResult<double[]> run(ResidentGraph<?, ?> graph, Convergence until, RunOptions options) {
      double[] potential = positive(new Random(7), K * K);
      return BeliefPropagation.run(vectors(graph), K, potential, until, options);
    }
  },
  /** Beliefs where every edge has a potential of its own. */
  BELIEFS_OF_EDGES {
    @Override
    ResidentGraph<?, ?> load(JavaSparkContext sc, RunOptions options) {
      return arrays(sc, 2, K * K, options);
    }

    @Override
    VertexResult<double[]> run(ResidentGraph<?, ?> graph, Convergence until, RunOptions options) {
      return BeliefPropagation.run(matrices(graph), K, until, options);
    }
  },
  LABELS {
    @Override
    ResidentGraph<?, ?> load(JavaSparkContext sc, RunOptions options) {
      return GpuPregel.load(
          graph(sc, 3, Double.class, Random::nextDouble), double[].class, Double.class, options);
    }

    @Override
    VertexResult<double[]> run(ResidentGraph<?, ?> graph, Convergence until, RunOptions options) {
      return SoftLabels.run(vectors(graph), K, 0.5, SoftLabels.Pull.FIRST, until, options);
    }
  },
  MODES {
    @Override
    ResidentGraph<?, ?> load(JavaSparkContext sc, RunOptions options) {
      return arrays(sc, 4, 2, options);
    }

    @Override
    VertexResult<double[]> run(ResidentGraph<?, ?> graph, Convergence until, RunOptions options) {
      double[] alpha = {0.01, -0.005};
      return MultiModal.run(matrices(graph), K, alpha, until, options);
    }
  },
  RANKINGS {
    @Override
    ResidentGraph<?, ?> load(JavaSparkContext sc, RunOptions options) {
      return arrays(sc, 5, K, options);
    }

    @Override
    VertexResult<double[]> run(ResidentGraph<?, ?> graph, Convergence until, RunOptions options) {
      return ManifoldRanking.run(matrices(graph), K, 0.5, until, options);
    }
  },
  FACTORS {
    @Override
    ResidentGraph<?, ?> load(JavaSparkContext sc, RunOptions options) {
      Random random = new Random(6);
      List<Edge<Double>> ratings = new ArrayList<>();
      for (int e = 0; e < 900; e++) {
        ratings.add(
            new Edge<>(
                2L * random.nextInt(80), 2L * random.nextInt(60) + 1, 1 + 4 * random.nextDouble()));
      }
      ClassTag<Double> tag = tag(Double.class);
      StorageLevel level = StorageLevel.MEMORY_ONLY();
      return GpuPregel.load(
          Graph.fromEdges(sc.parallelize(ratings, 3).rdd(), 0.0, level, level, tag, tag),
          Double.class,
          Double.class,
          options);
    }

    @Override
    @SuppressWarnings("unchecked") // as loaded
    VertexResult<double[]> run(ResidentGraph<?, ?> graph, Convergence until, RunOptions options) {
      ResidentGraph<Double, Double> ratings = (ResidentGraph<Double, Double>) graph;
      var conf = new AlternatingLeastSquares.Conf(4, until.maxIterations() / 2, 0.1);
      return until.isChangeDriven()
          ? AlternatingLeastSquares.runDeltas(ratings, conf, until.threshold(), 3, options)
          : AlternatingLeastSquares.run(ratings, conf, 3, options).factors();
    }
  };

  /** Numbers of a vertex. */
  static final int K = 3;

  private static final int VERTICES = 240;
  private static final int EDGES = 420;

  abstract ResidentGraph<?, ?> load(JavaSparkContext sc, RunOptions options);

  abstract VertexResult<double[]> run(
      ResidentGraph<?, ?> graph, Convergence until, RunOptions options);

  /**
   * The values by id.
   *
   * @param loaded as the graph was loaded: that of the messages of beliefs is loaded likewise
   */
  Map<Long, double[]> values(
      ResidentGraph<?, ?> graph, Convergence until, RunOptions loaded, RunObserver observer) {
    boolean beliefs = this == BELIEFS || this == BELIEFS_OF_EDGES;
    RunOptions options = (beliefs ? loaded : RunOptions.DEFAULT).withObserver(observer);
    try (VertexResult<double[]> result = run(graph, until, options)) {
      return new TreeMap<>(result.collectAsMap());
    }
  }

  private static double[] positive(Random random, int length) {
    return random.doubles(length).map(x -> 0.3 + x).toArray();
  }

  private static <T> ClassTag<T> tag(Class<T> type) {
    return ClassTag$.MODULE$.apply(type);
  }

  private static ResidentGraph<?, ?> arrays(
      JavaSparkContext sc, long seed, int length, RunOptions options) {
    return GpuPregel.load(
        graph(sc, seed, double[].class, random -> positive(random, length)),
        double[].class,
        double[].class,
        options);
  }

  /** Two vertices are connected by one edge at most, and some by none. */
  private static <E> Graph<double[], E> graph(
      JavaSparkContext sc, long seed, Class<E> type, Function<Random, E> edge) {
    Random random = new Random(seed);
    List<Tuple2<Object, double[]>> vertices = new ArrayList<>();
    for (int v = 0; v < VERTICES; v++) {
      vertices.add(new Tuple2<>(id(v), positive(random, K)));
    }
    List<Edge<E>> edges = new ArrayList<>();
    Set<Integer> pairs = new HashSet<>();
    while (edges.size() < EDGES) {
      int a = (int) (VERTICES * random.nextDouble() * random.nextDouble());
      int b = random.nextInt(VERTICES);
      if (a != b && pairs.add(Math.min(a, b) * VERTICES + Math.max(a, b))) {
        edges.add(new Edge<>(id(a), id(b), edge.apply(random)));
      }
    }
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    return Graph.apply(
        sc.parallelize(vertices, 3).rdd(),
        sc.parallelize(edges, 4).rdd(),
        null,
        level,
        level,
        tag(double[].class),
        tag(type));
  }

  private static long id(int vertex) {
    return 7L * vertex - 300;
  }

  @SuppressWarnings("unchecked") // as loaded
  private static ResidentGraph<double[], Double> vectors(ResidentGraph<?, ?> graph) {
    return (ResidentGraph<double[], Double>) graph;
  }

  @SuppressWarnings("unchecked") // as loaded
  private static ResidentGraph<double[], double[]> matrices(ResidentGraph<?, ?> graph) {
    return (ResidentGraph<double[], double[]>) graph;
  }
}
