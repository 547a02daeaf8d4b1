package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.strong.StrongComponentsOperator;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * Labels every vertex with the smallest id of its strongly connected component ({@code
 * org.apache.spark.graphx.lib.StronglyConnectedComponents}).
 *
 * <p>Where one executor holds the graph in one partition, and the iterations are not bounded below
 * what is always enough, it is an operator ({@link StrongComponentsOperator}), on a GPU in one
 * launch: it trims, finds the component of a vertex of many edges, and the rest by colours. An edge
 * to what is not a vertex joins nothing.
 *
 * <p>Elsewhere, under {@code spark.gpugraph.kernel} other than auto, and on stock GraphX it is
 * programs: colouring, as GraphX does it (Yan and others: Pregel algorithms for graph connectivity
 * problems with performance guarantees, VLDB 2014). An iteration is three programs: trim what has
 * no in-edge or no out-edge left, again and again; give every vertex the smallest id among those
 * that reach it; from each vertex that kept its own id walk back through its colour: what is
 * reached is a component. Each evaluates the edges of the vertices that changed. Trimming needs as
 * many supersteps as the longest chain that is trimmed, the others as many as the longest of the
 * paths they follow. GraphX trims in whole passes over the graph instead.
 *
 * <p>A bound on the iterations counts as GraphX's: the components of the last one are not seen, so
 * that with one iteration every vertex keeps its id. What is not done then has its own id.
 */
public class StronglyConnectedComponents {
  /** Only for classes with more ways in. */
  protected StronglyConnectedComponents() {}

  /**
   * A vertex between the programs.
   *
   * @param component its component when done, else the smallest id known to reach it
   * @param done whether its component is known
   */
  @DefaultSerializer(RecordSerializer.class)
  protected record Labelled(long component, boolean done) implements Serializable {}

  /**
   * A vertex while the graph is trimmed.
   *
   * @param component its component when done
   * @param done whether its component is known
   * @param in in-edges from vertices that are not done; −1: not counted yet
   * @param out out-edges to such
   * @param trimmedAt superstep in which it was trimmed, 0: it was not
   */
  @DefaultSerializer(RecordSerializer.class)
  record Trimmed(long component, boolean done, int in, int out, int trimmedAt)
      implements Serializable {}

  /**
   * Edges counted, or edges that went with a vertex that was trimmed.
   *
   * @param in in-edges of the receiver
   * @param out its out-edges
   */
  @DefaultSerializer(RecordSerializer.class)
  record Edges(int in, int out) implements Serializable {
    Edges plus(Edges other) {
      return new Edges(in + other.in, out + other.out);
    }
  }

  /**
   * Runs on a resident graph.
   *
   * @param numIter at least 1; the number of components on the longest chain of them, and 1, is
   *     always enough
   */
  public static VertexResult<Long> run(ResidentGraph<?, ?> graph, int numIter, RunOptions options) {
    Checks.iterations(numIter);
    if (isOperator(graph, numIter, options)) {
      return Internals.result(operator(graph, options).runVertices());
    }
    try (ResidentGraph<Labelled, ?> labelled = labelled(graph, numIter, options)) {
      return components(ProgramBuilder.on(labelled), options).runVertices();
    }
  }

  /**
   * Tells what a run without a bound on the iterations would do: the operator, or the first
   * program, which trims.
   */
  public static String explain(ResidentGraph<?, ?> graph, RunOptions options) {
    if (isOperator(graph, Integer.MAX_VALUE, options)) {
      return operator(graph, options).explain();
    }
    try (ResidentGraph<Labelled, ?> fresh = fresh(graph, options)) {
      return trim(ProgramBuilder.on(fresh), options).explain()
          + Internals.whyProgram(graph, options);
    }
  }

  /** Whether the operator does it: nobody sees how many iterations a program would have taken. */
  protected static boolean isOperator(ResidentGraph<?, ?> graph, int numIter, RunOptions options) {
    return Internals.isInOnePiece(graph, options)
        && numIter > Internals.state(graph).handle().vertices();
  }

  /** Turned round it has the same components. */
  protected static OperatorJob operator(ResidentGraph<?, ?> graph, RunOptions options) {
    return OperatorJob.on(Internals.view(graph).forward(), new StrongComponentsOperator(), options);
  }

  protected static <E> ResidentGraph<Labelled, E> labelled(
      ResidentGraph<?, E> graph, int numIter, RunOptions options) {
    ResidentGraph<Labelled, E> now = fresh(graph, options);
    try {
      for (int iteration = 1; ; iteration++) {
        try (VertexResult<Labelled> trimmed = trim(ProgramBuilder.on(now), options).runVertices()) {
          now = replaced(now, trimmed);
        }
        // What the last iteration would find nobody would see.
        if (iteration == numIter) {
          return now;
        }
        try (VertexResult<Labelled> coloured =
            colour(ProgramBuilder.on(now), options).runVertices()) {
          if (left(coloured) == 0) {
            return now;
          }
          now = replaced(now, coloured);
        }
        try (VertexResult<Labelled> walked =
            walkBack(ProgramBuilder.on(now), options).runVertices()) {
          now = replaced(now, walked);
        }
      }
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      now.close();
      throw e;
    }
  }

  /** How many vertices were not done when superstep 0 ran all of them. */
  private static double left(VertexResult<Labelled> coloured) {
    return coloured.report().summary().supersteps().get(0).aggregates()[0];
  }

