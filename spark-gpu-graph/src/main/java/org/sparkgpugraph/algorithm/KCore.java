package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.cores.PeelingOperator;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.AggregateAtMost;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * Cores of an undirected graph: the k-core is the largest set of vertices that have at least k
 * edges to one another; the coreness of a vertex is the largest k whose core it is in (Seidman
 * 1983). The graph has every edge in both directions, which one superstep over the in-edges checks
 * first. Parallel edges count as often as they are there, self-loops do not count.
 *
 * <p>A graph in one piece, that one executor holds in one partition, is peeled by an operator
 * ({@link PeelingOperator}), on a GPU in one launch: every edge is looked at once. An edge to what
 * is not a vertex does not count then.
 *
 * <p>Over several executors or GPUs, under {@code spark.gpugraph.kernel} other than auto, and on
 * stock GraphX it is a vertex program. That of {@link #run} has a vertex with fewer than k edges
 * left go and tell its neighbours; each superstep evaluates the out-edges of those whose degree
 * changed. That of {@link #coreness} peels for k = 0, 1, 2, …; every superstep walks all edges, and
 * there are as many as all peelings together need, at least one per k that occurs, and one more for
 * each. GraphX has no such algorithm.
 */
public class KCore {
  private static final String LEFT = "left";

  private static final String GONE = "gone";

  private static final String LEAST = "least";

  /** Only for classes with more ways in. */
  protected KCore() {}

  /**
   * A vertex while it is peeled.
   *
   * @param degree edges to vertices that are left; −1: not counted yet
   * @param goneAt superstep in which it went; 0: it did not
   */
  @DefaultSerializer(RecordSerializer.class)
  record Peeled(int degree, int goneAt) implements Serializable {}

  /**
   * A vertex while all cores are peeled.
   *
   * @param degree edges to vertices that are left
   * @param core k that is being peeled, or its own once it went
   * @param goneAt superstep in which it went; 0: it did not
   */
  @DefaultSerializer(RecordSerializer.class)
  record Cored(int degree, int core, int goneAt) implements Serializable {}

  /**
   * The k-core of a resident graph.
   *
   * @param k at least 1
   * @throws IllegalArgumentException when k is less than 1, or an edge has no reverse
   */
  public static VertexResult<Integer> run(ResidentGraph<?, ?> graph, int k, RunOptions options) {
    check(k);
    Undirected.require(graph, "k-core", options);
    return Internals.isInOnePiece(graph, options)
        ? Internals.result(peeling(graph, k, options).runVertices())
        : program(ProgramBuilder.on(graph), k, options).runVertices();
  }

  /** Tells what {@link #run(ResidentGraph, int, RunOptions)} would do, once it has checked. */
  public static String explain(ResidentGraph<?, ?> graph, int k, RunOptions options) {
    check(k);
    return Internals.isInOnePiece(graph, options)
        ? peeling(graph, k, options).explain()
        : program(ProgramBuilder.on(graph), k, options).explain()
            + Internals.whyProgram(graph, options);
  }

  /**
   * The operator's run on a graph.
   *
   * @param k as {@link PeelingOperator#k} has it
   */
  protected static OperatorJob peeling(ResidentGraph<?, ?> graph, int k, RunOptions options) {
    // Turned round it has the same cores.
    return OperatorJob.on(Internals.view(graph).forward(), new PeelingOperator(k), options);
  }

  protected static void check(int k) {
    if (k < 1) {
      throw new IllegalArgumentException("k must be at least 1, but got " + k);
    }
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Peeled, Integer, Integer> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on, int k, RunOptions options) {
    check(k);
    return on.state((id, attribute, inDegree, outDegree) -> new Peeled(-1, 0))
        .initialMessage(0)
        .activeDirection(ActiveDirection.OUT)
        .vertexProgram(
            (id, vertex, edges, run) -> {
              if (run.superstep() == 0 || vertex.goneAt() > 0) {
                return vertex;
              }
              int degree = run.superstep() == 1 ? edges : vertex.degree() - edges;
              return new Peeled(degree, degree < k ? run.superstep() : 0);
            })
        .sendMessage(
            (edge, run) -> {
              // First the edges are counted, then those of whoever has just gone taken away.
              boolean counts =
                  run.superstep() == 1
                      || edge.srcAttr().goneAt() == run.superstep() - 1
                          && edge.dstAttr().goneAt() == 0;
              if (counts && edge.srcId() != edge.dstId()) {
                edge.sendToDst(1);
              }
            })
        .mergeMessage(Integer::sum)
        .result(
            (id, attribute, vertex) ->
                vertex.goneAt() == 0 && vertex.degree() >= k ? vertex.degree() : 0)
        .options(options);
  }

  /**
   * The coreness of every vertex of a resident graph.
   *
   * @throws IllegalArgumentException when an edge has no reverse
   */
  public static VertexResult<Integer> coreness(ResidentGraph<?, ?> graph, RunOptions options) {
    Undirected.require(graph, "coreness", options);
    return Internals.isInOnePiece(graph, options)
        ? Internals.result(peeling(graph, PeelingOperator.ALL, options).runVertices())
        : corenessProgram(ProgramBuilder.on(graph), options).runVertices();
  }

  /** Tells what {@link #coreness(ResidentGraph, RunOptions)} would do, once it has checked. */
  public static String explainCoreness(ResidentGraph<?, ?> graph, RunOptions options) {
    return Internals.isInOnePiece(graph, options)
        ? peeling(graph, PeelingOperator.ALL, options).explain()
        : corenessProgram(ProgramBuilder.on(graph), options).explain()
            + Internals.whyProgram(graph, options);
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Cored, Integer, Integer> corenessProgram(
      ProgramBuilder<VD, ED, VD, Object, VD> on, RunOptions options) {
    return on.state((id, attribute, inDegree, outDegree) -> new Cored(0, 0, 0))
        .everyVertex(0)
        .vertexProgram(
            (id, vertex, edges, run) -> {
              if (vertex.goneAt() > 0) {
                return vertex;
              }
              if (run.superstep() == 1) {
                return new Cored(edges, 0, 0);
              }
              // What went in the last superstep may pull others below k: k grows when none did.
              int k = vertex.core();
              if (run.aggregate(GONE) == 0) {
                k = Math.max(k, (int) run.aggregate(LEAST));
              }
              int degree = vertex.degree() - edges;
              return new Cored(degree, k, degree <= k ? run.superstep() : 0);
            })
        .sendMessage(
            (edge, run) -> {
              boolean counts =
                  run.superstep() == 1 || edge.srcAttr().goneAt() == run.superstep() - 1;
              if (counts && edge.srcId() != edge.dstId()) {
                edge.sendToDst(1);
              }
            })
        .mergeMessage(Integer::sum)
        .aggregate(
            LEFT, AggregateOperation.SUM, (id, before, after) -> after.goneAt() == 0 ? 1.0 : 0.0)
        .aggregate(
            GONE,
            AggregateOperation.SUM,
            (id, before, after) -> after.goneAt() != before.goneAt() ? 1.0 : 0.0)
        .aggregate(
            LEAST,
            AggregateOperation.MIN,
            (id, before, after) -> after.goneAt() == 0 ? after.degree() : Double.POSITIVE_INFINITY)
        .stopWhen(new AggregateAtMost(LEFT, 0, 0, 1))
        .result((id, attribute, vertex) -> vertex.core())
        .options(options);
  }
}
