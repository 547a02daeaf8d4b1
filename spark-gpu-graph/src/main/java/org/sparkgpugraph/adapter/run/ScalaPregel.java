package org.sparkgpugraph.adapter.run;

import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.Pregel;
import org.sparkgpugraph.adapter.fallback.StockGraphX;
import org.sparkgpugraph.graphs.model.ValueMismatchException;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.RunOptions;
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
      return onGraphX(graph, request.options, nullMessage(vertexProgram), stock);
    }
    GraphSource source;
    try {
      source = GraphXSource.of(graph, vertexTag.runtimeClass(), edgeTag.runtimeClass());
    } catch (ValueMismatchException e) {
      return onGraphX(graph, request.options, noValues(vertexTag, e), stock);
    }
    return new GraphXPregel(new PregelJob(source, null, request)).run(stock);
  }

  /**
   * Runs on stock GraphX what no engine takes.
   *
   * @throws NotLiftableException where that may not be
   */
  static <T> T onGraphX(
      Graph<?, ?> graph, RunOptions options, NotLiftableException refused, Supplier<T> stock) {
    SparkContext sc = graph.vertices().sparkContext();
    RunConf conf = RunConf.of(sc, options);
    boolean asked = conf.explain() != ExplainMode.NONE;
    try (ApplicationCalls.Call call = ApplicationCalls.begin(sc, asked)) {
      PregelJob.logOrThrow(conf, refused, call);
      T result = stock.get();
      call.ranOnGraphX();
      return result;
    }
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
      return explanation(nullMessage(vertexProgram));
    }
    PregelRequest request =
        request(
            initialMessage,
            maxIterations,
            activeDirection,
            vertexProgram,
            sendMessage,
            mergeMessage);
    GraphSource source;
    try {
      source = GraphXSource.of(graph, vertexTag.runtimeClass(), edgeTag.runtimeClass());
    } catch (ValueMismatchException e) {
      return explanation(noValues(vertexTag, e));
    }
    return new PregelJob(source, null, request).explain();
  }

  private static String explanation(NotLiftableException refused) {
    return ProgramExplanation.STOCK + "\n! " + refused.getMessage() + "\n";
  }

  /** Arrays that are no values. */
  static NotLiftableException noValues(ClassTag<?> tag, ValueMismatchException e) {
    SourcePosition where = new SourcePosition(tag.runtimeClass().getTypeName(), "", -1);
    return new NotLiftableException(List.of(new Refusal("graph", where, e.getMessage())));
  }

  /** Nothing else says what messages are. */
  private static NotLiftableException nullMessage(Object program) {
    SourcePosition where = new SourcePosition(program.getClass().getName(), "", -1);
    String reason = "the initial message is null; give a message of the class that is sent";
    return new NotLiftableException(List.of(new Refusal("program", where, reason)));
  }
}
