package org.sparkgpugraph.runtime.run;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.function.StopWhen;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource.AggregateSource;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.RunOptions;

/**
 * A run as the user asks for it, put together part by part; a job reads a {@link #copy}. Objects
 * are the user's own (messages and lambdas); null stands for what was not set. See {@link
 * org.sparkgpugraph.ProgramBuilder}, which has a method for each part, for what it means.
 */
public final class PregelRequest implements Cloneable {
  public Object initialMessage;
  public Object emptyMessage;
  public ActiveDirection activeDirection = ActiveDirection.EITHER;
  public Gather gather = Gather.ACTIVE;
  public int maxIterations = Integer.MAX_VALUE;
  public boolean declaredMonotone;
  public Object state;
  public Object vertexProgram;
  public Object send;
  public Object merge;
  public Object activeWhen;

  /** ε of a change-driven run; null: edges send what they send. */
  public Double deltas;

  public List<AggregateSource> aggregates = new ArrayList<>();
  public Object result;
  public StopWhen stopWhen;
  public List<AggregateSource> finalAggregates = new ArrayList<>();
  public RunOptions options = RunOptions.DEFAULT;

  /**
   * A program that needs no lifting, null where there are functions to lift; where there is one
   * {@link #vertexProgram} only names who wrote it, and the other functions are null.
   */
  public ProgramInstance written;

  /** A sequence of maps, in the place of all functions; null: there are functions. */
  public StepsRequest steps;

  /**
   * A run of a sequence of maps.
   *
   * @param writer the first function of it
   */
  public static PregelRequest steps(StepsRequest steps, Object writer, RunOptions options) {
    PregelRequest request = new PregelRequest();
    request.steps = steps;
    request.vertexProgram = writer;
    // Every vertex runs, each map with an empty message of its own.
    request.emptyMessage = 0;
    request.options = options;
    return request;
  }

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
    PregelRequest request = new PregelRequest();
    request.emptyMessage = emptyMessage;
    request.maxIterations = supersteps;
    request.vertexProgram = writer;
    request.options = options;
    request.written = program;
    return request;
  }

  /** The same, which does not change when this does. */
  public PregelRequest copy() {
    try {
      PregelRequest copy = (PregelRequest) clone();
      copy.aggregates = List.copyOf(aggregates);
      copy.finalAggregates = List.copyOf(finalAggregates);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** A change-driven run begins with this message at every vertex, and then sends sums to some. */
  public Object startMessage() {
    return deltas == null ? initialMessage : anyMessage();
  }

  /** A message of the run, whichever is set. */
  public Object anyMessage() {
    return initialMessage != null ? initialMessage : emptyMessage;
  }
}
