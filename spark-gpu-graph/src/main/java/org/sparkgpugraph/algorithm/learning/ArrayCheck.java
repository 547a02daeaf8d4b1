package org.sparkgpugraph.algorithm.learning;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import scala.Tuple2;

/**
 * Looks for values of vertices and edges that an algorithm cannot compute with, before it runs: one
 * superstep over the in-edges, on the CPU, which names the smallest vertex with a bad value of its
 * own or of an in-edge.
 */
final class ArrayCheck {
  /** There is no bad value. */
  private static final int NOWHERE = 0;

  /** An element of a vertex's array. */
  private static final int VERTEX = 1;

  /** A value of an in-edge. */
  private static final int EDGE = 2;

  /** The length of a vertex's array. */
  private static final int VERTEX_LENGTH = 3;

  /** The length of an in-edge's array. */
  private static final int EDGE_LENGTH = 4;

  /** A vertex's array without an element that is more than 0. */
  private static final int NOTHING = 5;

  private ArrayCheck() {}

  /**
   * What values must be like.
   *
   * @param name of them all, for messages: "first ranks"
   * @param count of them at one vertex or edge, for messages: "ranks"
   * @param length that each array must have
   * @param given where that length is from, for messages: "k is 3"
   * @param remedy of another length
   * @param least smallest good value
   * @param most largest good value
   * @param need what needs that, and what to do: "ranks must be finite numbers; change it"
   * @param positive whether an array needs an element of more than 0
   */
  @DefaultSerializer(RecordSerializer.class)
  record Values(
      String name,
      String count,
      int length,
      String given,
      String remedy,
      double least,
      double most,
      String need,
      boolean positive)
      implements Serializable {
    /** Finite numbers. */
    static Values finite(
        String name, String count, int length, String given, String remedy, String need) {
      return new Values(
          name, count, length, given, remedy, -Double.MAX_VALUE, Double.MAX_VALUE, need, false);
    }

    /** The same from a smallest value on. */
    Values from(double smallest, double largest) {
      return new Values(name, count, length, given, remedy, smallest, largest, need, positive);
    }

    /** The same with something in every array. */
    Values withPositive() {
      return new Values(name, count, length, given, remedy, least, most, need, true);
    }

    private String length(int found) {
      return " has " + found + " " + count + ", but " + given + ": " + remedy;
    }
  }

  /**
   * A value that is none.
   *
   * @param where what is bad: {@link #VERTEX} and so on, or {@link #NOWHERE}
   * @param source the edge's source
   * @param element its index; the length of an array whose length is bad
   */
  @DefaultSerializer(RecordSerializer.class)
  record Bad(int where, long source, int element, double value) implements Serializable {
    Bad first(Bad other) {
      if (where == NOWHERE) {
        return other;
      }
      return other.where == NOWHERE || source <= other.source ? this : other;
    }
  }

  /**
   * Checks the arrays of vertices alone.
   *
   * @throws IllegalArgumentException with the vertex and its bad value; when there is no vertex
   */
  static void vertices(ResidentGraph<double[], ?> graph, Values vertices) {
    check(graph, vertices, null, edge -> {});
  }

  /**
   * Checks arrays of vertices and of edges.
   *
   * @throws IllegalArgumentException with the vertex or edge and its bad value; when there is no
   *     vertex
   */
  static void arrays(ResidentGraph<double[], double[]> graph, Values vertices, Values edges) {
    int length = edges.length();
    double least = edges.least();
    double most = edges.most();
    check(
        graph,
        vertices,
        edges,
        edge -> {
          Bad bad = ofArray(edge.srcId(), edge.attr(), length, least, most);
          if (bad.where() != NOWHERE) {
            edge.sendToDst(bad);
          }
        });
  }

  /**
   * Checks arrays of vertices and numbers of edges.
   *
   * @throws IllegalArgumentException as {@link #arrays}
   */
  static void weights(ResidentGraph<double[], Double> graph, Values vertices, Values edges) {
    double least = edges.least();
    double most = edges.most();
    check(
        graph,
        vertices,
        edges,
        edge -> {
          if (!(edge.attr() >= least && edge.attr() <= most)) {
            edge.sendToDst(new Bad(EDGE, edge.srcId(), 0, edge.attr()));
          }
        });
  }

