package org.sparkgpugraph.engine.device.kernels;

import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;

/**
 * The part of a translation unit that stands between the printed functions of a program, which take
 * columns one by one, and the kernel templates, which know a State, a Message, and rows and edges
 * of each direction ({@link SendAdapters}).
 */
final class ProgramAdapters {
  private final LiftedProgram program;
  private final KernelShape shape;
  private final CudaPrinter printer;
  private final List<Kind> state;
  private final List<Kind> message;
  private final boolean[] stable;
  private final int[] shipped;
  private final Pushing pushing;
  private final AdapterText out = new AdapterText();

  /**
   * @param pushing how supersteps push; null: they do not
   * @param shipped state columns that partitions tell each other
   */
  ProgramAdapters(
      LiftedProgram program,
      KernelShape shape,
      CudaPrinter printer,
      Pushing pushing,
      List<Integer> shipped) {
    this.pushing = pushing;
    this.program = program;
    this.shape = shape;
    this.printer = printer;
    state = program.state().columns();
    message = program.message().columns();
    stable = FunctionTraits.stableColumns(program);
    this.shipped = shipped.stream().mapToInt(c -> c).toArray();
  }

  String text() {
    structs();
    out.append(KernelHeaders.text("sides.cuh")).append("#line 1 \"adapters\"\n");
    new SendAdapters(program, shape, printer, pushing, out).write();
    stateAdapters();
    messageAdapters();
    vertexAdapters();
    aggregateAdapters("aggregate", program.aggregates(), false);
    if (!program.finalAggregates().isEmpty()) {
      aggregateAdapters("final_aggregate", program.finalAggregates(), true);
    }
    outboxAdapters();
    resultAdapters();
    return out.toString();
  }

  private void structs() {
    out.append(CTypes.struct("State", state));
    out.append(CTypes.struct("Message", message));
    out.append(CTypes.struct("Result", program.result().columns()));
    out.append(CTypes.struct("Flag", List.of(Kind.BOOLEAN)));
    out.append(CTypes.struct("Real", List.of(Kind.DOUBLE)));
  }

  // ---- state ----------------------------------------------------------------------------------

  private void stateAdapters() {
    out.device("void sgg_load_state(const Frame& f, int v, State& s)");
    eachState(c -> "s.c" + c + " = " + AdapterText.load("f.state" + c + "[v]", state.get(c)) + ";");
    out.end();
    out.device("void sgg_store_state(const Frame& f, int v, const State& s)");
    out.line("(void)f; (void)v; (void)s;");
    eachChanging(c -> AdapterText.store("f.next" + c + "[v]", state.get(c), "s.c" + c));
    out.end();
    // Superstep 0: both buffers, so that rows which never run are the same in both.
    out.device("void sgg_write_state(const Frame& f, int v, const State& s)");
    eachState(c -> AdapterText.store("f.state" + c + "[v]", state.get(c), "s.c" + c));
    eachChanging(c -> AdapterText.store("f.next" + c + "[v]", state.get(c), "s.c" + c));
    out.end();
    out.device("void sgg_copy_unchanged(const Frame& f, int v)");
    out.line("(void)f; (void)v;");
    eachChanging(c -> "f.next" + c + "[v] = f.state" + c + "[v];");
    out.end();
    out.device("void sgg_commit_state(const Frame& f, int v)");
    out.line("(void)f; (void)v;");
    eachChanging(c -> "f.state" + c + "[v] = f.next" + c + "[v];");
    out.end();
    out.device("bool sgg_state_differs(const State& a, const State& b)");
    out.line("(void)a; (void)b;");
    out.line(
        "return "
            + differs(IntStream.range(0, state.size()).filter(c -> !stable[c]).toArray())
            + ";");
    out.end();
    out.device("bool sgg_shipped_differs(const State& a, const State& b)");
    out.line("(void)a; (void)b;");
    out.line("return " + differs(IntStream.of(shipped).filter(c -> !stable[c]).toArray()) + ";");
    out.end();
  }

