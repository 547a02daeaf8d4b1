package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.assertj.core.data.Percentage;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.LabelPropagation;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.lib.TriangleCount;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** A graph, and programs of every kind on it: what clusters are compared by. */
enum Programs {
  /** A fixed number of supersteps in which every vertex runs. */
  RANKS {
    @Override
    VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options) {
      return PageRank.run(graph, RANK_ITERATIONS, PageRank.RESET_PROBABILITY, options);
    }

    @Override
    Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options) {
      return PageRank.runWithOptions(
          graph,
          RANK_ITERATIONS,
          PageRank.RESET_PROBABILITY,
          java.util.OptionalLong.empty(),
          true,
          options);
    }
  },
  /** Sums, until nothing changes by much. */
  CONVERGED_RANKS {
    @Override
    VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options) {
      return PageRank.runUntilConvergence(graph, TOLERANCE, PageRank.RESET_PROBABILITY, options);
    }

    @Override
    Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options) {
      return PageRank.runUntilConvergenceWithOptions(
          graph, TOLERANCE, PageRank.RESET_PROBABILITY, java.util.OptionalLong.empty(), options);
    }
  },
  /** Monotone, over ints. */
  LEVELS {
    @Override
    VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options) {
      return Bfs.run(graph, SOURCE, options);
    }

    @Override
    Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options) {
      return Bfs.run(graph, SOURCE, options);
    }
  },
  /** Monotone, in both directions, over longs. */
  COMPONENTS {
    @Override
    VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options) {
      return ConnectedComponents.runProgram(graph, Integer.MAX_VALUE, options);
    }

    @Override
    Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options) {
      return ConnectedComponents.runProgram(graph, Integer.MAX_VALUE, options);
    }
  },
  /** Most frequent messages, in both directions, with an aggregate that ends it. */
  LABELS {
    @Override
    VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options) {
      return LabelPropagation.run(graph, LABEL_STEPS, options);
    }

    @Override
    Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options) {
      return LabelPropagation.run(graph, LABEL_STEPS, options);
    }
  },
  /** Monotone, with the values of edges. */
  PATHS {
    @Override
    VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options) {
      return Sssp.run(graph, SOURCE, options);
    }

    @Override
    Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options) {
      return Sssp.run(graph, SOURCE, options);
    }
  },
  /** An operator, no vertex program: several rounds, in which shards say what they like. */
  TRIANGLES {
    @Override
    VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options) {
      return TriangleCount.run(graph, options);
    }

    @Override
    Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options) {
      return TriangleCount.run(graph, options);
    }
  },
  /** A user's: records, messages to both ends, a limit, the vertices' attributes. */
  TREES {
    @Override
    VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options) {
      return trees(GpuPregel.on(graph), options).runVertices();
    }

    @Override
    Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options) {
      return trees(GpuPregel.on(graph, Double.class, Double.class), options).run();
    }
  },
  /** A user's that looks things up: in an array that goes by a broadcast, in a map, in a set. */
  LOOKUPS {
    @Override
    VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options) {
      return lookups(GpuPregel.on(graph), options).runVertices();
    }

    @Override
    Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options) {
      return lookups(GpuPregel.on(graph, Double.class, Double.class), options).run();
    }
  };

  /** Where levels and paths begin. */
  static final long SOURCE = id(3);

  /** Supersteps of {@link #RANKS}. */
  static final int RANK_ITERATIONS = 12;

  private static final int LABEL_STEPS = 6;
  private static final double TOLERANCE = 0.02;
  private static final int TREE_ITERATIONS = 9;
  private static final int LOOKUP_ITERATIONS = 7;
  private static final int TABLE = 1 << 17;
  private static final long SEED = 20261120;
  private static final int CONNECTED = 520;
  private static final int PATH = 12;
  private static final int VERTICES = 600;
  private static final int EDGES = 2600;

  @SuppressWarnings("unchecked")
  private static final ClassTag<Double> DOUBLES =
      (ClassTag<Double>) (Object) ClassTag$.MODULE$.Double();

  /** Runs the program on a graph that executors hold. */
  abstract VertexResult<?> on(ResidentGraph<Double, Double> graph, RunOptions options);

  /** Runs the program on a GraphX graph. */
  abstract Graph<?, ?> on(Graph<Double, Double> graph, RunOptions options);

  /** The values on a graph that executors hold. */
  Map<Long, Object> values(ResidentGraph<Double, Double> graph, RunOptions options) {
    try (VertexResult<?> result = on(graph, options)) {
      return new HashMap<>(result.collectAsMap());
    }
  }

  /** The values on a GraphX graph. */
  Map<Long, Object> values(Graph<Double, Double> graph, RunOptions options) {
    Graph<?, ?> result = on(graph, options);
    try {
      return collect(result);
    } finally {
      result.unpersist(true);
    }
  }

  /** All vertices of a GraphX graph. */
  static Map<Long, Object> collect(Graph<?, ?> graph) {
    Map<Long, Object> values = new HashMap<>();
    for (Tuple2<Object, ?> vertex : graph.vertices().toJavaRDD().collect()) {
      assertThat(values.put((Long) vertex._1(), vertex._2())).isNull();
    }
    return values;
  }

  /** Checks values against others, whose sums may have been added in another order. */
  void assertSame(String what, Map<Long, Object> values, Map<Long, Object> expected) {
    if (this != RANKS && this != CONVERGED_RANKS) {
      assertThat(values).as("%s of %s", this, what).isEqualTo(expected);
      return;
    }
    assertThat(values.keySet()).as("%s of %s", this, what).isEqualTo(expected.keySet());
    Percentage rounding = Percentage.withPercentage(1e-8);
    values.forEach(
        (id, value) ->
            assertThat((double) value)
                .as("%s of %s at %d", this, what, id)
                .isCloseTo((double) expected.get(id), rounding));
  }

  /** Ids with gaps, below and above 0. */
  private static long id(int vertex) {
    return vertex * 31L - 5000;
  }

  /**
   * A graph in four parts: random edges with hubs, then a path that leads away from them, so that
   * distances are long, pairs, and a vertex that only has an edge to itself.
   */
  static Graph<Double, Double> graph(JavaSparkContext sc) {
    Random random = new Random(SEED);
    List<Edge<Double>> edges = new ArrayList<>();
    for (int e = 0; e < EDGES; e++) {
      // Squared: few vertices have many edges.
      int source = (int) (CONNECTED * Math.pow(random.nextDouble(), 2));
      edges.add(edge(source, random.nextInt(CONNECTED), random.nextInt(20)));
    }
    for (int v = CONNECTED; v < CONNECTED + PATH; v++) {
      edges.add(edge(v - (v == CONNECTED ? CONNECTED : 1), v, 0.5));
    }
    for (int v = CONNECTED + PATH; v < VERTICES - 1; v += 2) {
      edges.add(edge(v, v + 1, 1));
    }
    edges.add(edge(VERTICES, VERTICES, 1));
    edges.add(edge(3, 0, 1));
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    return Graph.fromEdges(sc.parallelize(edges, 5).rdd(), 0.25, level, level, DOUBLES, DOUBLES);
  }

  private static Edge<Double> edge(int source, int destination, double weight) {
    return new Edge<>(id(source), id(destination), weight);
  }

  /** The class tag of doubles, for stock GraphX. */
  static ClassTag<Double> doubles() {
    return DOUBLES;
  }

  /**
   * What a vertex knows.
   *
   * @param root the smallest id that a path of this length reaches
   * @param cost of that path
   * @param heard how many messages told something better
   */
  record Tree(long root, double cost, int heard) implements Serializable {}

  /**
   * A message.
   *
   * @param root of the sender
   * @param cost of the way through the sender
   */
  record Offer(long root, double cost) implements Serializable {}

  private static PregelBuilder<Double, Double, Double, Double, Double> lookups(
      PregelBuilder<Double, Double, Double, Object, Double> on, RunOptions options) {
    double[] costs = new double[TABLE];
    Arrays.setAll(costs, i -> i % 19 * 0.25);
    scala.collection.mutable.HashMap<Long, Double> starts =
        new scala.collection.mutable.HashMap<>();
    scala.collection.mutable.HashSet<Long> closed = new scala.collection.mutable.HashSet<>();
    for (int v = 0; v < VERTICES; v++) {
      if (v % 3 == 0) {
        starts.put(id(v), v % 40 * 1.5);
      } else if (v % 7 == 0) {
        closed.add(id(v));
      }
    }
    return on.options(options)
        .initialMessage(Double.POSITIVE_INFINITY)
        .activeDirection(EdgeDirection.Either())
        .maxIterations(LOOKUP_ITERATIONS)
        .vertexProgram(
            (id, least, message) ->
                Math.min(message, least == 0.25 && starts.contains(id) ? starts.apply(id) : least))
        .sendMessage(
            edge -> {
              int at = (int) (edge.srcId() * 31 + edge.dstId()) & (TABLE - 1);
              double there = edge.srcAttr() + costs[at];
              if (there < edge.dstAttr() && !closed.contains(edge.dstId())) {
                edge.sendToDst(there);
              }
            })
        .mergeMessage(Math::min);
  }

  static Offer better(Offer a, Offer b) {
    return a.root() < b.root() || a.root() == b.root() && a.cost() <= b.cost() ? a : b;
  }

  private static PregelBuilder<Double, Double, Tree, Offer, Tree> trees(
      PregelBuilder<Double, Double, Double, Object, Double> on, RunOptions options) {
    return on.options(options)
        .state((id, attribute, inDegree, outDegree) -> new Tree(id, attribute, outDegree))
        .initialMessage(new Offer(Long.MAX_VALUE, 0))
        .activeDirection(EdgeDirection.Either())
        .maxIterations(TREE_ITERATIONS)
        .vertexProgram(
            (id, tree, offer) ->
                offer.root() < tree.root()
                        || offer.root() == tree.root() && offer.cost() < tree.cost()
                    ? new Tree(offer.root(), offer.cost(), tree.heard() + 1)
                    : tree)
        .sendMessage(
            edge -> {
              double there = edge.srcAttr().cost() + edge.attr();
              if (edge.srcAttr().root() < edge.dstAttr().root()
                  || edge.srcAttr().root() == edge.dstAttr().root()
                      && there < edge.dstAttr().cost()) {
                edge.sendToDst(new Offer(edge.srcAttr().root(), there));
              }
              double back = edge.dstAttr().cost() + 2 * edge.attr();
              if (edge.dstAttr().root() < edge.srcAttr().root()
                  || edge.dstAttr().root() == edge.srcAttr().root()
                      && back < edge.srcAttr().cost()) {
                edge.sendToSrc(new Offer(edge.dstAttr().root(), back));
              }
            })
        .mergeMessage(Programs::better);
  }
}
