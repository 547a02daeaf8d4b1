package org.sparkgpugraph.runtime.run;

import java.util.List;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.load.GraphSource;

/** Makes what the lifter reads of what the user asked for. */
public final class ProgramSources {
  private ProgramSources() {}

  /**
   * The source of a program.
   *
   * @throws IllegalArgumentException when the initial or empty message is, or has, an array that is
   *     no value
   */
  public static ProgramSource of(GraphSource graph, PregelRequest request) {
    return new ProgramSource(
        graph.vertexType(),
        graph.edgeType(),
        message(request),
        request.state,
        request.vertexProgram,
        request.send,
        request.merge,
        request.activeWhen,
        List.copyOf(request.aggregates),
        List.copyOf(request.finalAggregates),
        request.result);
  }

  private static ValueType message(PregelRequest request) {
    try {
      return ValueType.like(request.anyMessage());
    } catch (IllegalArgumentException e) {
      String which = request.initialMessage != null ? "initial" : "empty";
      throw new IllegalArgumentException("the " + which + " message: " + e.getMessage(), e);
    }
  }
}