  private static <E> void check(
      ResidentGraph<double[], E> graph,
      Values vertices,
      Values edges,
      SendMessage<Bad, E, Bad> find) {
    if (graph.vertexCount() == 0) {
      throw new IllegalArgumentException(
          "the graph has no vertices, so there are no "
              + vertices.count()
              + ": give it at least one vertex");
    }
    SendMessage<Bad, E, Bad> none = edge -> {};
    int length = vertices.length();
    double least = vertices.least();
    double most = vertices.most();
    boolean positive = vertices.positive();
    try (VertexResult<Bad> bad =
        ProgramBuilder.on(graph)
            .state(
                (id, values, inDegree, outDegree) ->
                    ofVertex(values, length, least, most, positive))
            .everyVertex(new Bad(NOWHERE, 0L, 0, 0.0))
            .maxIterations(1)
            .vertexProgram((id, own, found) -> own.where() != NOWHERE ? own : found)
            .sendMessage(graph.edgeCount() > 0 ? find : none)
            .mergeMessage(Bad::first)
            .options(Weights.search(null, null))
            .runVertices()) {
      // Texts travel whatever Spark's serialiser is.
      List<Tuple2<Long, String>> first =
          bad.toPairs()
              .filter(vertex -> vertex._2().where() != NOWHERE)
              .mapToPair(
                  vertex ->
                      new Tuple2<>(vertex._1(), text(vertex._1(), vertex._2(), vertices, edges)))
              .takeOrdered(
                  1,
                  (Comparator<Tuple2<Long, String>> & Serializable)
                      (a, b) -> Long.compare(a._1(), b._1()));
      if (!first.isEmpty()) {
        throw new IllegalArgumentException(first.get(0)._2());
      }
    }
  }

  private static Bad ofVertex(
      double[] values, int length, double least, double most, boolean positive) {
    if (values.length != length) {
      return new Bad(VERTEX_LENGTH, 0L, values.length, 0.0);
    }
    int at = -1;
    double value = 0.0;
    boolean something = !positive;
    for (int i = 0; i < length; i++) {
      something |= values[i] > 0;
      if (at < 0 && !(values[i] >= least && values[i] <= most)) {
        at = i;
        value = values[i];
      }
    }
    return new Bad(at >= 0 ? VERTEX : something ? NOWHERE : NOTHING, 0L, at, value);
  }

  private static Bad ofArray(long source, double[] values, int length, double least, double most) {
    if (values.length != length) {
      return new Bad(EDGE_LENGTH, source, values.length, 0.0);
    }
    int at = -1;
    double value = 0.0;
    for (int i = 0; i < length; i++) {
      if (at < 0 && !(values[i] >= least && values[i] <= most)) {
        at = i;
        value = values[i];
      }
    }
    return new Bad(at < 0 ? NOWHERE : EDGE, source, at, value);
  }

  private static String text(long vertex, Bad bad, Values vertices, Values edges) {
    String edge = "edge " + bad.source() + " → " + vertex;
    return switch (bad.where()) {
      case VERTEX_LENGTH -> "vertex " + vertex + vertices.length(bad.element());
      case EDGE_LENGTH -> edge + edges.length(bad.element());
      case NOTHING ->
          "the " + vertices.name() + " of vertex " + vertex + " are all 0: " + vertices.need();
      case VERTEX ->
          "element "
              + bad.element()
              + " of the "
              + vertices.name()
              + " of vertex "
              + vertex
              + " is "
              + bad.value()
              + ": "
              + vertices.need();
      default ->
          (edges.length() == 0 ? "" : "element " + bad.element() + " of ")
              + "the "
              + edges.name()
              + " of "
              + edge
              + " is "
              + bad.value()
              + ": "
              + edges.need();
    };
  }
}
