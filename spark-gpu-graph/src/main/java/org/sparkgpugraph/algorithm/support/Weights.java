package org.sparkgpugraph.algorithm.support;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import scala.Tuple2;

/**
 * Edge values that must be within bounds. Programs look at each value that they read anyway, and at
 * the sums that they make of a vertex's, and stop at a bad one; which edge or vertex it is of is
 * found only then, by one more superstep over all edges on the CPU, or two, of which the caller's
 * observer hears nothing.
 *
 * @param what the value, for messages: "weight"
 * @param need what needs it, for messages: "shortest paths need weights of 0 or more"
 * @param least smallest value that is not bad
 * @param most largest value that is not bad: infinity, or the largest finite one
 */
public record Weights(String what, String need, double least, double most) {
  /** What a program says that stops at a bad value; part of the text of its exception. */
  public static final String FAULT = "is negative or NaN";

  /** The same of a program that cannot compute with infinity either. */
  public static final String FAULT_IF_FINITE = "is negative, NaN or infinite";

  /** The same of a program that takes negative ones. */
  public static final String FAULT_IF_SIGNED = "is no finite number";

  /** The same of a program that takes those of a range. */
  public static final String FAULT_OF_RANGE = "is outside of the range";

  /** What a program says that cannot compute with the sum of a vertex's values. */
  public static final String FAULT_OF_OUT_EDGES = "out-edges add up to infinity";

  /** The same of a program that adds up those of in-edges. */
  public static final String FAULT_OF_IN_EDGES = "in-edges add up to infinity";

  private static final List<String> FAULTS =
      List.of(
          FAULT,
          FAULT_IF_FINITE,
          FAULT_IF_SIGNED,
          FAULT_OF_RANGE,
          FAULT_OF_OUT_EDGES,
          FAULT_OF_IN_EDGES);

  /** For values of which infinity is none. */
  public static Weights finite(String what, String need) {
    return new Weights(what, need, 0, Double.MAX_VALUE);
  }

  /** For values of which infinity is one. */
  public static Weights any(String what, String need) {
    return new Weights(what, need, 0, Double.POSITIVE_INFINITY);
  }

  /**
   * The bad values of a vertex's in-edges.
   *
   * @param there whether there is one
   * @param source the smallest source of one
   * @param value the smallest of its edges
   */
  @DefaultSerializer(RecordSerializer.class)
  record Bad(boolean there, long source, double value) implements Serializable {
    Bad first(Bad other) {
      if (!there || other.there && other.source < source) {
        return other;
      }
      if (!other.there || source < other.source) {
        return this;
      }
      return new Bad(true, source, Math.min(value, other.value));
    }
  }

  /**
   * Runs a program on a resident graph.
   *
   * @throws IllegalArgumentException with edge and value when it stopped at a bad one, with the
   *     vertex when it stopped at a sum
   */
  public <T> T checked(ResidentGraph<?, Double> graph, Supplier<T> run) {
    return checked(search -> search.apply(graph), run);
  }

  /** Gives a search the graph that it is for. */
  @FunctionalInterface
  public interface Loader {
    /** What a search finds, on a graph that may be loaded for it. */
    IllegalArgumentException search(
        Function<ResidentGraph<?, Double>, IllegalArgumentException> search);
  }

  /**
   * As above.
   *
   * @param loader asked when the program has stopped
   */
  public <T> T checked(Loader loader, Supplier<T> run) {
    try {
      return run.get();
    } catch (Exception e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      String fault = fault(e);
      if (fault != null) {
        throw loader.search(graph -> named(graph, fault, e));
      }
      throw e;
    }
  }

