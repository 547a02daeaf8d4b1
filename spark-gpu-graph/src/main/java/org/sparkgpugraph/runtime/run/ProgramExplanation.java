package org.sparkgpugraph.runtime.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.exchange.Rounding;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.stage.Computation;

/** What {@code explain()} says of a program: what a run would do and why. */
public final class ProgramExplanation {
  /** What is said of a program that falls back. */
  public static final String STOCK = "engine: stock GraphX, because the program cannot be lifted";

  /** What a function of the program may read, in the user's words. */
  private static final Map<Role, String> NAMES = new LinkedHashMap<>();

  static {
    NAMES.put(Role.ID, "id");
    NAMES.put(Role.IN_DEGREE, "in-degree");
    NAMES.put(Role.OUT_DEGREE, "out-degree");
    NAMES.put(Role.ATTRIBUTE, "attribute");
    NAMES.put(Role.VALUE, "value");
    NAMES.put(Role.MESSAGE, "message");
    NAMES.put(Role.SOURCE_ID, "srcId");
    NAMES.put(Role.SOURCE, "srcAttr");
    NAMES.put(Role.EDGE, "attr");
    NAMES.put(Role.DESTINATION_ID, "dstId");
    NAMES.put(Role.DESTINATION, "dstAttr");
    NAMES.put(Role.SUPERSTEP, "superstep");
    NAMES.put(Role.VERTEX_COUNT, "vertex count");
    NAMES.put(Role.AGGREGATE, "aggregates");
  }

  private final PregelJob job;
  private final JobInput input;
  private final ExplainMode mode;
  private final Explanation lines;

  ProgramExplanation(PregelJob job, JobInput input, ExplainMode mode) {
    this.job = job;
    this.input = input;
    this.mode = mode;
    lines = new Explanation(input, "the program");
  }

  String text() {
    if (input.conf().asksForStock()) {
      lines.add("engine: stock GraphX, because the configuration asks for it");
      return lines.text();
    }
    ProgramInstance lifted;
    ProgramInstance program;
    try {
      lifted = job.unhoisted();
      program = job.hoisted(lifted);
    } catch (NotLiftableException e) {
      refusals(e.refusals());
      return lines.text();
    }
    Computation.Description description =
        lines.describe(job.execution(program, 0), mode == ExplainMode.SOURCE);
    inPlace(program.program());
    rounding(program.program());
    hubs(program.program());
    lines.graph(description);
    lines.columns(program.program().result());
    // What the user wrote: hidden columns are told of by a note.
    lines.type("vertex value", lifted.program().state());
    lines.type("message", lifted.program().message());
    lines.type("result", lifted.program().result());
    reads(lifted.program());
    notes(program.program());
    if (description != null && !description.source().isEmpty()) {
      lines.add("CUDA source:");
      lines.add(description.source().stripTrailing());
    }
    return lines.text();
  }

  private void refusals(List<Refusal> refusals) {
    RunConf conf = input.conf();
    lines.add(
        conf.fallback() == RunOptions.Fallback.NEVER
            ? "engine: none, the program cannot be lifted and spark.gpugraph.fallback = never"
            : input.source().origin() == null
                ? "engine: none, the program cannot be lifted and stock GraphX needs a GraphX graph"
                : STOCK);
    for (Refusal refusal : refusals) {
      lines.add(
          "! %s cannot run on an engine because %s".formatted(refusal.subject(), refusal.reason()));
    }
  }

  private void inPlace(LiftedProgram program) {
    List<String> reasons = job.settings().whyNotInPlace(program);
    if (!reasons.isEmpty()) {
      lines.add("not updated in place because " + String.join(", and ", reasons));
    } else if (!program.traits().monotone()) {
      lines.add("updated in place because the program is declared monotone");
    } else {
      lines.add("updated in place because the program is monotone");
    }
    if (reasons.isEmpty() && executors() > 1) {
      lines.add(LocalHorizon.describe(input.conf().exchange().localSupersteps()));
    }
  }

  private void rounding(LiftedProgram program) {
    int bits = input.conf().exchange().format().significantBits();
    if (executors() != 1 && Rounding.changes(FunctionTraits.shippedKinds(program), bits)) {
      lines.add(ProgramShard.rounding(bits) + ": results depend on how the graph is cut");
    }
  }

  private void hubs(LiftedProgram program) {
    int inEdges = input.conf().exchange().hubs().inEdges();
    if (inEdges == 0 || executors() == 1) {
      return;
    }
    List<String> reasons = job.settings().whyNoPartialMessages(program);
    lines.add(
        reasons.isEmpty()
            ? ProgramShard.hubs(inEdges)
                + " are told partial messages"
                + (job.settings().devicesTakePartialMessages(program)
                    ? ""
                    : ", where no executor uses a GPU")
            : "no partial messages to hubs because " + String.join(", and ", reasons));
  }

  /** Over how many executors the graph is spread, as far as that is known. */
  private int executors() {
    return input.resident() == null
        ? input.conf().executors()
        : input.resident().state().handle().executors();
  }

  /** What was recognised; of a program that is declared monotone, that this was not proved. */
  private void notes(LiftedProgram program) {
    ProgramTraits traits = program.traits();
    for (String note : traits.notes()) {
      boolean believed =
          job.settings().declaresMonotone()
              && !traits.monotone()
              && note.startsWith(ProgramTraits.NOT_MONOTONE);
      lines.add(
          "note: "
              + (believed
                  ? "monotone() is believed, not proved: "
                      + note.substring(ProgramTraits.NOT_MONOTONE.length())
                  : note));
    }
  }

  private void reads(LiftedProgram program) {
    if (program.initialState() != null) {
      lines.add("state reads: " + reads(program, program.initialState()));
    }
    lines.add("vertexProgram reads: " + reads(program, program.vertexProgram()));
    lines.add("sendMessage reads: " + reads(program, program.send()));
    if (program.resultFunction() != null) {
      lines.add("result reads: " + reads(program, program.resultFunction()));
    }
  }

  private static String reads(LiftedProgram program, IrFunction function) {
    StringJoiner names = new StringJoiner(", ");
    names.setEmptyValue("nothing");
    NAMES.forEach(
        (role, name) -> {
          long read = function.parameters().stream().map(Param::role).filter(role::equals).count();
          int of = columns(program, role);
          if (read > 0) {
            names.add(of > 1 ? name + " (" + read + " of " + of + " columns)" : name);
          }
        });
    return names.toString();
  }

  private static int columns(LiftedProgram program, Role role) {
    return switch (role) {
      case ATTRIBUTE -> program.attribute().columns().size();
      case VALUE, SOURCE, DESTINATION -> program.state().columns().size();
      case EDGE -> program.edge().columns().size();
      case MESSAGE -> program.message().columns().size();
      default -> 1;
    };
  }
}
