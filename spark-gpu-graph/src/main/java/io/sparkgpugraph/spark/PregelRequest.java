package io.sparkgpugraph.spark;

import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.engine.Gather;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.program.Aggregate;
import java.util.List;
import org.apache.spark.graphx.EdgeDirection;

/**
 * A run as the user asked for it. Objects are the user's own (messages and lambdas); null stands
 * for what was not set. See {@link io.sparkgpugraph.PregelBuilder} for what each part means.
 */
public record PregelRequest(
    Object initialMessage,
    Object emptyMessage,
    EdgeDirection activeDirection,
    Gather gather,
    int maxIterations,
    boolean declaredMonotone,
    Object state,
    Object vertexProgram,
    Object send,
    Object merge,
    Object activeWhen,
    List<AggregateRequest> aggregates,
    Object result,
    RunSettings.StopWhen stopWhen,
    List<AggregateRequest> finalAggregates,
    RunOptions options) {
  /** One aggregate as the user asked for it. */
  public record AggregateRequest(String name, Aggregate.Operation operation, Object function) {}

  /** A message of the run, whichever is set. */
  public Object anyMessage() {
    return initialMessage != null ? initialMessage : emptyMessage;
  }
}
