package org.sparkgpugraph.program;

import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A vertex program in its engine-independent form: what travels from the driver to the executors.
 * Captured values travel beside it ({@link ProgramInstance}), so that two runs that differ only in
 * them share generated code.
 *
 * @param attribute type of the vertex attribute of the input graph
 * @param edge type of the edge attribute
 * @param state type of the value that the engine keeps per vertex (the attribute's, without a state
 *     function), {@linkplain org.sparkgpugraph.program.hoist hidden columns} behind the user's
 * @param message type of the messages
 * @param result type of the vertex attribute of the result (the state's, without a result function)
 * @param initialState ID, ATTRIBUTE, IN_DEGREE, OUT_DEGREE → state columns; null: the attribute
 * @param vertexProgram ID, VALUE, MESSAGE, superstep context → state columns
 * @param send SOURCE_ID, DESTINATION_ID, SOURCE, DESTINATION, EDGE, superstep context → emits
 * @param merge LEFT, RIGHT → message columns; null: the most frequent message ({@link
 *     WholeMerge#MODE})
 * @param activeWhen ID, BEFORE, AFTER → BOOLEAN; null: active whenever a message came
 * @param aggregates the aggregates, in the order of their indexes
 * @param finalAggregates aggregates over all vertices after the last superstep (AFTER is the final
 *     value, BEFORE the same)
 * @param resultFunction ID, ATTRIBUTE, VALUE, superstep context (whose aggregates are the final
 *     ones) → result columns; null: the state's first columns
 * @param captureKinds kind of each captured value
 * @param traits what was recognised
 * @param missingState ID, VERTEX_COUNT → state columns of a vertex that edges name but that does
 *     not exist; null: zeros
 */
public record LiftedProgram(
    ValueType attribute,
    ValueType edge,
    ValueType state,
    ValueType message,
    ValueType result,
    IrFunction initialState,
    IrFunction vertexProgram,
    IrFunction send,
    IrFunction merge,
    IrFunction activeWhen,
    List<Aggregate> aggregates,
    List<Aggregate> finalAggregates,
    IrFunction resultFunction,
    List<Kind> captureKinds,
    ProgramTraits traits,
    IrFunction missingState)
    implements Serializable {
  public LiftedProgram {
    aggregates = List.copyOf(aggregates);
    finalAggregates = List.copyOf(finalAggregates);
    captureKinds = List.copyOf(captureKinds);
  }

  /** Whether a vertex gets the most frequent of its messages, the smallest of several. */
  public boolean mergesByMode() {
    return merge == null;
  }
}
