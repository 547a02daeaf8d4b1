package org.sparkgpugraph.runtime.run;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.StopWhen;
import org.sparkgpugraph.program.LiftedSteps;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.StepSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.fold.FoldedSteps;
import org.sparkgpugraph.program.fold.Folding;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.AggregateAtMost;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.serial.ValueBoxes;

/**
 * A sequence of maps as the user asks for it; see {@link org.sparkgpugraph.GraphSteps} for what it
 * means. It is folded once, when a job first needs the program.
 */
public final class StepsRequest {
  /**
   * What may end the last loop early.
   *
   * @param measure VertexMeasure
   * @param operation how the numbers of vertices are combined
   * @param bound at which the loop ends, or below
   */
  public record Until(Object measure, AggregateOperation operation, double bound) {}

  private final Object state;
  private final List<StepSource.Step> steps;
  private final Until until;
  private final Object result;
  private final boolean folds;
  private FoldedSteps folded;

  /**
   * @param state StateFunction; null: the attribute
   * @param steps at least one
   * @param until null: the last loop is taken as often as it says
   * @param result ResultFunction; null: the value
   * @param folds whether neighbours become one superstep
   */
  public StepsRequest(
      Object state, List<StepSource.Step> steps, Until until, Object result, boolean folds) {
    this.state = state;
    this.steps = List.copyOf(steps);
    this.until = until;
    this.result = result;
    this.folds = folds;
  }

  /**
   * An edge map.
   *
   * @param number from 1
   * @param empty an object of the messages' class
   * @throws IllegalArgumentException when that is no class of values
   */
  public static StepSource.EdgeMap edgeMap(int number, Object send, Object merge, Object empty) {
    ValueType type = ValueType.like(empty);
    if (type.hasOpaque()) {
      throw new IllegalArgumentException(
          "the empty message of edgeMap "
              + number
              + " is of "
              + empty.getClass()
              + ", which is none of messages: use numbers, arrays of them, or records of both");
    }
    return new StepSource.EdgeMap(number, send, merge, type, ValueBoxes.of(type, empty));
  }

  /**
   * The program.
   *
   * @throws NotLiftableException when a function cannot be lifted, with every reason
   */
  synchronized FoldedSteps folded(GraphSource graph) {
    if (folded == null) {
      LiftedSteps lifted =
          ProgramLifter.liftSteps(
              new StepSource(
                  graph.vertexType(),
                  graph.edgeType(),
                  state,
                  new ArrayList<>(steps),
                  until == null ? null : until.measure(),
                  result));
      folded = Folding.apply(lifted, until == null ? null : until.operation(), folds);
    }
    return folded;
  }

  /** When the run ends before all its supersteps are done: behind a turn; null: never. */
  StopWhen stop(FoldedSteps program) {
    int turn = program.measured();
    return until == null
        ? null
        : new AggregateAtMost(FoldedSteps.MEASURE, until.bound(), program.before() + turn, turn);
  }
}
