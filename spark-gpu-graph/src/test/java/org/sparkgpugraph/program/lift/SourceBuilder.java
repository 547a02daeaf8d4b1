package org.sparkgpugraph.program.lift;

import java.util.List;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;

/** Names the parts of a {@link ProgramSource}, of which most programs of tests lack some. */
public final class SourceBuilder {
  private ValueType attribute;
  private ValueType edge;
  private ValueType message;
  private Object initialState;
  private Object vertexProgram;
  private Object send;
  private Object merge;
  private Object activeWhen;
  private List<ProgramSource.AggregateSource> aggregates = List.of();
  private List<ProgramSource.AggregateSource> finalAggregates = List.of();
  private Object resultFunction;

  public SourceBuilder attribute(ValueType attribute) {
    this.attribute = attribute;
    return this;
  }

  public SourceBuilder edge(ValueType edge) {
    this.edge = edge;
    return this;
  }

  public SourceBuilder message(ValueType message) {
    this.message = message;
    return this;
  }

  public SourceBuilder initialState(Object initialState) {
    this.initialState = initialState;
    return this;
  }

  public SourceBuilder vertexProgram(Object vertexProgram) {
    this.vertexProgram = vertexProgram;
    return this;
  }

  public SourceBuilder send(Object send) {
    this.send = send;
    return this;
  }

  public SourceBuilder merge(Object merge) {
    this.merge = merge;
    return this;
  }

  public SourceBuilder activeWhen(Object activeWhen) {
    this.activeWhen = activeWhen;
    return this;
  }

  public SourceBuilder aggregates(List<ProgramSource.AggregateSource> aggregates) {
    this.aggregates = aggregates;
    return this;
  }

  public SourceBuilder finalAggregates(List<ProgramSource.AggregateSource> finalAggregates) {
    this.finalAggregates = finalAggregates;
    return this;
  }

  public SourceBuilder resultFunction(Object resultFunction) {
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
