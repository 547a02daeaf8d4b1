package org.sparkgpugraph.runtime.run;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.PartialMessageRules;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.exchange.Rounding;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.fold.FoldedSteps;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.conf.HubMerges;
import org.sparkgpugraph.runtime.serial.ValueBoxes;

/**
 * How engines run the program of a request.
 *
 * @param steps the program of a sequence of maps; null where there is none
 */
public record ProgramSettings(PregelRequest request, FoldedSteps steps, RunConf conf) {
  /** How a program would be run. */
  public RunSettings of(LiftedProgram program) {
    RunSettings settings = steps != null ? ofSteps() : ofRequest(program);
    int hubs = conf.exchange().hubs().inEdges();
    return hubs > 0 && whyNoPartialMessages(program, settings).isEmpty()
        ? settings.withHubs(hubs)
        : settings;
  }

  /** Why a program may not tell hubs partial messages; empty when it may. */
  List<String> whyNoPartialMessages(LiftedProgram program) {
    return whyNoPartialMessages(program, of(program));
  }

  /** Whether GPUs tell hubs those of a program that may tell some, too. */
  boolean devicesTakePartialMessages(LiftedProgram program) {
    return PartialMessageRules.whyNotOnDevices(program, of(program)).isEmpty();
  }

  private List<String> whyNoPartialMessages(LiftedProgram program, RunSettings settings) {
    RunConf.Exchange exchange = conf.exchange();
    List<String> reasons =
        PartialMessageRules.whyNot(
            program, settings, exchange.hubs().merges() == HubMerges.GROUPED);
    if (Rounding.changes(
        FunctionTraits.shippedKinds(program), exchange.format().significantBits())) {
      reasons.add("values are rounded on their way");
    }
    if (conf.engine() != EngineChoice.CPU && conf.engine() != EngineChoice.AUTO) {
      PartialMessageRules.whyNotOnDevices(program, settings).stream()
          .map(why -> why + ", and GPUs do not take partial messages then")
          .forEach(reasons::add);
    }
    return reasons;
  }

  private RunSettings ofRequest(LiftedProgram program) {
    return new RunSettings(
        ValueBoxes.of(program.message(), request.startMessage()),
        ValueBoxes.of(program.message(), request.deltas == null ? request.emptyMessage : null),
        direction(program),
        request.gather,
        request.maxIterations,
        whyNotInPlace(program).isEmpty(),
        conf.kernel(),
        conf.threads(),
        request.stopWhen,
        conf.exchange().mode());
  }

  private RunSettings ofSteps() {
    return new RunSettings(
        null,
        steps.emptyMessage(),
        request.activeDirection,
        request.gather,
        steps.supersteps(),
        false,
        conf.kernel(),
        conf.threads(),
        request.steps.stop(steps),
        conf.exchange().mode());
  }

  /** In a change-driven run edges are evaluated where their senders told something. */
  private ActiveDirection direction(LiftedProgram program) {
    if (request.deltas == null) {
      return request.activeDirection;
    } else if (!program.traits().sendsToSource()) {
      return ActiveDirection.OUT;
    }
    return program.traits().sendsToDestination() ? ActiveDirection.EITHER : ActiveDirection.IN;
  }

  /**
   * Why values may not be updated in place; empty when they may: the program is monotone and
   * nothing looks at single supersteps.
   */
  List<String> whyNotInPlace(LiftedProgram program) {
    ActiveDirection direction = direction(program);
    boolean either = direction == ActiveDirection.EITHER;
    List<String> reasons = new ArrayList<>();
    if (!request.declaredMonotone && !program.traits().monotone()) {
      reasons.add("the program is not known to be monotone");
    }
    if (!either && direction != ActiveDirection.OUT) {
      reasons.add("the active direction is " + direction);
    } else if (!either && program.traits().sendsToSource()) {
      reasons.add("messages go to the source under active direction OUT");
    }
    if (request.emptyMessage != null) {
      reasons.add("everyVertex is set");
    }
    if (request.maxIterations != Integer.MAX_VALUE) {
      reasons.add("maxIterations counts supersteps");
    }
    if (request.deltas != null) {
      reasons.add("edges send differences");
    }
    if (request.activeWhen != null) {
      reasons.add("activeWhen is set");
    }
    if (request.stopWhen != null) {
      reasons.add("stopWhen is set");
    }
    if (!program.aggregates().isEmpty()) {
      reasons.add("aggregates are taken in every superstep");
    }
    if (Stream.of(program.vertexProgram(), program.send(), program.resultFunction())
        .anyMatch(f -> f != null && f.reads(Role.SUPERSTEP))) {
      reasons.add("the superstep's number is read");
    }
    return reasons;
  }

  /** Whether the user says that the program is monotone. */
  boolean declaresMonotone() {
    return request.declaredMonotone;
  }
}
