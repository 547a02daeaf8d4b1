package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Runs;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import scala.Tuple2;

/**
 * Breadth-first searches from up to {@value #WIDTH} sources at once: which of them reach a vertex
 * over directed edges, and the sum of the numbers of edges from those that do. Closeness and
 * harmonic measures by sampled sources, reachability and diameters are made of it.
 *
 * <p>A vertex keeps a bit per source, messages are merged by OR (Then and others: The more the
 * merrier, efficient multi-source graph traversal, VLDB 2014): searches that meet share their
 * edges. As many supersteps as the deepest search has levels, each evaluating the out-edges of the
 * vertices that a search has just reached. GraphX has no such algorithm.
 */
public class MultiSourceBfs {
  /** Sources of one run. */
  public static final int WIDTH = 64;

  /** Only for classes with more ways in. */
  protected MultiSourceBfs() {}

  /**
   * Result.
   *
   * @param sources bit i is set when source i reaches the vertex; every source reaches itself
   * @param distances sum over these of the edges on the shortest path
   */
  @DefaultSerializer(RecordSerializer.class)
  public record Reached(long sources, long distances) implements Serializable {
    /** How many sources reach the vertex. */
    public int count() {
      return Long.bitCount(sources);
    }
  }

  /**
   * A vertex while it runs.
   *
   * @param seen sources that reach it
   * @param fresh those that have just done so
   * @param distances sum of their distances
   */
  @DefaultSerializer(RecordSerializer.class)
  record Searched(long seen, long fresh, long distances) implements Serializable {}

  /**
   * Runs on a resident graph.
   *
   * @param sources ids of vertices, each once, at most {@value #WIDTH}
   * @throws IllegalArgumentException when a source is not a vertex or is given twice, or there are
   *     none or more
   */
  public static VertexResult<Reached> run(
      ResidentGraph<?, ?> graph, long[] sources, RunOptions options) {
    try (ResidentGraph<Long, ?> marked = marked(graph, sources)) {
      return program(ProgramBuilder.on(marked), options).runVertices();
    }
  }

  /** Tells what {@link #run(ResidentGraph, long[], RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, long[] sources, RunOptions options) {
    try (ResidentGraph<Long, ?> marked = marked(graph, sources)) {
      return program(ProgramBuilder.on(marked), options).explain();
    }
  }

  /** The graph with a source's bit as its attribute. */
  protected static <E> ResidentGraph<Long, E> marked(ResidentGraph<?, E> graph, long[] sources) {
    Checks.vertices(graph, "source", sources, WIDTH);
    List<Tuple2<Long, Long>> bits = new ArrayList<>();
    for (int i = 0; i < sources.length; i++) {
      bits.add(new Tuple2<>(sources[i], 1L << i));
    }
    return Runs.with(graph, bits, Long.class, 0L);
  }

  protected static <ED> ProgramBuilder<Long, ED, Searched, Long, Reached> program(
      ProgramBuilder<Long, ED, Long, Object, Long> on, RunOptions options) {
    return on.state((id, bit, inDegree, outDegree) -> new Searched(bit, bit, 0L))
        .initialMessage(0L)
        .activeDirection(ActiveDirection.OUT)
        .vertexProgram(
            (id, vertex, sources, run) ->
                run.superstep() == 0
                    ? vertex
                    : new Searched(
                        vertex.seen() | sources,
                        sources,
                        vertex.distances() + (long) run.superstep() * Long.bitCount(sources)))
        .sendMessage(
            edge -> {
              long news = edge.srcAttr().fresh() & ~edge.dstAttr().seen();
              if (news != 0) {
                edge.sendToDst(news);
              }
            })
        .mergeMessage((left, right) -> left | right)
        .result((id, bit, vertex) -> new Reached(vertex.seen(), vertex.distances()))
        .options(options);
  }
}
