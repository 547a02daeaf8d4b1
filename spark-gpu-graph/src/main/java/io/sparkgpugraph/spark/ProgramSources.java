package io.sparkgpugraph.spark;

import io.sparkgpugraph.program.ValueType;
import io.sparkgpugraph.program.lift.ProgramSource;
import java.util.List;

/** Makes what the lifter reads of what the user asked for. */
final class ProgramSources {
  private ProgramSources() {}

  static ProgramSource of(GraphSource graph, PregelRequest request) {
    return new ProgramSource(
        graph.vertexType(),
        graph.edgeType(),
        ValueType.of(request.anyMessage().getClass()),
        request.state(),
        request.vertexProgram(),
        request.send(),
        request.merge(),
        request.activeWhen(),
        aggregates(request.aggregates()),
        aggregates(request.finalAggregates()),
        request.result());
  }

  private static List<ProgramSource.AggregateSource> aggregates(
      List<PregelRequest.AggregateRequest> requests) {
    return requests.stream()
        .map(a -> new ProgramSource.AggregateSource(a.name(), a.operation(), a.function()))
        .toList();
  }
}
