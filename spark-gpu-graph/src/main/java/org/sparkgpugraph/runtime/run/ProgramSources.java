package org.sparkgpugraph.runtime.run;

import java.util.List;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.load.GraphSource;

/** Makes what the lifter reads of what the user asked for. */
public final class ProgramSources {
  private ProgramSources() {}

  public static ProgramSource of(GraphSource graph, PregelRequest request) {
    return new ProgramSource(
        graph.vertexType(),
        graph.edgeType(),
        ValueType.like(request.anyMessage()),
        request.state,
        request.vertexProgram,
        request.send,
        request.merge,
        request.activeWhen,
        List.copyOf(request.aggregates),
        List.copyOf(request.finalAggregates),
        request.result);
  }
}
