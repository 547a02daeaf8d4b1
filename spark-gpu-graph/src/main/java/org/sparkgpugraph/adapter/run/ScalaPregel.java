package org.sparkgpugraph.adapter.run;

import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.Pregel;
import org.sparkgpugraph.adapter.fallback.StockGraphX;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.observe.ApplicationCalls;
import org.sparkgpugraph.runtime.run.PregelJob;
import org.sparkgpugraph.runtime.run.PregelRequest;
import org.sparkgpugraph.runtime.run.ProgramExplanation;
import scala.Function1;
import scala.Function2;
import scala.Function3;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/** What the Scala object {@code org.sparkgpugraph.scaladsl.GpuPregel} calls. */
public final class ScalaPregel {
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
    if (maxIterations <= 0) {
      throw new IllegalArgumentException(
          "Maximum number of iterations must be greater than 0, but got " + maxIterations);
    }
    PregelRequest request =
        request(
            initialMessage,
            maxIterations,
            activeDirection,
            vertexProgram,
            sendMessage,
            mergeMessage);
    GraphSource source = GraphXSource.of(graph, vertexTag.runtimeClass(), edgeTag.runtimeClass());
    Supplier<Graph<VD, ED>> stock =
        () ->
            StockGraphX.call(
                () ->
                    Pregel.apply(
                        graph,
                        initialMessage,
                        maxIterations,
                        activeDirection,
                        vertexProgram,
                        sendMessage,
                        mergeMessage,
                        vertexTag,
                        edgeTag,
                        messageTag));
    if (initialMessage == null) {
      RunConf conf = RunConf.of(source.sc(), request.options);
      boolean asked = conf.explain() != ExplainMode.NONE;
      try (ApplicationCalls.Call call = ApplicationCalls.begin(source.sc(), asked)) {
        PregelJob.logOrThrow(conf, nullMessage(vertexProgram), call);
        Graph<VD, ED> result = stock.get();
        call.ranOnGraphX();
        return result;
      }
    }
    return new GraphXPregel(new PregelJob(source, null, request)).run(stock);
  }

  private static PregelRequest request(
      Object initialMessage,
      int maxIterations,
      EdgeDirection activeDirection,
      Object vertexProgram,
      Object sendMessage,
      Object mergeMessage) {
    PregelRequest request = new PregelRequest();
    request.initialMessage = initialMessage;
    request.maxIterations = maxIterations;
    request.activeDirection = GraphXDirections.of(activeDirection);
    request.vertexProgram = vertexProgram;
    request.send = sendMessage;
    request.merge = mergeMessage;
    return request;
  }

  /** Tells what a run would do, and every reason if it would run on stock GraphX. */
  public static <VD, ED, A> String explain(
      Graph<VD, ED> graph,
      A initialMessage,
      int maxIterations,
      EdgeDirection activeDirection,
      Function3<Object, VD, A, VD> vertexProgram,
      Function1<EdgeTriplet<VD, ED>, Iterator<Tuple2<Object, A>>> sendMessage,
      Function2<A, A, A> mergeMessage,
      ClassTag<VD> vertexTag,
      ClassTag<ED> edgeTag) {
    if (initialMessage == null) {
      return ProgramExplanation.STOCK + "\n! " + nullMessage(vertexProgram).getMessage() + "\n";
    }
    PregelRequest request =
        request(
            initialMessage,
            maxIterations,
            activeDirection,
            vertexProgram,
            sendMessage,
            mergeMessage);
    GraphSource source = GraphXSource.of(graph, vertexTag.runtimeClass(), edgeTag.runtimeClass());
    return new PregelJob(source, null, request).explain();
  }

  /** Nothing else says what messages are. */
  private static NotLiftableException nullMessage(Object program) {
    SourcePosition where = new SourcePosition(program.getClass().getName(), "", -1);
    String reason = "the initial message is null; give a message of the class that is sent";
    return new NotLiftableException(List.of(new Refusal("program", where, reason)));
  }
}
