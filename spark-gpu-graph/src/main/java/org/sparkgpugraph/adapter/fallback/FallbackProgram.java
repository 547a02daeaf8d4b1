package org.sparkgpugraph.adapter.fallback;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;
import org.sparkgpugraph.function.ActiveWhen;
import org.sparkgpugraph.function.AggregateFunction;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.EdgeContext;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.SuperstepContext;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.WholeMerge;

/**
 * The user's function objects, as they are: what a Spark closure takes along. The two shapes of a
 * function (with and without a context) become one here.
 *
 * @param <VD> vertex attribute
 * @param <ED> edge attribute
 * @param <S> vertex value
 * @param <A> message
 * @param <R> vertex attribute of the result
 */
final class FallbackProgram<VD, ED, S, A, R> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final StateFunction<VD, S> state;
  private final Object vertexProgram;
  private final Object send;
  private final MergeMessage<A> merge;
  private final boolean bags;
  private final ActiveWhen<S> activeWhen;
  private final List<NamedAggregate<S>> aggregates;
  private final List<NamedAggregate<S>> finalAggregates;
  private final Object result;

  /** One aggregate; {@link ProgramSource.AggregateSource} does not travel. */
  record NamedAggregate<S>(String name, AggregateOperation operation, AggregateFunction<S> function)
      implements Serializable {}

  @SuppressWarnings("unchecked") // a ProgramSource holds functions of exactly these types
  FallbackProgram(ProgramSource source) {
    this.state = (StateFunction<VD, S>) source.initialState();
    this.vertexProgram =
        checked(
            "vertexProgram",
            source.vertexProgram(),
            VertexProgram.class,
            VertexProgram.WithContext.class);
    this.send =
        checked("sendMessage", source.send(), SendMessage.class, SendMessage.WithContext.class);
    this.bags = source.merge() == WholeMerge.MODE;
    this.merge =
        bags
            ? null
            : (MergeMessage<A>) checked("mergeMessage", source.merge(), MergeMessage.class, null);
    this.activeWhen = (ActiveWhen<S>) source.activeWhen();
    this.aggregates = named(source.aggregates());
    this.finalAggregates = named(source.finalAggregates());
    this.result =
        source.resultFunction() == null
            ? null
            : checked(
                "result",
                source.resultFunction(),
                ResultFunction.class,
                ResultFunction.WithContext.class);
  }

  @SuppressWarnings("unchecked") // a ProgramSource holds functions of exactly these types
  private static <S> List<NamedAggregate<S>> named(List<ProgramSource.AggregateSource> sources) {
    return sources.stream()
        .map(
            aggregate ->
                new NamedAggregate<>(
                    aggregate.name(),
                    aggregate.operation(),
                    (AggregateFunction<S>) aggregate.function()))
        .toList();
  }

  private static Object checked(String name, Object function, Class<?> shape, Class<?> other) {
    if (shape.isInstance(function) || (other != null && other.isInstance(function))) {
      return function;
    }
    throw new IllegalArgumentException(
        name
            + (function == null ? " is missing" : " is a " + function.getClass().getName())
            + "; give a "
            + shape.getName());
  }

  /** Whether GraphX's own Pregel can run it: nothing but the three functions, without a context. */
  boolean isPlain() {
    return state == null
        && vertexProgram instanceof VertexProgram
        && send instanceof SendMessage
        && !bags
        && activeWhen == null
        && aggregates.isEmpty()
        && result == null;
  }

  boolean readsDegrees() {
    return state != null;
  }

  @SuppressWarnings("unchecked") // without a state function the attribute is the value
  S state(long id, VD attribute, int inDegree, int outDegree) {
    return state == null ? (S) attribute : state.apply(id, attribute, inDegree, outDegree);
  }

  @SuppressWarnings("unchecked") // checked by the constructor
  S run(long id, S value, A message, SuperstepContext context) {
    return vertexProgram instanceof VertexProgram.WithContext<?, ?> function
        ? ((VertexProgram.WithContext<S, A>) function).apply(id, value, message, context)
        : ((VertexProgram<S, A>) vertexProgram).apply(id, value, message);
  }

  @SuppressWarnings("unchecked") // checked by the constructor
  void send(EdgeContext<S, ED, A> edge, SuperstepContext context) {
    if (send instanceof SendMessage.WithContext<?, ?, ?> function) {
      ((SendMessage.WithContext<S, ED, A>) function).send(edge, context);
    } else {
      ((SendMessage<S, ED, A>) send).send(edge);
    }
  }

  /** Whether messages travel as {@link MessageBag}s: the merge looks at all of a vertex. */
  boolean sendsBags() {
    return bags;
  }

  @SuppressWarnings("unchecked") // what travels as an A is a bag of them
  A merge(A left, A right) {
    return bags ? (A) ((MessageBag<A>) left).plus((MessageBag<A>) right) : merge.merge(left, right);
  }

  /** What the vertex program gets of what was merged. */
  @SuppressWarnings("unchecked") // what travels as an A is a bag of them
  A merged(A message) {
    return bags ? ((MessageBag<A>) message).mode() : message;
  }

  boolean active(long id, S before, S after) {
    return activeWhen == null || activeWhen.test(id, before, after);
  }

  List<NamedAggregate<S>> aggregates() {
    return aggregates;
  }

  /** What one vertex adds to each of some aggregates; null when there are none. */
  static <S> double[] contributions(
      List<NamedAggregate<S>> aggregates, long id, S before, S after) {
    if (aggregates.isEmpty()) {
      return null;
    }
    double[] values = new double[aggregates.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = aggregates.get(i).function().apply(id, before, after);
    }
    return values;
  }

  /** Aggregates over no vertices. */
  static <S> double[] neutral(List<NamedAggregate<S>> aggregates) {
    return aggregates.stream().mapToDouble(a -> a.operation().neutral()).toArray();
  }

  /** Adds values of aggregates to those that are there. */
  static <S> void combine(List<NamedAggregate<S>> aggregates, double[] into, double[] more) {
    for (int i = 0; i < into.length; i++) {
      into[i] = aggregates.get(i).operation().combine(into[i], more[i]);
    }
  }

  /** Names of aggregates, as they travel. */
  static <S> List<String> names(List<NamedAggregate<S>> aggregates) {
    return aggregates.stream().map(NamedAggregate::name).collect(Collectors.toList());
  }

  List<NamedAggregate<S>> finalAggregates() {
    return finalAggregates;
  }

  @SuppressWarnings("unchecked") // without a result function the value is the result
  R result(long id, VD attribute, S value, SuperstepContext context) {
    if (result == null) {
      return (R) value;
    }
    return result instanceof ResultFunction.WithContext<?, ?, ?> function
        ? ((ResultFunction.WithContext<VD, S, R>) function).apply(id, attribute, value, context)
        : ((ResultFunction<VD, S, R>) result).apply(id, attribute, value);
  }
}
