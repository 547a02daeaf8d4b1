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

/** Looks for what makes a graph no graph of ratings, when a program has stopped at it. */
final class BadRatings {
  private BadRatings() {}

  /**
   * What is wrong at a user.
   *
   * @param there whether anything is
   * @param both whether the vertex is an item, too
   * @param item the smallest of which it has a bad rating
   * @param rating that one
   */
  @DefaultSerializer(RecordSerializer.class)
  record Bad(boolean there, boolean both, long item, double rating) implements Serializable {
    Bad first(Bad other) {
      if (!there) {
        return other;
      }
      return !other.there || both || !other.both && item <= other.item ? this : other;
    }
  }

  /** The smallest user that is an item, too, or has a bad rating; null: there is none. */
  static String first(ResidentGraph<?, Double> graph) {
    try (VertexResult<Bad> bad =
        ProgramBuilder.on(graph)
            .state(
                (id, attribute, inDegree, outDegree) -> {
                  boolean both = inDegree > 0 && outDegree > 0;
                  return new Bad(both, both, 0L, 0.0);
                })
            .everyVertex(new Bad(false, false, 0L, 0.0))
            .maxIterations(1)
            .vertexProgram((id, own, found) -> own.there() ? own : found)
            .sendMessage(
                edge -> {
                  if (!(Math.abs(edge.attr()) <= Double.MAX_VALUE)) {
                    edge.sendToSrc(new Bad(true, false, edge.dstId(), edge.attr()));
                  }
                })
            .mergeMessage(Bad::first)
            .options(Weights.search(null, null))
            .runVertices()) {
      List<String> first =
          bad
              .toPairs()
              .filter(vertex -> vertex._2().there())
              .mapToPair(vertex -> new Tuple2<>(vertex._1(), text(vertex._1(), vertex._2())))
              .takeOrdered(
                  1,
                  (Comparator<Tuple2<Long, String>> & Serializable)
                      (a, b) -> Long.compare(a._1(), b._1()))
              .stream()
              .map(Tuple2::_2)
              .toList();
      return first.isEmpty() ? null : first.get(0);
    }
  }

  private static String text(long vertex, Bad bad) {
    return bad.both()
        ? "vertex "
            + vertex
            + " is both a user and an item, an edge's source and another's destination: give users"
            + " and items different ids"
        : "the rating of edge "
            + vertex
            + " → "
            + bad.item()
            + " is "
            + bad.rating()
            + ": ratings are finite numbers; leave such edges out, or change their values";
  }
}
