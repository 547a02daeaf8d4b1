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
 * @param tables arrays that functions read
 * @param traits what was recognised
 * @param missingState ID, VERTEX_COUNT → state columns of a vertex that edges name but that does
 *     not exist; null: zeros
 * @param phased whether supersteps are of a few kinds, by their number, each of which is worth
 *     kernels of its own
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
    List<TableShape> tables,
    ProgramTraits traits,
    IrFunction missingState,
    boolean phased)
    implements Serializable {
  public LiftedProgram {
    aggregates = List.copyOf(aggregates);
    finalAggregates = List.copyOf(finalAggregates);
    captureKinds = List.copyOf(captureKinds);
    tables = List.copyOf(tables);
  }

  /** Whether a vertex gets the most frequent of its messages, the smallest of several. */
  public boolean mergesByMode() {
    return merge == null;
  }

  /** Whether messages may be merged in any order (floating sums up to rounding). */
  public boolean mergesInAnyOrder() {
    List<MergeAlgebra> algebra = traits.merge();
    return algebra.size() == message.columns().size()
        && algebra.stream().noneMatch(a -> a == MergeAlgebra.FIRST || a == MergeAlgebra.GENERAL);
  }

  /** A program whose parts are all absent. */
  public static Builder builder() {
    return new Builder();
  }

  /** This program, to be built again with other parts. */
  public Builder with() {
    Builder copy = new Builder();
    copy.attribute = attribute;
    copy.edge = edge;
    copy.state = state;
    copy.message = message;
    copy.result = result;
    copy.initialState = initialState;
    copy.vertexProgram = vertexProgram;
    copy.send = send;
    copy.merge = merge;
    copy.activeWhen = activeWhen;
    copy.aggregates = aggregates;
    copy.finalAggregates = finalAggregates;
    copy.resultFunction = resultFunction;
    copy.captureKinds = captureKinds;
    copy.tables = tables;
    copy.traits = traits;
    copy.missingState = missingState;
    copy.phased = phased;
    return copy;
  }

  /** Names the parts of a program, of which most programs lack some. */
  public static final class Builder {
    private ValueType attribute;
    private ValueType edge;
    private ValueType state;
    private ValueType message;
    private ValueType result;
    private IrFunction initialState;
    private IrFunction vertexProgram;
    private IrFunction send;
    private IrFunction merge;
    private IrFunction activeWhen;
    private List<Aggregate> aggregates = List.of();
    private List<Aggregate> finalAggregates = List.of();
    private IrFunction resultFunction;
    private List<Kind> captureKinds = List.of();
    private List<TableShape> tables = List.of();
    private ProgramTraits traits;
    private IrFunction missingState;
    private boolean phased;

    private Builder() {}

    public Builder attribute(ValueType attribute) {
      this.attribute = attribute;
      return this;
    }

    public Builder edge(ValueType edge) {
      this.edge = edge;
      return this;
    }

    public Builder state(ValueType state) {
      this.state = state;
      return this;
    }

    public Builder message(ValueType message) {
      this.message = message;
      return this;
    }

    public Builder result(ValueType result) {
      this.result = result;
      return this;
    }

    public Builder initialState(IrFunction initialState) {
      this.initialState = initialState;
      return this;
    }

    public Builder vertexProgram(IrFunction vertexProgram) {
      this.vertexProgram = vertexProgram;
      return this;
    }

    public Builder send(IrFunction send) {
      this.send = send;
      return this;
    }

    public Builder merge(IrFunction merge) {
      this.merge = merge;
      return this;
    }

    public Builder activeWhen(IrFunction activeWhen) {
      this.activeWhen = activeWhen;
      return this;
    }

    public Builder aggregates(List<Aggregate> aggregates) {
      this.aggregates = aggregates;
      return this;
    }

    public Builder finalAggregates(List<Aggregate> finalAggregates) {
      this.finalAggregates = finalAggregates;
      return this;
    }

    public Builder resultFunction(IrFunction resultFunction) {
      this.resultFunction = resultFunction;
      return this;
    }

    public Builder captureKinds(List<Kind> captureKinds) {
      this.captureKinds = captureKinds;
      return this;
    }

    public Builder tables(List<TableShape> tables) {
      this.tables = tables;
      return this;
    }

    public Builder traits(ProgramTraits traits) {
      this.traits = traits;
      return this;
    }

    public Builder missingState(IrFunction missingState) {
      this.missingState = missingState;
      return this;
    }

    public Builder phased(boolean phased) {
      this.phased = phased;
      return this;
    }

    public LiftedProgram build() {
      return new LiftedProgram(
          attribute,
          edge,
          state,
          message,
          result,
          initialState,
          vertexProgram,
          send,
          merge,
          activeWhen,
          aggregates,
          finalAggregates,
          resultFunction,
          captureKinds,
          tables,
          traits,
          missingState,
          phased);
    }
  }
}
