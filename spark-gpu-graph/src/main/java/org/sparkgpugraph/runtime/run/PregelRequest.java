package org.sparkgpugraph.runtime.run;

import java.util.List;
import org.apache.spark.graphx.EdgeDirection;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.StopWhen;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.RunOptions;

/**
 * A run as the user asked for it. Objects are the user's own (messages and lambdas); null stands
 * for what was not set. See {@link org.sparkgpugraph.PregelBuilder} for what each part means.
 *
 * @param written a program that needs no lifting, null where there are functions to lift; where
 *     there is one {@code vertexProgram} only names who wrote it, and the other functions are null
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
    StopWhen stopWhen,
    List<AggregateRequest> finalAggregates,
    RunOptions options,
    ProgramInstance written) {
  /**
   * A written program that runs every vertex in every superstep.
   *
   * @param emptyMessage what a vertex is given that no message came to
   * @param supersteps number of supersteps after superstep 0
   * @param writer an object of the class that wrote it
   */
  public static PregelRequest written(
      ProgramInstance program,
      Object emptyMessage,
      int supersteps,
      Object writer,
      RunOptions options) {
    return new PregelRequest(
        null,
        emptyMessage,
        EdgeDirection.Either(),
        Gather.ACTIVE,
        supersteps,
        false,
        null,
        writer,
        null,
        null,
        null,
        List.of(),
        null,
        null,
        List.of(),
        options,
        program);
  }

  /** One aggregate as the user asked for it. */
  public record AggregateRequest(String name, AggregateOperation operation, Object function) {}

  /** A message of the run, whichever is set. */
  public Object anyMessage() {
    return initialMessage != null ? initialMessage : emptyMessage;
  }
}
