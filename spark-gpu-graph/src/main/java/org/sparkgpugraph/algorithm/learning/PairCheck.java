package org.sparkgpugraph.algorithm.learning;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import scala.Tuple2;

/**
 * Looks for two vertices that more than one edge connects, whatever its direction, and for edges
 * from a vertex to itself. A vertex counts the edges to its most frequent neighbour: two supersteps
 * over all edges, on the CPU.
 */
final class PairCheck {
  private PairCheck() {}

  /**
   * The most frequent neighbour of a vertex.
   *
   * @param other its id
   * @param edges how many edges connect them; one of a vertex to itself counts twice
   */
  @DefaultSerializer(RecordSerializer.class)
  record Frequent(long other, int edges) implements Serializable {}

  /**
   * Refuses graphs with such edges.
   *
   * @throws IllegalArgumentException with the vertices and the number of edges
   */
  static void check(ResidentGraph<?, ?> graph) {
    if (graph.edgeCount() == 0) {
      return;
    }
    try (VertexResult<Long> neighbours = neighbours(graph);
        var with = graph.withVertices(neighbours, Long.class);
        VertexResult<Frequent> counted = counted(with)) {
      List<Tuple2<Long, long[]>> first =
          counted
              .toPairs()
              .filter(vertex -> vertex._2().edges() > 1)
              .mapToPair(
                  vertex ->
                      new Tuple2<>(
                          vertex._1(), new long[] {vertex._2().other(), vertex._2().edges()}))
              .takeOrdered(
                  1,
                  (Comparator<Tuple2<Long, long[]>> & Serializable)
                      (a, b) -> Long.compare(a._1(), b._1()));
      if (!first.isEmpty()) {
        throw refused(first.get(0)._1(), first.get(0)._2()[0], first.get(0)._2()[1]);
      }
    }
  }

  private static IllegalArgumentException refused(long vertex, long other, long edges) {
    return new IllegalArgumentException(
        vertex == other
            ? "edge "
                + vertex
                + " → "
                + vertex
                + " connects a vertex with itself, but a potential is of two vertices: leave it"
                + " out, or multiply what it says into the vertex's prior"
            : "vertices "
                + vertex
                + " and "
                + other
                + " are connected by "
                + edges
                + " edges, but two vertices have one potential, whose messages go both ways: leave"
                + " edges that lead back out, or multiply the potentials into one");
  }

  private static VertexResult<Long> neighbours(ResidentGraph<?, ?> graph) {
    return ProgramBuilder.on(graph)
        .state((id, attribute, inDegree, outDegree) -> id)
        .initialMessage(0L)
        .maxIterations(1)
        .vertexProgram((id, own, most, run) -> run.superstep() == 0 ? own : most)
        .sendMessage(
            edge -> {
              edge.sendToDst(edge.srcId());
              edge.sendToSrc(edge.dstId());
            })
        .mergeMode()
        .options(Weights.search(null, null))
        .runVertices();
  }

  private static VertexResult<Frequent> counted(ResidentGraph<Long, ?> graph) {
    return ProgramBuilder.on(graph)
        .state((id, other, inDegree, outDegree) -> new Frequent(other, 0))
        .initialMessage(0)
        .maxIterations(1)
        .vertexProgram((id, own, edges) -> new Frequent(own.other(), edges))
        .sendMessage(
            edge -> {
              if (edge.dstAttr().other() == edge.srcId()) {
                edge.sendToDst(1);
              }
              if (edge.srcAttr().other() == edge.dstId()) {
                edge.sendToSrc(1);
              }
            })
        .mergeMessage(Integer::sum)
        .options(Weights.search(null, null))
        .runVertices();
  }
}
