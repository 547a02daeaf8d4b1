package org.sparkgpugraph.runtime.run;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.graphx.EdgeDirection;
import org.sparkgpugraph.engine.ActiveDirection;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.serial.ValueBoxes;

/** How engines run the program of a request. */
public record ProgramSettings(PregelRequest request, RunConf conf) {
  /** How a program would be run. */
  public RunSettings of(LiftedProgram program) {
    return new RunSettings(
        ValueBoxes.of(program.message(), request.initialMessage),
        ValueBoxes.of(program.message(), request.emptyMessage),
        direction(request.activeDirection),
        request.gather,
        request.maxIterations,
        whyNotInPlace(program).isEmpty(),
        conf.kernel(),
        conf.threads(),
        request.stopWhen,
        conf.exchange().mode());
  }

  /**
   * Why values may not be updated in place; empty when they may: the program is monotone and
   * nothing looks at single supersteps.
   */
  List<String> whyNotInPlace(LiftedProgram program) {
    EdgeDirection direction = request.activeDirection;
    boolean either = direction.equals(EdgeDirection.Either());
    List<String> reasons = new ArrayList<>();
    if (!request.declaredMonotone && !program.traits().monotone()) {
      reasons.add("the program is not known to be monotone");
    }
    if (!either && !direction.equals(EdgeDirection.Out())) {
      reasons.add("the active direction is " + direction(direction));
    } else if (!either && program.traits().sendsToSource()) {
      reasons.add("messages go to the source under active direction OUT");
    }
    if (request.emptyMessage != null) {
      reasons.add("everyVertex is set");
    }
    if (request.maxIterations != Integer.MAX_VALUE) {
      reasons.add("maxIterations counts supersteps");
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

  public static ActiveDirection direction(EdgeDirection direction) {
    if (direction.equals(EdgeDirection.Out())) {
      return ActiveDirection.OUT;
    }
    if (direction.equals(EdgeDirection.In())) {
      return ActiveDirection.IN;
    }
    return direction.equals(EdgeDirection.Both()) ? ActiveDirection.BOTH : ActiveDirection.EITHER;
  }
}
