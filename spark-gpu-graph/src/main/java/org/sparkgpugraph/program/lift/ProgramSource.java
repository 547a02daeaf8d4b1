package org.sparkgpugraph.program.lift;

import java.util.List;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.WholeMerge;

/**
 * A program as the user gave it: serializable lambdas, method references or objects of classes with
 * one final method, one per function; absent ones are null.
 *
 * @param attribute type of the vertex attributes
 * @param edge type of the edge attributes
 * @param message type of the messages, or null to take it from the merge function's return type
 * @param initialState StateFunction
 * @param vertexProgram VertexProgram or VertexProgram.WithContext; or, as for GraphX's Pregel, a
 *     scala.Function3 of id, value and message
 * @param send SendMessage or SendMessage.WithContext; or a scala.Function1 of the EdgeTriplet that
 *     returns an Iterator of pairs (id, message)
 * @param merge MergeMessage; or a scala.Function2, or a {@link WholeMerge} (then {@code message}
 *     must be given)
 * @param activeWhen ActiveWhen
 * @param aggregates the aggregates
 * @param finalAggregates aggregates over all vertices after the last superstep; the result
 *     function's context reads these
 * @param resultFunction ResultFunction or ResultFunction.WithContext
 */
public record ProgramSource(
    ValueType attribute,
    ValueType edge,
    ValueType message,
    Object initialState,
    Object vertexProgram,
    Object send,
    Object merge,
    Object activeWhen,
    List<AggregateSource> aggregates,
    List<AggregateSource> finalAggregates,
    Object resultFunction) {
  /** One aggregate as the user gave it. */
  public record AggregateSource(String name, AggregateOperation operation, Object function) {}

  /** A program whose parts are all absent. */
  public static Builder builder() {
    return new Builder();
  }

  /** Names the parts of a program, of which most programs lack some. */
  public static final class Builder {
    private ValueType attribute;
    private ValueType edge;
    private ValueType message;
    private Object initialState;
    private Object vertexProgram;
    private Object send;
    private Object merge;
    private Object activeWhen;
    private List<AggregateSource> aggregates = List.of();
    private List<AggregateSource> finalAggregates = List.of();
    private Object resultFunction;

    private Builder() {}

    public Builder attribute(ValueType attribute) {
      this.attribute = attribute;
      return this;
    }

    public Builder edge(ValueType edge) {
      this.edge = edge;
      return this;
    }

    public Builder message(ValueType message) {
      this.message = message;
      return this;
    }

    public Builder initialState(Object initialState) {
      this.initialState = initialState;
      return this;
    }

    public Builder vertexProgram(Object vertexProgram) {
      this.vertexProgram = vertexProgram;
      return this;
    }

    public Builder send(Object send) {
      this.send = send;
      return this;
    }

    public Builder merge(Object merge) {
      this.merge = merge;
      return this;
    }

    public Builder activeWhen(Object activeWhen) {
      this.activeWhen = activeWhen;
      return this;
    }

    public Builder aggregates(List<AggregateSource> aggregates) {
      this.aggregates = aggregates;
      return this;
    }

    public Builder finalAggregates(List<AggregateSource> finalAggregates) {
      this.finalAggregates = finalAggregates;
      return this;
    }

    public Builder resultFunction(Object resultFunction) {
      this.resultFunction = resultFunction;
      return this;
    }

    public ProgramSource build() {
      return new ProgramSource(
          attribute,
          edge,
          message,
          initialState,
          vertexProgram,
          send,
          merge,
          activeWhen,
          aggregates,
          finalAggregates,
          resultFunction);
    }
  }
}
