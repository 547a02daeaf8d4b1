package org.sparkgpugraph.adapter.fallback;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.program.ProgramSource;
import scala.reflect.ClassTag;

/**
 * Runs a program on stock GraphX. A program of GraphX's own three functions goes through {@code
 * org.apache.spark.graphx.Pregel}, if it survives there: with at most 50 iterations, or any number
 * with GraphX's checkpoints on. All others go through a loop over {@code aggregateMessages} ({@link
 * AggregateMessagesLoop}) with the semantics of the engines.
 */
public final class GraphxFallback {
  // GraphX's Pregel never cuts its lineage unless told to; the description of a job grows with
  // every
  // superstep (400 of them took 168 s and then all of a 1.5 GB heap).
  private static final int STOCK_ITERATIONS = 50;

  private GraphxFallback() {}

  /**
   * Runs a program. The input graph is neither changed nor unpersisted; the result keeps its edges,
   * edge attributes and partitioning.
   *
   * @param graph the graph
   * @param program the user's functions; its value types are not looked at
   * @param settings how to run it
   * @param listener hears of every superstep, but for those of GraphX's own Pregel
   * @param messageTag tag of the messages
   * @param resultTag tag of the result's vertex attributes
   * @param <VD> vertex attribute
   * @param <ED> edge attribute
   * @param <S> vertex value of the program
   * @param <A> message
   * @param <R> vertex attribute of the result
   * @throws IllegalArgumentException when a function is missing or of another type
   */
  public static <VD, ED, S, A, R> GraphxRun<R, ED> run(
      Graph<VD, ED> graph,
      ProgramSource program,
      FallbackSettings<A> settings,
      ProgressListener listener,
      ClassTag<A> messageTag,
      ClassTag<R> resultTag) {
    FallbackProgram<VD, ED, S, A, R> functions = new FallbackProgram<>(program);
    if (functions.isPlain()
        && settings.isPlain()
        && (settings.maxIterations() <= STOCK_ITERATIONS
            || GraphGenerations.graphxCheckpoints(graph.vertices().sparkContext()))) {
      return new GraphxRun<>(stock(graph, program, settings, messageTag), null);
    }
    return new AggregateMessagesLoop<>(graph, functions, settings, listener, messageTag, resultTag)
        .run();
  }

  @SuppressWarnings("unchecked") // a plain program has one type for attribute, value and result
  private static <VD, ED, A, R> Graph<R, ED> stock(
      Graph<VD, ED> graph,
      ProgramSource program,
      FallbackSettings<A> settings,
      ClassTag<A> messageTag) {
    FallbackProgram<VD, ED, VD, A, VD> plain = new FallbackProgram<>(program);
    return (Graph<R, ED>) StockPregel.run(graph, plain, settings, messageTag);
  }
}
