package io.sparkgpugraph.spark;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ValueType;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Param;
import io.sparkgpugraph.program.ir.Role;
import io.sparkgpugraph.program.lift.NotLiftableException;
import io.sparkgpugraph.program.lift.ProgramLifter;
import io.sparkgpugraph.program.lift.Refusal;
import java.util.List;
import java.util.StringJoiner;

/**
 * What {@code explain()} prints: what a run would do and why. Lines that start with ! are refusals.
 */
final class Explanation {
  private final GraphSource source;
  private final ResidentGraph<?, ?> resident;
  private final PregelRequest request;
  private final RunConf conf;

  Explanation(
      GraphSource source, ResidentGraph<?, ?> resident, PregelRequest request, RunConf conf) {
    this.source = source;
    this.resident = resident;
    this.request = request;
    this.conf = conf;
  }

  String text() {
    StringJoiner lines = new StringJoiner("\n", "", "\n");
    if (conf.engine() == EngineChoice.GRAPHX || conf.fallback() == RunOptions.Fallback.ALWAYS) {
      lines.add("engine: stock GraphX, because the configuration asks for it");
      return lines.toString();
    }
    LiftedProgram program;
    try {
      program = ProgramLifter.lift(ProgramSources.of(source, request)).program();
    } catch (NotLiftableException e) {
      lines.add(
          conf.fallback() == RunOptions.Fallback.NEVER
              ? "engine: none, the program cannot be lifted and spark.gpugraph.fallback = never"
              : "engine: stock GraphX, because the program cannot be lifted");
      for (Refusal refusal : e.refusals()) {
        lines.add(
            "! "
                + refusal.function()
                + " at "
                + refusal.where()
                + " cannot run on GPU because "
                + refusal.reason());
      }
      return lines.toString();
    }
    lines.add("engine: cpu, " + conf.threads() + " threads (" + why() + ")");
    lines.add("kernel: " + kernel());
    graph(lines);
    types(lines, program);
    program(lines, program);
    return lines.toString();
  }

  private String why() {
    return conf.engine() == EngineChoice.CPU
        ? "the configuration asks for it"
        : "this version has no CUDA engine";
  }

  private String kernel() {
    return switch (conf.kernel()) {
      case AUTO -> "dense or sparse, chosen in every superstep by the number of active edges";
      case DENSE -> "dense (forced)";
      case SPARSE -> "sparse (forced)";
    };
  }

  private void graph(StringJoiner lines) {
    if (resident == null) {
      lines.add("graph: not loaded yet; " + conf.partitions() + " partition(s)");
      return;
    }
    GraphHandle handle = resident.state().handle();
    lines.add(
        "graph: "
            + handle.vertices()
            + " vertices, "
            + handle.edges()
            + " edges, "
            + handle.partitions()
            + " partition(s), "
            + handle.bytes()
            + " bytes");
  }

  private void types(StringJoiner lines, LiftedProgram program) {
    lines.add("vertex value: " + type(program.state()));
    lines.add("message: " + type(program.message()) + ", merged by " + program.traits().merge());
    lines.add("result: " + type(program.result()));
  }

  private static String type(ValueType type) {
    return type.className() + " " + type.columns() + ", " + type.bytes() + " bytes";
  }

  private void program(StringJoiner lines, LiftedProgram program) {
    IrFunction send = program.send();
    lines.add(
        "sends to: "
            + (program.traits().sendsToDestination()
                ? program.traits().sendsToSource() ? "source and destination" : "destination"
                : program.traits().sendsToSource() ? "source" : "nobody"));
    StringJoiner reads = new StringJoiner(", ");
    for (Role role :
        List.of(Role.SOURCE_ID, Role.SOURCE, Role.EDGE, Role.DESTINATION_ID, Role.DESTINATION)) {
      long columns = send.parameters().stream().map(Param::role).filter(role::equals).count();
      if (columns > 0) {
        reads.add(role.name().toLowerCase(java.util.Locale.ROOT) + " (" + columns + " column(s))");
      }
    }
    lines.add("a message reads: " + reads);
    lines.add("updated in place: " + new PregelJob(source, resident, request).inPlace(program));
    program.traits().notes().forEach(note -> lines.add("note: " + note));
  }
}