  private static String differs(int[] columns) {
    return columns.length == 0
        ? "false"
        : IntStream.of(columns)
            .mapToObj(c -> "sgg_differs(a.c" + c + ", b.c" + c + ")")
            .collect(Collectors.joining(" || "));
  }

  private void eachState(IntFunction<String> statement) {
    for (int c = 0; c < state.size(); c++) {
      out.line(statement.apply(c));
    }
  }

  private void eachChanging(IntFunction<String> statement) {
    for (int c = 0; c < state.size(); c++) {
      if (!stable[c]) {
        out.line(statement.apply(c));
      }
    }
  }

  // ---- messages -------------------------------------------------------------------------------

  private void messageAdapters() {
    out.device("void sgg_message_reset(Message& m)");
    out.line("m = Message{};");
    out.end();
    out.device("Message sgg_message_shfl(const Message& m, int lane)");
    out.line("Message r;");
    eachMessage(c -> "r.c" + c + " = sgg_shfl(m.c" + c + ", lane);");
    out.line("return r;");
    out.end();
    out.device("Message sgg_message_shfl_down(const Message& m, int d)");
    out.line("Message r;");
    eachMessage(c -> "r.c" + c + " = sgg_shfl_down(m.c" + c + ", d);");
    out.line("return r;");
    out.end();
    if (pushing != null && pushing.quiet()) {
      worstAdapters();
    }
    if (pushing != null) {
      out.device("bool sgg_push_merge(const Frame& f, int v, const Message& m)");
      out.line("(void)f; (void)v; (void)m;");
      out.line("return " + (pushing.intoValue() ? mergeInto(0, "state") : "false") + ";");
      out.end();
      slotAdapters();
      farAdapter("State");
      farAdapter("Message");
    }
    for (String which : List.of("initial", "empty")) {
      out.device("void sgg_" + which + "_message(const Frame& f, Message& m)");
      eachMessage(c -> "m.c" + c + " = f." + which + "Message" + c + ";");
      out.end();
    }
    out.device("void sgg_partial_store(const Frame& f, int chunk, const Message& m)");
    eachMessage(c -> AdapterText.store("f.partial" + c + "[chunk]", message.get(c), "m.c" + c));
    out.end();
    out.device("void sgg_partial_load(const Frame& f, int chunk, Message& m)");
    eachMessage(
        c ->
            "m.c"
                + c
                + " = "
                + AdapterText.load("f.partial" + c + "[chunk]", message.get(c))
                + ";");
    out.end();
  }

  /** Merges a column of a message into a cell. */
  private String mergeInto(int c, String cells) {
    String operation = pushing.merge().get(c).name().toLowerCase(Locale.ROOT);
    return "sgg_" + operation + "_into(&f." + cells + c + "[v], m.c" + c + ")";
  }

  /** What is worst is best to the opposite operation. */
  private void worstAdapters() {
    Kind kind = message.get(0);
    boolean min = pushing.merge().get(0) == MergeAlgebra.MIN;
    MergeAlgebra opposite = min ? MergeAlgebra.MAX : MergeAlgebra.MIN;
    out.line("typedef " + CTypes.register(kind) + " ColumnValue;");
    out.device("void sgg_best_value(ColumnValue& value)");
    out.line("value = " + CTypes.literal(opposite.identity(kind)) + ";");
    out.end();
    out.device("bool sgg_is_worse(ColumnValue a, ColumnValue b)");
    out.line("return a " + (min ? ">" : "<") + " b;");
    out.end();
    out.device("void sgg_worst_into(ColumnValue* cell, ColumnValue value)");
    out.line("sgg_" + (min ? "max" : "min") + "_into(cell, value);");
    out.end();
  }

  /** By what vertices are put off. */
  private void farAdapter(String of) {
    out.device("double sgg_far_value(const " + of + "& value)");
    out.line("(void)value;");
    out.line("return " + (pushing.buckets() ? "(double)value.c0" : "0.0") + ";");
    out.end();
  }