  /** What a program's own check said, whatever the engine wraps that in; null: it was another. */
  private static String fault(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      for (String fault : FAULTS) {
        if (message != null && message.contains(fault)) {
          return fault;
        }
      }
    }
    return null;
  }

  /** Options of the search: nothing that the caller asked of the run may keep it from running. */
  public static RunOptions search(Integer partitions, Integer executors) {
    return new RunOptions(
        EngineChoice.CPU,
        KernelChoice.AUTO,
        partitions,
        executors,
        RunOptions.Fallback.NEVER,
        RunObserver.NONE);
  }

  private IllegalArgumentException named(
      ResidentGraph<?, Double> graph, String fault, Exception failure) {
    boolean ofIn = fault.equals(FAULT_OF_IN_EDGES);
    boolean sum = ofIn || fault.equals(FAULT_OF_OUT_EDGES);
    long[] edge = null;
    Long vertex = null;
    try {
      edge = find(graph);
      vertex = edge == null && sum ? findSum(graph, ofIn) : null;
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
    if (edge != null) {
      double value = Double.longBitsToDouble(edge[2]);
      return new BadWeightException(what, edge[1], edge[0], value, remedy(need), failure);
    }
    if (sum) {
      String of = vertex == null ? "a vertex" : "vertex " + vertex;
      return new IllegalArgumentException(
          "the %ss of %s's %s: multiply all %ss by the same small number, which does not change the result"
              .formatted(what, of, fault, what),
          failure);
    }
    return new IllegalArgumentException(
        "the %s of an edge %s: %s".formatted(what, fault, remedy(need)), failure);
  }

  private static String remedy(String need) {
    return need + "; leave such edges out, or change their values";
  }

  /** Destination, source and bits of the value of the first bad edge; null: there is none. */
  private long[] find(ResidentGraph<?, Double> graph) {
    double smallest = least;
    double largest = most;
    Bad none = new Bad(false, 0L, 0.0);
    try (VertexResult<Bad> bad =
        ProgramBuilder.on(graph)
            .state((id, attribute, inDegree, outDegree) -> new Bad(false, 0L, 0.0))
            .everyVertex(none)
            .maxIterations(1)
            .vertexProgram((id, before, found) -> found)
            .sendMessage(
                edge -> {
                  if (!(edge.attr() >= smallest && edge.attr() <= largest)) {
                    edge.sendToDst(new Bad(true, edge.srcId(), edge.attr()));
                  }
                })
            .mergeMessage(Bad::first)
            .options(search(null, null))
            .runVertices()) {
      // Arrays travel whatever Spark's serialiser is.
      List<long[]> first =
          bad.toPairs()
              .filter(vertex -> vertex._2().there())
              .map(
                  vertex ->
                      new long[] {
                        vertex._1(),
                        vertex._2().source(),
                        Double.doubleToRawLongBits(vertex._2().value())
                      })
              .takeOrdered(
                  1, (Comparator<long[]> & Serializable) (a, b) -> Long.compare(a[0], b[0]));
      return first.isEmpty() ? null : first.get(0);
    }
  }

  /**
   * The smallest vertex whose edges' values add up to infinity; null: there is none.
   *
   * @param ofIn whether of in-edges, not of out-edges
   */
  private static Long findSum(ResidentGraph<?, Double> graph, boolean ofIn) {
    try (VertexResult<Double> sums = sums(graph, ofIn)) {
      List<Long> first =
          sums.toPairs().filter(vertex -> vertex._2() > Double.MAX_VALUE).keys().takeOrdered(1);
      return first.isEmpty() ? null : first.get(0);
    }
  }

  private static VertexResult<Double> sums(ResidentGraph<?, Double> graph, boolean ofIn) {
    return ProgramBuilder.on(graph)
        .state((id, attribute, inDegree, outDegree) -> 0.0)
        .initialMessage(0.0)
        .activeDirection(ActiveDirection.EITHER)
        .maxIterations(1)
        .vertexProgram((id, before, sum) -> sum)
        .sendMessage(
            edge -> {
              if (ofIn) {
                edge.sendToDst(edge.attr());
              } else {
                edge.sendToSrc(edge.attr());
              }
            })
        .mergeMessage(Double::sum)
        .options(search(null, null))
        .runVertices();
  }

  /** A vertex and the sum of its edges' values. */
  public record Sum(long vertex, double sum) {}

  /** The largest sum of a vertex's in-edges, and the smallest vertex that has it. */
  public static Sum largestOfInEdges(ResidentGraph<?, Double> graph) {
    try (VertexResult<Double> sums = sums(graph, true)) {
      Tuple2<Long, Double> most =
          sums.toPairs()
              .reduce(
                  (a, b) -> a._2() > b._2() || a._2().equals(b._2()) && a._1() < b._1() ? a : b);
      return new Sum(most._1(), most._2());
    }
  }
}
