package org.sparkgpugraph.engine.device.kernels;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Param;

/**
 * The adapters of a vertex program that teams of lanes run ({@code team.cuh}): arrays are read and
 * written where they are.
 */
final class TeamAdapters {
  private final LiftedProgram program;
  private final CudaPrinter printer;
  private final AdapterText out;
  private final List<ColumnType> state;
  private final List<ColumnType> message;
  private final boolean[] stable;

  /**
   * @param out where they are written
   */
  TeamAdapters(LiftedProgram program, CudaPrinter printer, AdapterText out) {
    this.program = program;
    this.printer = printer;
    this.out = out;
    state = program.state().columns();
    message = program.message().columns();
    stable = FunctionTraits.stableColumns(program);
  }

  void write(TeamLayout team) {
    out.append(KernelHeaders.text("team.cuh")).append("#line 1 \"adapters\"\n");
    out.append("struct TeamState {");
    for (int c = 0; c < state.size(); c++) {
      String pointer = state.get(c).isArray() ? "* c" : " c";
      out.append(" " + CTypes.register(state.get(c).kind()) + pointer + c + ";");
    }
    out.append(" };\n");
    out.append(
        printer.teamFunction(
            "program_vertex_team", program.vertexProgram(), team.form(), "TeamState"));
    out.function(
        "void sgg_team_vertex_program(const Frame& f, int v, int part, bool has, char* memory)",
        "(void)has;",
        "TeamState after{};",
        each(
            state,
            c ->
                state.get(c).isArray() && !stable[c]
                    ? "after.c" + c + " = " + row("f.next" + c, state.get(c)) + ";"
                    : ""),
        AdapterText.call(
            "program_vertex_team",
            program.vertexProgram(),
            "v, part, memory",
            "after",
            this::value),
        each(
            state,
            c ->
                state.get(c).isArray() || stable[c]
                    ? ""
                    : "if (part == 0) { "
                        + AdapterText.store("f.next" + c, "v", state.get(c), "after.c" + c)
                        + " }"));
    out.function(
        "void sgg_load_next(const Frame& f, int v, State& s)",
        each(
            state,
            c ->
                "s.c"
                    + c
                    + " = "
                    + AdapterText.load((stable[c] ? "f.state" : "f.next") + c, "v", state.get(c))
                    + ";"));
  }

  private String value(Param p) {
    int c = p.index();
    return switch (p.role()) {
      case VALUE ->
          state.get(c).isArray()
              ? row("f.state" + c, state.get(c))
              : AdapterText.load("f.state" + c, "v", state.get(c));
      case MESSAGE -> {
        ColumnType type = message.get(c);
        String sent =
            type.isArray()
                ? row("f.gathered" + c, type)
                : AdapterText.load("f.gathered" + c, "v", type);
        yield "(has ? " + sent + " : f.emptyMessage" + c + ")";
      }
      case ID -> "f.ids[v]";
      default -> AdapterText.context(p);
    };
  }

  private static String row(String column, ColumnType type) {
    return "%s + (long long)v * %d".formatted(column, type.width());
  }

  private static String each(List<ColumnType> columns, IntFunction<String> statement) {
    return AdapterText.lines(
        IntStream.range(0, columns.size()).mapToObj(statement).filter(line -> !line.isEmpty()));
  }
}
