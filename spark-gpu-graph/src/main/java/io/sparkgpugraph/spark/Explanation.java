package io.sparkgpugraph.spark;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.engine.device.DeviceException;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ProgramInstance;
import io.sparkgpugraph.program.ValueType;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Param;
import io.sparkgpugraph.program.ir.Role;
import io.sparkgpugraph.program.lift.NotLiftableException;
import io.sparkgpugraph.program.lift.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What {@code explain()} prints: what a run would do and why. Lines that start with ! are refusals.
 */
final class Explanation {
  /** More partitions than these are summed up in a line. */
  private static final int PARTITIONS_SHOWN = 16;

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
  private final GraphSource source;
  private final ResidentGraph<?, ?> resident;
  private final PregelRequest request;
  private final RunConf conf;
  private final ExplainMode mode;

  Explanation(
      PregelJob job,
      GraphSource source,
      ResidentGraph<?, ?> resident,
      PregelRequest request,
      RunConf conf,
      ExplainMode mode) {
    this.job = job;
    this.source = source;
    this.resident = resident;
    this.request = request;
    this.conf = conf;
    this.mode = mode;
  }

  String text() {
    StringJoiner lines = new StringJoiner("\n", "", "\n");
    if (conf.engine() == EngineChoice.GRAPHX || conf.fallback() == RunOptions.Fallback.ALWAYS) {
      lines.add("engine: stock GraphX, because the configuration asks for it");
      return lines.toString();
    }
    ProgramInstance lifted;
    try {
      lifted = job.unhoisted();
    } catch (NotLiftableException e) {
      refusals(lines, e.refusals());
      return lines.toString();
    }
    ProgramInstance program = job.hoisted(lifted);
    Running.Description description = describe(lines, program);
    inPlace(lines, program.program());
    graph(lines, description);
    // What the user wrote: hidden columns are told of by a note.
    types(lines, lifted.program());
    reads(lines, lifted.program());
    program.program().traits().notes().forEach(note -> lines.add("note: " + note));
    if (description != null && !description.source().isEmpty()) {
      lines.add("CUDA source:").add(description.source().stripTrailing());
    }
    return lines.toString();
  }

  private void refusals(StringJoiner lines, List<Refusal> refusals) {
    boolean stops =
        conf.fallback() == RunOptions.Fallback.NEVER || conf.engine() != EngineChoice.AUTO;
    lines.add(
        stops
            ? "engine: none, the program cannot be lifted and "
                + (conf.fallback() == RunOptions.Fallback.NEVER
                    ? "spark.gpugraph.fallback = never"
                    : "the engine is fixed to " + conf.engine().name().toLowerCase(Locale.ROOT))
            : source.graph() == null
                ? "engine: none, the program cannot be lifted and stock GraphX needs a GraphX graph"
                : "engine: stock GraphX, because the program cannot be lifted");
    for (Refusal refusal : refusals) {
      lines.add(
          "! "
              + refusal.function()
              + " at "
              + refusal.where()
              + " cannot run on an engine because "
              + refusal.reason());
    }
  }

  /** The lines of engine and kernel; null when the engine that was asked for is not there. */
  private Running.Description describe(StringJoiner lines, ProgramInstance program) {
    String asked = conf.engine().name().toLowerCase(Locale.ROOT);
    try {
      Running.Description description = job.describe(program, mode == ExplainMode.SOURCE);
      lines.add(
          "engine: "
              + description.engine()
              + " ("
              + (conf.engine() == EngineChoice.AUTO || conf.engine() == EngineChoice.CPU
                  ? ""
                  : "the configuration asks for " + asked + "; ")
              + description.reason()
              + ")");
      lines.add("kernel: " + description.kernel());
      return description;
    } catch (DeviceException e) {
      lines.add("engine: none: the configuration asks for " + asked);
      lines.add("! the program cannot run on GPU because " + e.getMessage());
      return null;
    }
  }

  private void inPlace(StringJoiner lines, LiftedProgram program) {
    List<String> reasons = job.whyNotInPlace(program);
    if (!reasons.isEmpty()) {
      lines.add("not updated in place because " + String.join(", and ", reasons));
    } else if (!program.traits().monotone()) {
      lines.add("updated in place because the program is declared monotone");
    } else {
      lines.add("updated in place because the program is monotone");
    }
  }

  private void graph(StringJoiner lines, Running.Description description) {
    if (resident == null) {
      lines.add("graph: not loaded yet; " + Math.max(1, conf.partitions()) + " partition(s)");
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
            + " bytes"
            + (handle.locations().get(0) == null
                ? ""
                : ", held by " + String.join(", ", handle.locations())));
    if (description == null) {
      return;
    }
    lines.add("memory: " + description.memory());
    List<String> partitions = description.partitions();
    partitions.stream().limit(PARTITIONS_SHOWN).forEach(line -> lines.add("  " + line));
    if (partitions.size() > PARTITIONS_SHOWN) {
      lines.add("  and " + (partitions.size() - PARTITIONS_SHOWN) + " partitions more");
    }
  }

  private static void types(StringJoiner lines, LiftedProgram program) {
    lines.add("vertex value: " + type(program.state()));
    lines.add("message: " + type(program.message()));
    lines.add("result: " + type(program.result()));
  }

  private static String type(ValueType type) {
    return type.className() + " " + type.columns() + ", " + type.bytes() + " bytes";
  }

  private static void reads(StringJoiner lines, LiftedProgram program) {
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
