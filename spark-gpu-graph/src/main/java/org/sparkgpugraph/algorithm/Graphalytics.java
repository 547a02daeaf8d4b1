package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.engine.intersect.Measure;
import org.sparkgpugraph.engine.intersect.SortedIntersection;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.RunOptions;
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
public class Graphalytics {
  /** Depth of a vertex that breadth-first search does not reach. */
  public static final long UNREACHABLE = Long.MAX_VALUE;

  /** The damping factor that the benchmark's graphs prescribe. */
  public static final double DAMPING = 0.85;

  private static final String SINKS = "sinks";

  protected static final SortedIntersection LCC = new SortedIntersection(Measure.LINKED);

  /** Only for classes with more ways in. */
  protected Graphalytics() {}

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
   * Breadth-first search on a resident graph.
   *
   * @throws IllegalArgumentException when the source is not a vertex
   */
  public static VertexResult<Long> bfs(ResidentGraph<?, ?> graph, long source, RunOptions options) {
    Sources.check(graph, source);
    return bfsProgram(ProgramBuilder.on(graph), source, options).runVertices();
  }

  /** Tells what {@link #bfs(ResidentGraph, long, RunOptions)} would do. */
  public static String explainBfs(ResidentGraph<?, ?> graph, long source, RunOptions options) {
    Sources.check(graph, source);
    return bfsProgram(ProgramBuilder.on(graph), source, options).explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Integer, Integer, Long> bfsProgram(
      ProgramBuilder<VD, ED, VD, Object, VD> on, long source, RunOptions options) {
    return Bfs.program(on, source, Integer.MAX_VALUE, options)
        .result((id, attribute, level) -> level == Integer.MAX_VALUE ? UNREACHABLE : (long) level);
  }

  /**
   * PageRank on a resident graph.
   *
   * @param iterations at least 1
   * @param damping d, in [0, 1]
   */
  public static VertexResult<Double> pageRank(
      ResidentGraph<?, ?> graph, int iterations, double damping, RunOptions options) {
    return pageRankProgram(ProgramBuilder.on(graph), iterations, damping, options).runVertices();
  }

  /** Tells what {@link #pageRank(ResidentGraph, int, double, RunOptions)} would do. */
  public static String explainPageRank(
      ResidentGraph<?, ?> graph, int iterations, double damping, RunOptions options) {
    return pageRankProgram(ProgramBuilder.on(graph), iterations, damping, options).explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Ranked, Double, Double> pageRankProgram(
      ProgramBuilder<VD, ED, VD, Object, VD> on,
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

  /** Weakly connected components of a resident graph. */
  public static VertexResult<Long> wcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return ConnectedComponents.run(graph, Integer.MAX_VALUE, options);
  }

  /** Tells what {@link #wcc(ResidentGraph, RunOptions)} would do. */
  public static String explainWcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return ConnectedComponents.explain(graph, Integer.MAX_VALUE, options);
  }

  /**
   * Community detection on a resident graph.
   *
   * @param iterations at least 1
   */
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
   * Shortest paths on a resident graph, whose edge values are the weights.
   *
   * @param graph edge values are the weights
   * @throws IllegalArgumentException when the source is not a vertex, or a weight is negative or
   *     NaN
   */
  public static VertexResult<Double> sssp(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return Sssp.run(graph, source, options);
  }

  /** Tells what {@link #sssp(ResidentGraph, long, RunOptions)} would do. */
  public static String explainSssp(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return Sssp.explain(graph, source, Integer.MAX_VALUE, options);
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
