package org.sparkgpugraph.program.delta;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * Makes a program change-driven. The program given runs every vertex in every superstep with the
 * sum of the messages along all its edges; the one returned has the same values at every superstep
 * but for rounding, and for what vertices did not tell yet because it is not more than ε, and
 * evaluates only edges whose senders told something.
 *
 * <p>That holds for programs whose messages are sums, whose send function looks at no changing
 * value but the sender's, and whose vertex program makes the value of the sum and of what never
 * changes: a vertex that hears nothing new would then compute what it has.
 */
public final class Deltas {
  private final LiftedProgram program;
  private final DeltaColumns columns;
  private final List<Refusal> refusals = new ArrayList<>();

  private Deltas(LiftedProgram program) {
    this.program = program;
    columns = new DeltaColumns(program);
  }

  /**
   * The change-driven program. Superstep 0 runs every vertex with the initial message, and every
   * vertex tells its value then.
   *
   * @param epsilon by how much a real number that a send function reads may differ from what was
   *     told; whole numbers are told whenever they change
   * @throws NotLiftableException when the program is not of that form, with every reason
   */
  public static ProgramInstance apply(ProgramInstance instance, double epsilon) {
    Deltas deltas = new Deltas(instance.program());
    deltas.check();
    if (!deltas.refusals.isEmpty()) {
      throw new NotLiftableException(deltas.refusals);
    }
    List<Object> captures = new ArrayList<>(instance.captures());
    captures.add(epsilon);
    return new ProgramInstance(deltas.program(), captures, instance.tables());
  }

  private void check() {
    if (program.merge() == null
        || !program.traits().merge().stream().allMatch(a -> a == MergeAlgebra.SUM)) {
      refuse(
          "mergeMessage",
          program.merge(),
          "messages are merged by "
              + program.traits().merge()
              + ", but a difference can only be sent of sums; add each column of the two messages,"
              + " or leave out deltas(…)");
    }
    for (Param p : program.vertexProgram().parameters()) {
      if (p.role() == Role.VALUE && !columns.isStable(p.index())) {
        refuse(
            "vertexProgram",
            program.vertexProgram(),
            "it reads the vertex's value, which it changes: with deltas(…) a vertex runs only when"
                + " its sum changed, so its value must be a function of the sum and of what stays;"
                + " leave out the old value, or deltas(…)");
        break;
      }
    }
    refuseContext("vertexProgram", program.vertexProgram());
    refuseContext("sendMessage", program.send());
    for (Side side : Side.values()) {
      IrFunction sends = columns.sendsTo(side);
      Role other = side == Side.SOURCE ? Role.SOURCE : Role.DESTINATION;
      if (sends != null
          && sends.parameters().stream()
              .anyMatch(p -> p.role() == other && !columns.isStable(p.index()))) {
        refuse(
            "sendMessage",
            sends,
            "the message to the "
                + (side == Side.SOURCE ? "source" : "destination")
                + " reads that vertex's own value, which changes: with deltas(…) a message may look"
                + " at its sender only; use the receiver's value in vertexProgram, or leave out"
                + " deltas(…)");
      }
    }
  }

  private void refuseContext(String name, IrFunction function) {
    if (function.reads(Role.SUPERSTEP) || function.reads(Role.AGGREGATE)) {
      refuse(
          name,
          function,
          "it reads the superstep or an aggregate, which change although no neighbour does; leave"
              + " it out, or deltas(…)");
    }
  }

  private void refuse(String name, IrFunction function, String reason) {
    SourcePosition where =
        function == null
            ? SourcePosition.NONE
            : function.code().stream()
                .map(insn -> insn.where())
                .filter(position -> position.line() >= 0)
                .findFirst()
                .orElse(SourcePosition.NONE);
    refusals.add(new Refusal(name, where, reason));
  }

  private LiftedProgram program() {
    List<Kind> captures = new ArrayList<>(program.captureKinds());
    captures.add(Kind.DOUBLE);
    IrFunction vertexProgram = DeltaVertex.vertexProgram(program, columns);
    IrFunction send = DeltaSend.of(columns);
    IrFunction activeWhen = DeltaVertex.activeWhen(columns);
    return program
        .with()
        .state(columns.state())
        .initialState(DeltaVertex.starting(program, program.initialState(), columns))
        .vertexProgram(vertexProgram)
        .send(send)
        .activeWhen(activeWhen)
        .captureKinds(captures)
        .missingState(
            program.missingState() == null
                ? null
                : DeltaVertex.starting(program, program.missingState(), columns))
        .traits(
            TraitRecognizer.recognize(
                    vertexProgram, send, program.merge(), activeWhen, program.aggregates())
                .noting("change-driven: an edge sends the difference of what its sender told"))
        .build();
  }
}
