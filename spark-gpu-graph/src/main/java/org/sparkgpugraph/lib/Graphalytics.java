package org.sparkgpugraph.lib;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.engine.intersect.Measure;
import org.sparkgpugraph.engine.intersect.SortedIntersection;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.lib.support.Checks;
import org.sparkgpugraph.lib.support.Internals;
import org.sparkgpugraph.lib.support.Runs;
import org.sparkgpugraph.lib.support.Sources;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * The algorithms of the LDBC Graphalytics benchmark, with the values that its specification
 * (version 1.0) prescribes: breadth-first search, PageRank, weakly connected components, community
 * detection by label propagation, single-source shortest paths, local clustering coefficients. An
 * undirected graph has every edge in both directions.
 *
 * <p>What differs from this package's other algorithms is said with each. Isolated vertices are
 * vertices: load them with the edges.
 */
public final class Graphalytics {
  /** Depth of a vertex that breadth-first search does not reach. */
  public static final long UNREACHABLE = Long.MAX_VALUE;

  /** The damping factor that the benchmark's graphs prescribe. */
  public static final double DAMPING = 0.85;

  private static final String SINKS = "sinks";

  private static final SortedIntersection LCC = new SortedIntersection(Measure.LINKED);

  private Graphalytics() {}

  /**
   * A vertex while PageRank runs.
   *
   * @param rank its rank
   * @param share what each successor gets: rank / outDegree, 0 without out-edges
   * @param outDegree number of out-edges
   */
  @DefaultSerializer(RecordSerializer.class)
  record Ranked(double rank, double share, int outDegree) implements Serializable {}

  /**
   * Breadth-first search: the number of edges on the shortest path over out-edges, {@link
   * #UNREACHABLE} where there is none. {@link Bfs} with another result.
   *
   * @throws IllegalArgumentException when the source is not a vertex
   */
  @SuppressWarnings("unchecked") // edges keep their attributes
  public static <ED> Graph<Long, ED> bfs(Graph<?, ED> graph, long source, RunOptions options) {
    try (ResidentGraph<Object, Object> resident = Runs.load(graph, Object.class, options)) {
      Sources.check(resident, source);
      return (Graph<Long, ED>)
          bfsProgram(GpuPregel.on(resident), source, Sources.loaded(options)).run();
    }
  }

  /** Breadth-first search on a resident graph. */
  public static VertexResult<Long> bfs(ResidentGraph<?, ?> graph, long source, RunOptions options) {
    Sources.check(graph, source);
    return bfsProgram(GpuPregel.on(graph), source, options).runVertices();
  }

  /** Tells what {@link #bfs(ResidentGraph, long, RunOptions)} would do. */
  public static String explainBfs(ResidentGraph<?, ?> graph, long source, RunOptions options) {
    Sources.check(graph, source);
    return bfsProgram(GpuPregel.on(graph), source, options).explain();
  }

  static <VD, ED> PregelBuilder<VD, ED, Integer, Integer, Long> bfsProgram(
      PregelBuilder<VD, ED, VD, Object, VD> on, long source, RunOptions options) {
    return Bfs.program(on, source, Integer.MAX_VALUE, options)
        .result((id, attribute, level) -> level == Integer.MAX_VALUE ? UNREACHABLE : (long) level);
  }

  /**
   * PageRank with the ranks of sinks spread over all vertices, a fixed number of times from {@code
   * 1/n}: {@code rank(v) = (1 − d)/n + d · Σ rank(u)/outDegree(u) + d/n · Σ rank(w)}, the first sum
   * over the in-edges, the second over the vertices without out-edges. The ranks' sum is 1. Every
   * superstep evaluates all edges.
   *
   * <p>{@link PageRank}, as GraphX's, starts at 1, keeps what sinks have, and scales the ranks to
   * the number of vertices in the end.
   *
   * @param iterations at least 1
   * @param damping d, in [0, 1]
   */
  public static Graph<Double, Object> pageRank(
      Graph<?, ?> graph, int iterations, double damping, RunOptions options) {
    return pageRankProgram(
            GpuPregel.on(graph, Object.class, Object.class), iterations, damping, options)
        .run();
  }

  /** PageRank on a resident graph. */
  public static VertexResult<Double> pageRank(
      ResidentGraph<?, ?> graph, int iterations, double damping, RunOptions options) {
    return pageRankProgram(GpuPregel.on(graph), iterations, damping, options).runVertices();
  }

  /** Tells what {@link #pageRank(ResidentGraph, int, double, RunOptions)} would do. */
  public static String explainPageRank(
      ResidentGraph<?, ?> graph, int iterations, double damping, RunOptions options) {
    return pageRankProgram(GpuPregel.on(graph), iterations, damping, options).explain();
  }

