package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.algorithm.support.Runs;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * Betweenness centrality from some sources: {@code b(v) = Σ σ(s, t | v) / σ(s, t)} over the sources
 * s ≠ v and all t ≠ v, where σ counts the shortest directed paths, and those through v. With all
 * vertices as sources it is exact; {@link #sampled} draws k of n at random, and n/k times the sum
 * is an estimate (Brandes, Pich: Centrality estimation in large networks, 2007). An undirected
 * graph has every edge in both directions and so counts every pair twice. Parallel edges are paths
 * of their own.
 *
 * <p>Brandes' algorithm (2001), two programs for each source. Forward: levels and numbers of paths;
 * each superstep evaluates the out-edges of a level. Backward: {@code δ(v) = Σ σ(v)/σ(w) · (1 +
 * δ(w))} over the edges v → w to the next level; a vertex sums up its δ, and tells it to its
 * predecessors once all its successors have told theirs, so each superstep evaluates the in-edges
 * of those that heard something. Numbers of paths are doubles. GraphX has no such algorithm.
 */
public class Betweenness {
  private static final int UNREACHED = Integer.MAX_VALUE;

  /** Only for classes with more ways in. */
  protected Betweenness() {}

  /**
   * A vertex in the forward sweep, and between both.
   *
   * @param total sum over the sources so far
   * @param level edges from the source
   * @param paths number of shortest paths from the source
   */
  @DefaultSerializer(RecordSerializer.class)
  protected record Forward(double total, int level, double paths) implements Serializable {}

  /**
   * A vertex in the backward sweep.
   *
   * @param level edges from the source
   * @param paths number of shortest paths from the source
   * @param waiting edges to successors that have not told their δ
   * @param delta its δ so far
   * @param toldAt superstep in which it was complete; 0: it is not
   */
  @DefaultSerializer(RecordSerializer.class)
  record Backward(int level, double paths, int waiting, double delta, int toldAt)
      implements Serializable {
    boolean leadsTo(Backward next) {
      return level != UNREACHED && next.level == level + 1;
    }
  }

  /**
   * What edges tell.
   *
   * @param waiting edges to wait for, less those that told
   * @param delta what these told
   */
  @DefaultSerializer(RecordSerializer.class)
  record Dependency(int waiting, double delta) implements Serializable {
    Dependency plus(Dependency other) {
      return new Dependency(waiting + other.waiting, delta + other.delta);
    }
  }

  /**
   * Runs on a resident graph.
   *
   * @param sources ids of vertices, each once
   * @throws IllegalArgumentException when a source is not a vertex or is given twice, or there is
   *     none
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, ?> graph, long[] sources, RunOptions options) {
    try (ResidentGraph<Forward, ?> swept = sweptButLast(graph, sources, options)) {
      return totals(ProgramBuilder.on(swept), last(sources), 1.0, options).runVertices();
    }
  }

  /**
   * An estimate for all vertices as sources: the sum over some, drawn uniformly without
   * replacement, times the number of vertices per drawn one.
   *
   * @param sources how many are drawn; as many as there are vertices: exact
   * @param seed of the draw, which depends on the ids alone beside it
   * @throws IllegalArgumentException when that is less than 1, or more than there are vertices
   */
  public static VertexResult<Double> sampled(
      ResidentGraph<?, ?> graph, int sources, long seed, RunOptions options) {
    long[] drawn = draw(graph, sources, seed, options);
    try (ResidentGraph<Forward, ?> swept = sweptButLast(graph, drawn, options)) {
      return totals(ProgramBuilder.on(swept), last(drawn), share(graph, drawn), options)
          .runVertices();
    }
  }

  /** Tells what the forward sweep from the first drawn source would do. */
  public static String explainSampled(
      ResidentGraph<?, ?> graph, int sources, long seed, RunOptions options) {
    return explain(graph, draw(graph, sources, seed, options), options);
  }

  /** Vertices per drawn one. */
  protected static double share(ResidentGraph<?, ?> graph, long[] drawn) {
    return (double) graph.vertexCount() / drawn.length;
  }

  /** The vertices whose mixed ids are the smallest. */
  protected static long[] draw(
      ResidentGraph<?, ?> graph, int sources, long seed, RunOptions options) {
    if (sources < 1 || sources > graph.vertexCount()) {
      throw new IllegalArgumentException(
          "sources to draw must be from 1 to the number of vertices, "
              + graph.vertexCount()
              + ", but got "
              + sources);
    }
    try (VertexResult<Long> mixed = mixed(ProgramBuilder.on(graph), seed, options).runVertices()) {
      return mixed.blocks().flatMap(Drawn::all).takeOrdered(sources).stream()
          .mapToLong(Drawn::id)
          .toArray();
    }
  }

  /** A vertex with its mixed id. */
  @DefaultSerializer(RecordSerializer.class)
  private record Drawn(long mixed, long id) implements Comparable<Drawn>, Serializable {
    @Override
    public int compareTo(Drawn other) {
      return Long.compare(mixed, other.mixed);
    }

    static Iterator<Drawn> all(VertexBlock block) {
      long[] values = (long[]) block.values();
      return IntStream.range(0, block.size())
          .mapToObj(i -> new Drawn(values[block.slot(i)], block.ids()[i]))
          .iterator();
    }
  }

  /** Mixed ids; nothing is sent. */
  static <VD, ED> ProgramBuilder<VD, ED, Long, Long, Long> mixed(
      ProgramBuilder<VD, ED, VD, Object, VD> on, long seed, RunOptions options) {
    return on.state((id, attribute, inDegree, outDegree) -> Mixing.mix(id, seed))
        .initialMessage(0L)
        .maxIterations(1)
        .vertexProgram((id, mixed, nothing) -> mixed)
        .sendMessage(edge -> {})
        .mergeMessage(Long::sum)
        .options(options);
  }

  /** Tells what the forward sweep from the first source would do. */
  public static String explain(ResidentGraph<?, ?> graph, long[] sources, RunOptions options) {
    Checks.vertices(graph, "source", sources, Integer.MAX_VALUE);
    try (ResidentGraph<Double, ?> zero = Runs.constant(graph, Double.class, 0.0)) {
      return forward(ProgramBuilder.on(zero), sources[0], options).explain();
    }
  }

  protected static long last(long[] sources) {
    return sources[sources.length - 1];
  }

  /** All sweeps but the last one backward. */
  protected static <E> ResidentGraph<Forward, E> sweptButLast(
      ResidentGraph<?, E> graph, long[] sources, RunOptions options) {
    Checks.vertices(graph, "source", sources, Integer.MAX_VALUE);
    ResidentGraph<Double, E> scores = Runs.constant(graph, Double.class, 0.0);
    try {
      for (int i = 0; ; i++) {
        try (VertexResult<Forward> levels =
            forward(ProgramBuilder.on(scores), sources[i], options).runVertices()) {
          if (i == sources.length - 1) {
            return scores.withVertices(levels, Forward.class);
          }
          try (ResidentGraph<Forward, E> swept = scores.withVertices(levels, Forward.class);
              VertexResult<Double> totals =
                  totals(ProgramBuilder.on(swept), sources[i], 1.0, options).runVertices()) {
            ResidentGraph<Double, E> next = scores.withVertices(totals, Double.class);
            scores.close();
            scores = next;
          }
        }
      }
    } finally {
      scores.close();
    }
  }

  /**
   * Levels and numbers of paths.
   *
   * @param on a graph whose attributes are the totals so far
   */
  static <ED> ProgramBuilder<Double, ED, Forward, Double, Forward> forward(
      ProgramBuilder<Double, ED, Double, Object, Double> on, long source, RunOptions options) {
    return on.state(
            (id, total, inDegree, outDegree) ->
                id == source ? new Forward(total, 0, 1.0) : new Forward(total, UNREACHED, 0.0))
        .initialMessage(0.0)
        .activeDirection(ActiveDirection.OUT)
        .vertexProgram(
            (id, vertex, paths, run) ->
                run.superstep() == 0 ? vertex : new Forward(vertex.total(), run.superstep(), paths))
        .sendMessage(
            (edge, run) -> {
              if (edge.srcAttr().level() == run.superstep() - 1
                  && edge.dstAttr().level() == UNREACHED) {
                edge.sendToDst(edge.srcAttr().paths());
              }
            })
        .mergeMessage(Double::sum)
        .options(options);
  }

  /**
   * Adds the dependencies on one source.
   *
   * @param on a graph whose attributes are those of the forward sweep
   * @param share what the sums are multiplied by in the end
   */
  protected static <ED> ProgramBuilder<Forward, ED, Backward, Dependency, Double> totals(
      ProgramBuilder<Forward, ED, Forward, Object, Forward> on,
      long source,
      double share,
      RunOptions options) {
    return on.state(
            (id, vertex, inDegree, outDegree) ->
                new Backward(vertex.level(), vertex.paths(), 0, 0.0, 0))
        .initialMessage(new Dependency(0, 0.0))
        .activeDirection(ActiveDirection.IN)
        .vertexProgram(
            (id, vertex, told, run) -> {
              if (run.superstep() == 0) {
                return vertex;
              }
              int waiting = vertex.waiting() + told.waiting();
              return new Backward(
                  vertex.level(),
                  vertex.paths(),
                  waiting,
                  vertex.delta() + told.delta(),
                  waiting == 0 ? run.superstep() : 0);
            })
        .sendMessage(
            (edge, run) -> {
              Backward from = edge.srcAttr();
              Backward to = edge.dstAttr();
              if (from.leadsTo(to)) {
                if (run.superstep() == 1) {
                  edge.sendToSrc(new Dependency(1, 0.0));
                  // Also those that wait for nobody must run.
                  edge.sendToDst(new Dependency(0, 0.0));
                } else if (to.toldAt() == run.superstep() - 1) {
                  edge.sendToSrc(
                      new Dependency(-1, from.paths() / to.paths() * (1.0 + to.delta())));
                }
              }
            })
        .mergeMessage(Dependency::plus)
        .result(
            (id, attribute, vertex) ->
                (attribute.total() + (id == source ? 0.0 : vertex.delta())) * share)
        .options(options);
  }
}