  /** Slots hold columns as they stand in registers: there are no atomics on bytes. */
  private void slotAdapters() {
    out.device("void sgg_slot_reset(const Frame& f, int v)");
    out.line("(void)f; (void)v;");
    eachMessage(
        c ->
            "f.slot"
                + c
                + "[v] = "
                + CTypes.literal(pushing.merge().get(c).identity(message.get(c)))
                + ";");
    out.end();
    out.device("void sgg_slot_merge(const Frame& f, int v, const Message& m)");
    out.line("(void)f; (void)v; (void)m;");
    eachMessage(c -> mergeInto(c, "slot") + ";");
    out.end();
    out.device("void sgg_slot_load(const Frame& f, int v, Message& m)");
    out.line("(void)f; (void)v; (void)m;");
    eachMessage(c -> "m.c" + c + " = f.slot" + c + "[v];");
    out.end();
    out.device("void sgg_write_current(const Frame& f, int v, const State& s)");
    out.line("(void)f; (void)v; (void)s;");
    eachChanging(c -> AdapterText.store("f.state" + c + "[v]", state.get(c), "s.c" + c));
    out.end();
  }

  private void eachMessage(IntFunction<String> statement) {
    for (int c = 0; c < message.size(); c++) {
      out.line(statement.apply(c));
    }
  }

  // ---- vertex program -------------------------------------------------------------------------

  private void vertexAdapters() {
    IrFunction initial = program.initialState();
    if (initial != null) {
      out.append(printer.function("program_initial_state", initial, "State"));
    }
    out.device("void sgg_initial_state(const Frame& f, int v, State& s)");
    if (initial != null) {
      out.call("program_initial_state", initial, "v", "s", this::ofVertex);
    } else {
      out.line("(void)f; (void)v;");
      eachState(
          c -> "s.c" + c + " = " + AdapterText.load("f.attribute" + c + "[v]", state.get(c)) + ";");
    }
    out.end();
    missingState();
    IrFunction run = program.vertexProgram();
    out.append(printer.function("program_vertex", run, "State"));
    out.device(
        "void sgg_vertex_program(const Frame& f, int v, const State& before, const Message& message,"
            + " State& after)");
    out.line("(void)before; (void)message;");
    out.call(
        "program_vertex",
        run,
        "v",
        "after",
        p ->
            switch (p.role()) {
              case VALUE -> "before.c" + p.index();
              case MESSAGE -> "message.c" + p.index();
              default -> ofVertex(p);
            });
    out.end();
    IrFunction activeWhen = program.activeWhen();
    if (activeWhen != null) {
      out.append(printer.function("program_active_when", activeWhen, "Flag"));
    }
    out.device(
        "bool sgg_active_when(const Frame& f, int v, const State& before, const State& after)");
    out.line("(void)f; (void)v; (void)before; (void)after;");
    if (activeWhen == null) {
      out.line("return true;");
    } else {
      out.line("Flag flag{};");
      out.call("program_active_when", activeWhen, "v", "flag", this::beforeAfter);
      out.line("return flag.c0 != 0;");
    }
    out.end();
  }

  private void missingState() {
    IrFunction missing = shape.missingVertices() ? program.missingState() : null;
    if (missing != null) {
      out.append(printer.function("program_missing_state", missing, "State"));
    }
    out.device("void sgg_missing_state(const Frame& f, int v, State& s)");
    out.line("(void)f; (void)v; (void)s;");
    if (missing != null) {
      out.call("program_missing_state", missing, "v", "s", this::ofVertex);
    }
    out.end();
  }

  private String beforeAfter(Param p) {
    return switch (p.role()) {
      case BEFORE -> "before.c" + p.index();
      case AFTER -> "after.c" + p.index();
      default -> ofVertex(p);
    };
  }