  private static <E> ResidentGraph<Labelled, E> fresh(
      ResidentGraph<?, E> graph, RunOptions options) {
    try (VertexResult<Labelled> start =
        ProgramBuilder.on(graph)
            .state((id, attribute, inDegree, outDegree) -> new Labelled(id, false))
            .initialMessage(false)
            .maxIterations(1)
            .vertexProgram((id, value, message) -> value)
            .sendMessage(edge -> {})
            .mergeMessage(Boolean::logicalOr)
            .options(options)
            .runVertices()) {
      return graph.withVertices(start, Labelled.class);
    }
  }

  /** Takes a result as attributes; those before it are freed. */
  private static <E> ResidentGraph<Labelled, E> replaced(
      ResidentGraph<Labelled, E> graph, VertexResult<Labelled> values) {
    ResidentGraph<Labelled, E> next = graph.withVertices(values, Labelled.class);
    graph.close();
    return next;
  }

  /** Makes every vertex done that is on no cycle of those that are not. */
  static <ED> ProgramBuilder<Labelled, ED, Trimmed, Edges, Labelled> trim(
      ProgramBuilder<Labelled, ED, Labelled, Object, Labelled> on, RunOptions options) {
    return on.state(
            (id, label, inDegree, outDegree) ->
                new Trimmed(label.component(), label.done(), -1, -1, 0))
        .initialMessage(new Edges(0, 0))
        .activeDirection(ActiveDirection.EITHER)
        .vertexProgram(
            (id, vertex, edges, run) -> {
              if (run.superstep() == 0 || vertex.done()) {
                return vertex;
              }
              boolean counted = run.superstep() == 1;
              int in = counted ? edges.in() : vertex.in() - edges.in();
              int out = counted ? edges.out() : vertex.out() - edges.out();
              boolean alone = in == 0 || out == 0;
              return new Trimmed(id, alone, in, out, alone ? run.superstep() : 0);
            })
        .sendMessage(
            (edge, run) -> {
              Trimmed source = edge.srcAttr();
              Trimmed destination = edge.dstAttr();
              if (run.superstep() == 1) {
                if (!source.done() && !destination.done()) {
                  edge.sendToSrc(new Edges(0, 1));
                  edge.sendToDst(new Edges(1, 0));
                }
              } else {
                int before = run.superstep() - 1;
                if (source.trimmedAt() == before && !destination.done()) {
                  edge.sendToDst(new Edges(1, 0));
                }
                if (destination.trimmedAt() == before && !source.done()) {
                  edge.sendToSrc(new Edges(0, 1));
                }
              }
            })
        .mergeMessage(Edges::plus)
        .result(
            (id, label, vertex) ->
                // Without a message there is no edge left.
                vertex.done() || vertex.in() >= 0 && vertex.trimmedAt() == 0
                    ? new Labelled(vertex.component(), vertex.done())
                    : new Labelled(id, true))
        .options(options);
  }

  /** Gives the vertices that are not done the smallest id that reaches them. */
  static <ED> ProgramBuilder<Labelled, ED, Labelled, Long, Labelled> colour(
      ProgramBuilder<Labelled, ED, Labelled, Object, Labelled> on, RunOptions options) {
    return on.state(
            (id, label, inDegree, outDegree) ->
                new Labelled(label.done() ? label.component() : id, label.done()))
        .initialMessage(Long.MAX_VALUE)
        .activeDirection(ActiveDirection.OUT)
        .vertexProgram(
            (id, label, least) -> new Labelled(Math.min(label.component(), least), label.done()))
        .sendMessage(
            edge -> {
              if (!edge.srcAttr().done()
                  && !edge.dstAttr().done()
                  && edge.srcAttr().component() < edge.dstAttr().component()) {
                edge.sendToDst(edge.srcAttr().component());
              }
            })
        .mergeMessage(Math::min)
        .aggregate("left", AggregateOperation.SUM, (id, before, after) -> after.done() ? 0.0 : 1.0)
        .options(options);
  }

  /**
   * Makes those done that the root of their colour can be reached from.
   *
   * @param on a coloured graph
   */
  static <ED> ProgramBuilder<Labelled, ED, Labelled, Boolean, Labelled> walkBack(
      ProgramBuilder<Labelled, ED, Labelled, Object, Labelled> on, RunOptions options) {
    return on.initialMessage(false)
        .activeDirection(ActiveDirection.IN)
        .vertexProgram(
            (id, label, reached) ->
                new Labelled(label.component(), label.done() || reached || label.component() == id))
        .sendMessage(
            edge -> {
              // Whoever was done before has no colour, but an id that is done for itself.
              if (edge.dstAttr().done()
                  && !edge.srcAttr().done()
                  && edge.srcAttr().component() == edge.dstAttr().component()) {
                edge.sendToSrc(true);
              }
            })
        .mergeMessage(Boolean::logicalOr)
        .options(options);
  }

  protected static <ED> ProgramBuilder<Labelled, ED, Labelled, Boolean, Long> components(
      ProgramBuilder<Labelled, ED, Labelled, Object, Labelled> on, RunOptions options) {
    return on.initialMessage(false)
        .maxIterations(1)
        .vertexProgram((id, label, message) -> label)
        .sendMessage(edge -> {})
        .mergeMessage(Boolean::logicalOr)
        .result((id, label, value) -> value.done() ? value.component() : id)
        .options(options);
  }
}