  static <VD, ED> PregelBuilder<VD, ED, Ranked, Double, Double> pageRankProgram(
      PregelBuilder<VD, ED, VD, Object, VD> on,
      int iterations,
      double damping,
      RunOptions options) {
    Checks.iterations(iterations);
    Checks.probability("Damping factor", damping);
    return on.state((id, attribute, inDegree, outDegree) -> new Ranked(0.0, 0.0, outDegree))
        .everyVertex(0.0)
        .initialMessage(0.0)
        .maxIterations(iterations)
        .vertexProgram(
            (id, vertex, sum, run) -> {
              double n = run.vertexCount();
              double rank =
                  run.superstep() == 0
                      ? 1.0 / n
                      : (1.0 - damping) / n + damping * sum + damping / n * run.aggregate(SINKS);
              int outDegree = vertex.outDegree();
              return new Ranked(rank, outDegree == 0 ? 0.0 : rank / outDegree, outDegree);
            })
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr().share()))
        .mergeMessage(Double::sum)
        .aggregate(
            SINKS,
            AggregateOperation.SUM,
            (id, before, after) -> after.outDegree() == 0 ? after.rank() : 0.0)
        .result((id, attribute, vertex) -> vertex.rank())
        .options(options);
  }

  /**
   * Weakly connected components, labelled with their smallest id: {@link ConnectedComponents}. The
   * benchmark accepts any labels.
   */
  public static <ED> Graph<Long, ED> wcc(Graph<?, ED> graph, RunOptions options) {
    return ConnectedComponents.run(graph, Integer.MAX_VALUE, options);
  }

  /** Weakly connected components of a resident graph. */
  public static VertexResult<Long> wcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return ConnectedComponents.run(graph, Integer.MAX_VALUE, options);
  }

  /** Tells what {@link #wcc(ResidentGraph, RunOptions)} would do. */
  public static String explainWcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return ConnectedComponents.explain(graph, Integer.MAX_VALUE, options);
  }

  /**
   * Community detection by label propagation (CDLP): a vertex starts with its id as its label, and
   * in each iteration all take, at the same time, the label that is most frequent among their
   * neighbours, of several the smallest. Neighbours are those of in- and of out-edges; who is both
   * counts twice. {@link LabelPropagation}, which has the same rules.
   *
   * <p>In an undirected graph, which has every edge in both directions, all count twice: the result
   * is that of counting once.
   *
   * @param iterations at least 1
   */
  public static <ED> Graph<Long, ED> cdlp(Graph<?, ED> graph, int iterations, RunOptions options) {
    Checks.iterations(iterations);
    return LabelPropagation.run(graph, iterations, options);
  }

  /** Community detection on a resident graph. */
  public static VertexResult<Long> cdlp(
      ResidentGraph<?, ?> graph, int iterations, RunOptions options) {
    Checks.iterations(iterations);
    return LabelPropagation.run(graph, iterations, options);
  }

  /** Tells what {@link #cdlp(ResidentGraph, int, RunOptions)} would do. */
  public static String explainCdlp(ResidentGraph<?, ?> graph, int iterations, RunOptions options) {
    Checks.iterations(iterations);
    return LabelPropagation.explain(graph, iterations, options);
  }

  /**
   * Lengths of the shortest paths over out-edges, {@link Double#POSITIVE_INFINITY} where there is
   * none: {@link Sssp}.
   *
   * @param graph edge attributes are the weights
   * @throws IllegalArgumentException when the source is not a vertex, or a weight is negative or
   *     NaN
   */
  public static Graph<Double, Double> sssp(
      Graph<?, Double> graph, long source, RunOptions options) {
    return Sssp.run(graph, source, options);
  }

  /** Shortest paths on a resident graph, whose edge values are the weights. */
  public static VertexResult<Double> sssp(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return Sssp.run(graph, source, options);
  }

  /** Tells what {@link #sssp(ResidentGraph, long, RunOptions)} would do. */
  public static String explainSssp(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return Sssp.explain(graph, source, Integer.MAX_VALUE, options);
  }

  /**
   * The local clustering coefficient: of the {@code d · (d − 1)} directed edges that there can be
   * among a vertex's d neighbours the share that there is; 0 where {@code d < 2}. Neighbours are
   * the ends of in-edges and out-edges, each once, without the vertex itself. An operator, no
   * vertex program: {@link org.sparkgpugraph.Neighborhoods} tells what it costs.
   */
  public static <ED> Graph<Double, ED> lcc(Graph<?, ED> graph, RunOptions options) {
    return GraphXRuns.run(
        OperatorJob.on(GraphXSource.of(graph, Object.class, Object.class), LCC, options));
  }

  /** The local clustering coefficients of a resident graph. */
  public static VertexResult<Double> lcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return Internals.run(graph, LCC, options);
  }

  /** Tells how {@link #lcc(ResidentGraph, RunOptions)} would run. */
  public static String explainLcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return Internals.explain(graph, LCC, options);
  }
}
