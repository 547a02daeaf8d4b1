package org.sparkgpugraph;

import java.util.Objects;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.adapter.run.GraphXDirections;
import org.sparkgpugraph.adapter.run.GraphXPregel;
import org.sparkgpugraph.function.ActiveWhen;
import org.sparkgpugraph.function.AggregateFunction;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.StopWhen;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphSource;

/**
 * A vertex program being put together on a GraphX graph, or on one that executors hold; start with
 * {@link GpuPregel#on}. It is a {@link ProgramBuilder}, which says what each part means, with
 * GraphX's graphs as results and GraphX's {@link EdgeDirection}.
 *
 * @param <VD> vertex attribute of the input graph
 * @param <ED> edge attribute
 * @param <S> value that the program computes with; VD unless {@link #state} is given
 * @param <A> message
 * @param <R> vertex attribute of the result; S unless {@link #result} is given
 */
public final class PregelBuilder<VD, ED, S, A, R> extends ProgramBuilder<VD, ED, S, A, R> {
  PregelBuilder(GraphSource source) {
    super(source);
  }

  PregelBuilder(ResidentGraph<?, ?> resident) {
    super(resident);
  }

  /** Which edges are evaluated after superstep 0; GraphX's default, Either, unless set. */
  public PregelBuilder<VD, ED, S, A, R> activeDirection(EdgeDirection direction) {
    Objects.requireNonNull(direction, "activeDirection");
    return activeDirection(GraphXDirections.of(direction));
  }

  /**
   * Runs the program.
   *
   * @return a graph with the result's vertex attributes and the input's edges, attributes and
   *     partitioning; both cached
   * @throws IllegalStateException when the input is a resident graph that was not made from a
   *     GraphX graph: use {@link #runVertices}
   * @throws org.sparkgpugraph.program.NotLiftableException under {@code fallback = never}, with
   *     every reason
   */
  public Graph<R, ED> run() {
    return graphX().run();
  }

  /**
   * Runs a program whose result is a Double and replaces the edge attributes by {@code 1 /
   * outDegree(source)}, as GraphX's PageRank does.
   */
  public Graph<Double, Double> runWeightedByOutDegree() {
    return graphX().runWeighted();
  }

  private GraphXPregel graphX() {
    return new GraphXPregel(job());
  }

  // ---- the parts, with this class as the result -----------------------------------------------

  @Override
  public <B> PregelBuilder<VD, ED, S, B, R> initialMessage(B message) {
    return (PregelBuilder<VD, ED, S, B, R>) super.initialMessage(message);
  }

  @Override
  public <B> PregelBuilder<VD, ED, S, B, R> everyVertex(B emptyMessage) {
    return (PregelBuilder<VD, ED, S, B, R>) super.everyVertex(emptyMessage);
  }

  @Override
  public <T> PregelBuilder<VD, ED, T, A, T> state(StateFunction<? super VD, T> function) {
    return (PregelBuilder<VD, ED, T, A, T>) super.state(function);
  }

  @Override
  public <T> PregelBuilder<VD, ED, S, A, T> result(
      ResultFunction<? super VD, ? super S, T> function) {
    return (PregelBuilder<VD, ED, S, A, T>) super.result(function);
  }

  @Override
  public <T> PregelBuilder<VD, ED, S, A, T> result(
      ResultFunction.WithContext<? super VD, ? super S, T> function) {
    return (PregelBuilder<VD, ED, S, A, T>) super.result(function);
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> vertexProgram(VertexProgram<S, A> program) {
    super.vertexProgram(program);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> vertexProgram(VertexProgram.WithContext<S, A> program) {
    super.vertexProgram(program);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> sendMessage(SendMessage<S, ED, A> function) {
    super.sendMessage(function);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> sendMessage(SendMessage.WithContext<S, ED, A> function) {
    super.sendMessage(function);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> mergeMessage(MergeMessage<A> function) {
    super.mergeMessage(function);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> mergeMode() {
    super.mergeMode();
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> activeDirection(ActiveDirection direction) {
    super.activeDirection(direction);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> gather(Gather gather) {
    super.gather(gather);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> activeWhen(ActiveWhen<S> predicate) {
    super.activeWhen(predicate);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> deltas(double epsilon) {
    super.deltas(epsilon);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> aggregate(
      String name, AggregateOperation operation, AggregateFunction<S> function) {
    super.aggregate(name, operation, function);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> finalAggregate(
      String name, AggregateOperation operation, AggregateFunction<S> function) {
    super.finalAggregate(name, operation, function);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> stopWhen(StopWhen predicate) {
    super.stopWhen(predicate);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> maxIterations(int iterations) {
    super.maxIterations(iterations);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> monotone() {
    super.monotone();
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> engine(EngineChoice engine) {
    super.engine(engine);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> executors(int executors) {
    super.executors(executors);
    return this;
  }

  @Override
  public PregelBuilder<VD, ED, S, A, R> options(RunOptions options) {
    super.options(options);
    return this;
  }
}
