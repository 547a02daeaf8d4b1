package org.sparkgpugraph.program;

import java.util.List;
import org.sparkgpugraph.function.AggregateOperation;

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
  /** The same with other types of vertex attributes and messages. */
  public ProgramSource with(ValueType attributes, ValueType messages) {
    return new ProgramSource(
        attributes,
        edge,
        messages,
        initialState,
        vertexProgram,
        send,
        merge,
        activeWhen,
        aggregates,
        finalAggregates,
        resultFunction);
  }

  /** One aggregate as the user gave it. */
  public record AggregateSource(String name, AggregateOperation operation, Object function) {}
}