  /** Parameters that a vertex has in the frame's tables. */
  private String ofVertex(Param p) {
    return switch (p.role()) {
      case ID -> "f.ids[v]";
      case ATTRIBUTE ->
          AdapterText.load(
              "f.attribute" + p.index() + "[v]", program.attribute().columns().get(p.index()));
      case VALUE -> AdapterText.load("f.state" + p.index() + "[v]", state.get(p.index()));
      case IN_DEGREE -> "f.inDegrees[v]";
      case OUT_DEGREE -> "f.outDegrees[v]";
      default -> AdapterText.context(p);
    };
  }

  // ---- aggregates -----------------------------------------------------------------------------

  /**
   * @param end aggregates of the final values: before and after are the same
   */
  private void aggregateAdapters(String name, List<Aggregate> aggregates, boolean end) {
    for (int i = 0; i < aggregates.size(); i++) {
      out.append(printer.function("program_" + name + i, aggregates.get(i).function(), "Real"));
    }
    out.device("void sgg_" + name + "s_neutral(double* values)");
    out.line("(void)values;");
    for (int i = 0; i < aggregates.size(); i++) {
      out.line(
          "values[" + i + "] = " + CTypes.literal(aggregates.get(i).operation().neutral()) + ";");
    }
    out.end();
    out.device("double sgg_" + name + "_combine(int i, double a, double b)");
    out.line("(void)b;");
    out.line("switch (i) {");
    for (int i = 0; i < aggregates.size(); i++) {
      out.line(
          "  case "
              + i
              + ": return "
              + switch (aggregates.get(i).operation()) {
                case SUM -> "a + b";
                case MIN -> "sgg_min(a, b)";
                case MAX -> "sgg_max(a, b)";
              }
              + ";");
    }
    out.line("  default: return a;");
    out.line("}");
    out.end();
    out.device(
        end
            ? "void sgg_" + name + "(const Frame& f, int v, const State& after, double* values)"
            : "void sgg_"
                + name
                + "(const Frame& f, int v, const State& before, const State& after, double* values)");
    out.line(
        end
            ? "(void)f; (void)v; (void)values; const State& before = after; (void)before;"
            : "(void)f; (void)v; (void)before; (void)after; (void)values;");
    if (!aggregates.isEmpty()) {
      out.line("Real real{};");
    }
    for (int i = 0; i < aggregates.size(); i++) {
      out.call("program_" + name + i, aggregates.get(i).function(), "v", "real", this::beforeAfter);
      out.line(
          "values[" + i + "] = sgg_" + name + "_combine(" + i + ", values[" + i + "], real.c0);");
    }
    out.end();
  }

  // ---- exchange and result --------------------------------------------------------------------

  private void outboxAdapters() {
    out.device("void sgg_outbox_store(const Outbox& box, int slot, const State& s)");
    out.line("(void)box; (void)slot; (void)s;");
    for (int c : shipped) {
      out.line(AdapterText.store("box.value" + c + "[slot]", state.get(c), "s.c" + c));
    }
    out.end();
    out.device("void sgg_outbox_load(const Frame& f, const Outbox& box, int slot, int v)");
    out.line("(void)f; (void)box; (void)slot; (void)v;");
    // Stable columns too: after a restore the home is the first to tell them.
    for (int c : shipped) {
      out.line("f.state" + c + "[v] = box.value" + c + "[slot];");
    }
    out.end();
  }

  private void resultAdapters() {
    IrFunction result = program.resultFunction();
    if (result == null) {
      return;
    }
    out.append(printer.function("program_result", result, "Result"));
    out.device("void sgg_result(const Frame& f, int v, Result& value)");
    out.call("program_result", result, "v", "value", this::ofVertex);
    out.end();
    out.device("void sgg_result_store(const Frame& f, int v, const Result& value)");
    List<Kind> columns = program.result().columns();
    for (int c = 0; c < columns.size(); c++) {
      out.line(AdapterText.store("f.result" + c + "[v]", columns.get(c), "value.c" + c));
    }
    out.end();
  }
}
