package io.sparkgpugraph.spark;

import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.Pregel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Function1;
import scala.Function2;
import scala.Function3;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/** What the Scala object {@code io.sparkgpugraph.scaladsl.GpuPregel} calls. */
public final class ScalaPregel {
  private static final Logger LOG = LoggerFactory.getLogger(ScalaPregel.class);

  private ScalaPregel() {}

  /**
   * Runs a Scala vertex program.
   *
   * @throws IllegalArgumentException when {@code maxIterations} is not positive, in GraphX's words
   */
  public static <VD, ED, A> Graph<VD, ED> run(
      Graph<VD, ED> graph,
      A initialMessage,
      int maxIterations,
      EdgeDirection activeDirection,
      Function3<Object, VD, A, VD> vertexProgram,
      Function1<EdgeTriplet<VD, ED>, Iterator<Tuple2<Object, A>>> sendMessage,
      Function2<A, A, A> mergeMessage,
      ClassTag<VD> vertexTag,
      ClassTag<ED> edgeTag,
      ClassTag<A> messageTag) {
    LOG.warn(
        "falling back to stock GraphX: Scala closures are not lifted by this version; use the Java"
            + " builder GpuPregel.on(…)");
    return Pregel.apply(
        graph,
        initialMessage,
        maxIterations,
        activeDirection,
        vertexProgram,
        sendMessage,
        mergeMessage,
        vertexTag,
        edgeTag,
        messageTag);
  }
}
