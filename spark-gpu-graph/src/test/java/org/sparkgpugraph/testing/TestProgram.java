package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.sparkgpugraph.function.ActiveWhen;
import org.sparkgpugraph.function.AggregateFunction;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.StopWhen;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.WholeMerge;
import org.sparkgpugraph.program.lift.SourceBuilder;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;

/**
 * A program with everything that a run needs, as a user would give it. Mutable; the methods return
 * {@code this}.
 *
 * @param <VD> vertex attribute
 * @param <ED> edge attribute
 * @param <S> vertex value
 * @param <A> message
 * @param <R> result attribute
 */
public final class TestProgram<VD, ED, S, A, R> {
  public final String name;
  public final Class<VD> attribute;
  public final Class<ED> edge;
  public final Class<A> message;
  public final Class<R> resultType;
  public Function<Random, VD> attributes;
  public Function<Random, ED> edges;

  public StateFunction<VD, S> state;
  public Object vertexProgram;
  public Object send;
  public Object merge;
  public ActiveWhen<S> activeWhen;
  public final List<ProgramSource.AggregateSource> aggregates = new ArrayList<>();
  public final List<ProgramSource.AggregateSource> finalAggregates = new ArrayList<>();
  public Object result;

  public A initialMessage;
  public A emptyMessage;
  public ActiveDirection direction = ActiveDirection.EITHER;
  public Gather gather = Gather.ACTIVE;
  public int maxIterations = Integer.MAX_VALUE;
  public StopWhen stopWhen;

  public TestProgram(
      String name, Class<VD> attribute, Class<ED> edge, Class<A> message, Class<R> resultType) {
    this.name = name;
    this.attribute = attribute;
    this.edge = edge;
    this.message = message;
    this.resultType = resultType;
  }

  /** How to draw attributes. */
  public TestProgram<VD, ED, S, A, R> inputs(
      Function<Random, VD> vertexAttributes, Function<Random, ED> edgeAttributes) {
    this.attributes = vertexAttributes;
    this.edges = edgeAttributes;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> initial(A value) {
    this.initialMessage = value;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> everyVertex(A empty) {
    this.emptyMessage = empty;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> state(StateFunction<VD, S> function) {
    this.state = function;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> vertex(VertexProgram<S, A> function) {
    this.vertexProgram = function;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> vertexWithContext(VertexProgram.WithContext<S, A> function) {
    this.vertexProgram = function;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> send(SendMessage<S, ED, A> function) {
    this.send = function;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> sendWithContext(SendMessage.WithContext<S, ED, A> function) {
    this.send = function;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> merge(MergeMessage<A> function) {
    this.merge = function;
    return this;
  }

  /** The most frequent message, in place of a merge function. */
  public TestProgram<VD, ED, S, A, R> mergeMode() {
    this.merge = WholeMerge.MODE;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> activeWhen(ActiveWhen<S> function) {
    this.activeWhen = function;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> aggregate(
      String aggregate, AggregateOperation operation, AggregateFunction<S> function) {
    aggregates.add(new ProgramSource.AggregateSource(aggregate, operation, function));
    return this;
  }

  public TestProgram<VD, ED, S, A, R> result(ResultFunction<VD, S, R> function) {
    this.result = function;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> resultWithContext(
      ResultFunction.WithContext<VD, S, R> function) {
    this.result = function;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> finalAggregate(
      String aggregate, AggregateOperation operation, AggregateFunction<S> function) {
    finalAggregates.add(new ProgramSource.AggregateSource(aggregate, operation, function));
    return this;
  }

  public TestProgram<VD, ED, S, A, R> stopWhen(StopWhen function) {
    this.stopWhen = function;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> direction(ActiveDirection value) {
    this.direction = value;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> gather(Gather value) {
    this.gather = value;
    return this;
  }

  public TestProgram<VD, ED, S, A, R> maxIterations(int value) {
    this.maxIterations = value;
    return this;
  }

  public boolean everyVertex() {
    return emptyMessage != null;
  }

  /** Whether GraphX's own Pregel can run it. */
  public boolean isPlain() {
    return state == null
        && vertexProgram instanceof VertexProgram
        && send instanceof SendMessage
        && merge != WholeMerge.MODE
        && activeWhen == null
        && aggregates.isEmpty()
        && result == null
        && emptyMessage == null
        && gather == Gather.ACTIVE
        && stopWhen == null;
  }

  /** The type of messages; how long arrays are is seen in one. */
  private ValueType messageType() {
    Object one = initialMessage != null ? initialMessage : emptyMessage;
    return one == null ? ValueType.of(message) : ValueType.like(one);
  }

  /** The functions, for the lifter and the fallback. */
  public ProgramSource source() {
    return new SourceBuilder()
        .attribute(ValueType.of(attribute))
        .edge(ValueType.of(edge))
        .message(messageType())
        .initialState(state)
        .vertexProgram(vertexProgram)
        .send(send)
        .merge(merge)
        .activeWhen(activeWhen)
        .aggregates(aggregates)
        .finalAggregates(finalAggregates)
        .resultFunction(result)
        .build();
  }

  /** The structure of a graph with attributes for this program. */
  public TestGraph<VD, ED> on(TestGraph<?, ?> structure, long seed) {
    return structure.withAttributes(new Random(seed), attributes, edges);
  }

  @Override
  public String toString() {
    return name
        + " direction "
        + direction
        + " gather "
        + gather
        + " maxIterations "
        + maxIterations
        + (everyVertex() ? " everyVertex" : "");
  }
}
