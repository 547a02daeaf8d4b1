package org.sparkgpugraph.adapter.run;

import java.util.function.Supplier;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.TripletFields;
import org.apache.spark.graphx.VertexRDD;
import org.sparkgpugraph.adapter.data.GraphXMessages;
import org.sparkgpugraph.program.messages.MessageAggregation;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.run.CollectedResult;
import org.sparkgpugraph.runtime.run.MessagesJob;
import org.sparkgpugraph.runtime.run.MessagesRequest;
import org.sparkgpugraph.runtime.run.OperatorJob;
import org.sparkgpugraph.runtime.run.ResultCollector;
import org.sparkgpugraph.runtime.serial.SlotPart;
import scala.reflect.ClassTag;

/** Runs whose results become GraphX's: of operators, and of {@code aggregateMessages}. */
public final class GraphXRuns {
  private GraphXRuns() {}

  /**
   * Runs an operator on a GraphX graph and makes another of the result, with the input's edges.
   *
   * @throws IllegalArgumentException when stock GraphX was asked for
   */
  public static <R, ED> Graph<R, ED> run(OperatorJob job) {
    return job.run(new GraphXCollector<R, ED>());
  }

  /**
   * An {@code aggregateMessages}.
   *
   * @param resident the graph when it is already held, else null
   * @param send a SendMessage, or a scala.Function1 of GraphX's EdgeContext
   * @param merge a MergeMessage, or a scala.Function2
   */
  public static MessagesJob messages(
      GraphSource source,
      GraphView resident,
      Object send,
      Object merge,
      TripletFields fields,
      RunOptions options) {
    return new MessagesJob(
        source, resident, new MessagesRequest(send, merge, fields.useSrc, fields.useDst, options));
  }

  /**
   * Runs an {@code aggregateMessages}.
   *
   * @param tag class of the messages; null: as the lifted functions say
   * @param stock GraphX's own, for what cannot be lifted
   * @return the merged messages of the vertices to which one was sent
   */
  public static <A> VertexRDD<A> run(
      MessagesJob job, ClassTag<A> tag, Supplier<VertexRDD<A>> stock) {
    return job.run(new MessagesCollector<>(tag), stock);
  }

  private record MessagesCollector<A>(ClassTag<A> asked) implements ResultCollector<VertexRDD<A>> {
    @Override
    public VertexRDD<A> collect(CollectedResult result) {
      ClassTag<A> tag = asked;
      return GraphXMessages.of(
          GraphXCollector.graph(result),
          result.blocks().slots((type, parts) -> SlotPart.some(type, parts, tag)),
          tag != null ? tag : result.tag(MessageAggregation.message(result.blocks().type())),
          result.input().conf().threads());
    }

    @Override
    public void discard(VertexRDD<A> collected) {
      collected.unpersist(false);
    }
  }
}
