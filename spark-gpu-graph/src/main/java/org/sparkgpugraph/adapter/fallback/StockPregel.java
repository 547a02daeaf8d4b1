package org.sparkgpugraph.adapter.fallback;

import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.Pregel;
import org.sparkgpugraph.adapter.data.GraphXTags;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F1;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F2;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F3;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.runtime.cluster.ScalaCompat;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/** Runs a plain program through {@code org.apache.spark.graphx.Pregel}. */
final class StockPregel {
  private StockPregel() {}

  @SuppressWarnings("unchecked") // the tag is that of the graph's edges
  static <S, ED, A, R> Graph<S, ED> run(
      Graph<S, ED> graph,
      FallbackProgram<S, ED, S, A, R> program,
      FallbackSettings<A> settings,
      ClassTag<A> messageTag) {
    F3<Object, S, A, S> vertexProgram =
        (id, value, message) -> program.run((Long) id, value, message, null);
    F1<EdgeTriplet<S, ED>, Iterator<Tuple2<Object, A>>> send =
        triplet -> {
          TripletEdge<S, ED, A> edge = new TripletEdge<>(triplet);
          program.send(edge, null);
          return ScalaCompat.asScala(edge.messages().iterator());
        };
    F2<A, A, A> merge = program::merge;
    return StockGraphX.call(
        () ->
            Pregel.apply(
                graph,
                settings.initialMessage(),
                settings.maxIterations(),
                direction(settings.activeDirection()),
                vertexProgram,
                send,
                merge,
                graph.vertices().vdTag(),
                (ClassTag<ED>) GraphXTags.edge(graph),
                messageTag));
  }

  static EdgeDirection direction(ActiveDirection direction) {
    return switch (direction) {
      case OUT -> EdgeDirection.Out();
      case IN -> EdgeDirection.In();
      case EITHER -> EdgeDirection.Either();
      case BOTH -> EdgeDirection.Both();
    };
  }
}
