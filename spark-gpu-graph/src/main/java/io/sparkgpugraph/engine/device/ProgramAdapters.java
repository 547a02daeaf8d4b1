package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.FunctionTraits;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.program.Aggregate;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.MergeAlgebra;
import io.sparkgpugraph.program.cuda.CTypes;
import io.sparkgpugraph.program.cuda.CudaPrinter;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Param;
import io.sparkgpugraph.program.ir.Role;
import io.sparkgpugraph.program.ir.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The part of a translation unit that stands between the printed functions of a program, which take
 * columns one by one, and the kernel templates, which know a State, a Message, and for each
 * direction (In, Out) a Row (what the send function reads of the row's own end) and an Edge (what
 * it reads of the edge and its other end).
 */
final class ProgramAdapters {
  private static final String FAULT = "&f.status[SGG_STATUS_FAULT]";

  private final LiftedProgram program;
  private final KernelShape shape;
  private final CudaPrinter printer;
  private final List<Kind> state;
  private final List<Kind> message;
  private final boolean[] stable;
  private final int[] shipped;
  private final Pushing pushing;
  private final StringBuilder out = new StringBuilder();

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
    sendFunctions();
    stateAdapters();
    messageAdapters();
    vertexAdapters();
    aggregateAdapters("aggregate", program.aggregates(), false);
    aggregateAdapters("final_aggregate", program.finalAggregates(), true);
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

  // ---- send and merge -------------------------------------------------------------------------

  /** The printed order puts the send function's origin first: the source is named after it. */
  private void sendFunctions() {
    IrFunction send =
        program.mergesByMode() ? program.send() : withContextOf(program.send(), program.merge());
    StringBuilder sides = new StringBuilder();
    String in = shape.inRows() ? printSend("program_send_in", send, Side.DESTINATION) : "";
    String outwards = shape.outRows() ? printSend("program_send_out", send, Side.SOURCE) : "";
    if (!program.mergesByMode()) {
      out.append(printer.function("program_merge", program.merge(), "Message"));
    }
    out.append(in).append(outwards);
    if (!program.mergesByMode()) {
      mergeAdapter();
    }
    if (shape.inRows()) {
      side(sides, "In", send, Side.DESTINATION);
    }
    if (shape.outRows()) {
      side(sides, "Out", send, Side.SOURCE);
    }
    out.append(sides);
  }

  private void mergeAdapter() {
    device("void sgg_merge(const Frame& f, int row, Message& left, const Message& right)");
    line("(void)f;");
    call(
        "program_merge",
        program.merge(),
        "row",
        "left",
        p ->
            switch (p.role()) {
              case LEFT -> "left.c" + p.index();
              case RIGHT -> "right.c" + p.index();
              default -> context(p);
            });
    end();
  }

  /** The function with the context parameters of another one beside its own. */
  private static IrFunction withContextOf(IrFunction function, IrFunction other) {
    List<Param> parameters = new ArrayList<>(function.parameters());
    List<Kind> variables = new ArrayList<>(function.variables());
    for (Param p : other.parameters()) {
      boolean known =
          parameters.stream().anyMatch(q -> q.role() == p.role() && q.index() == p.index());
      if (p.role() != Role.LEFT && p.role() != Role.RIGHT && !known) {
        parameters.add(new Param(p.role(), p.index(), variables.size()));
        variables.add(other.variables().get(p.variable()));
      }
    }
    return new IrFunction(
        function.name(),
        parameters,
        function.results(),
        variables,
        function.labels(),
        function.code());
  }

  private String printSend(String name, IrFunction send, Side side) {
    if (program.mergesByMode()) {
      // Until there is a message it says how many to skip.
      return printer.send(
          name,
          send,
          side,
          "Message",
          sent ->
              "if (!has) { if (message.c0 == 0) { message = "
                  + sent
                  + "; has = true; } else { message.c0 -= 1; } }");
    }
    IrFunction merge = program.merge();
    return printer.send(
        name,
        send,
        side,
        "Message",
        sent -> {
          String arguments =
              merge.parameters().stream()
                  .map(
                      p ->
                          switch (p.role()) {
                            case LEFT -> "message.c" + p.index();
                            case RIGHT -> sent + ".c" + p.index();
                            default -> "p" + position(send, p);
                          })
                  .map(a -> ", " + a)
                  .collect(Collectors.joining());
          return "if (has) { program_merge(fault, row"
              + arguments
              + ", message); } else { message = "
              + sent
              + "; has = true; }";
        });
  }

  private static int position(IrFunction function, Param wanted) {
    for (int i = 0; i < function.parameters().size(); i++) {
      Param p = function.parameters().get(i);
      if (p.role() == wanted.role() && p.index() == wanted.index()) {
        return i;
      }
    }
    throw new IllegalArgumentException(function.name() + " has no parameter " + wanted);
  }

  /** What one direction's rows and edges are. */
  private void side(StringBuilder to, String name, IrFunction send, Side side) {
    boolean in = side == Side.DESTINATION;
    Role own = in ? Role.DESTINATION : Role.SOURCE;
    Role other = in ? Role.SOURCE : Role.DESTINATION;
    Role ownId = in ? Role.DESTINATION_ID : Role.SOURCE_ID;
    Role otherId = in ? Role.SOURCE_ID : Role.DESTINATION_ID;
    String edges = in ? "inEdge" : "outEdge";
    String offsets = in ? "f.inOffsets" : "f.outOffsets";
    String neighbours = in ? "f.inSources" : "f.outDestinations";
    List<Member> row = new ArrayList<>();
    for (int c : indexes(send, own)) {
      row.add(new Member("own" + c, state.get(c), load("f.state" + c + "[v]", state.get(c))));
    }
    if (send.reads(ownId)) {
      row.add(new Member("ownId", Kind.LONG, "f.ids[v]"));
    }
    List<Member> edge = new ArrayList<>();
    for (int c : indexes(send, other)) {
      edge.add(
          new Member(
              "other" + c,
              state.get(c),
              load("sgg_load_value(&f.state" + c + "[u])", state.get(c))));
    }
    for (int c : indexes(send, Role.EDGE)) {
      Kind kind = program.edge().columns().get(c);
      edge.add(new Member("edge" + c, kind, load("f." + edges + c + "[e]", kind)));
    }
    if (send.reads(otherId)) {
      edge.add(new Member("otherId", Kind.LONG, "f.ids[u]"));
    }
    to.append("struct ").append(name).append(" {\n");
    to.append("  struct Row {").append(members(row)).append("};\n");
    to.append("  struct Edge {").append(members(edge)).append("};\n");
    member(to, "int begin(const Frame& f, int v)", "return " + offsets + "[v];");
    member(to, "const int* neighbours(const Frame& f)", "return " + neighbours + ";");
    member(to, "int neighbour(const Frame& f, int e)", "return " + neighbours + "[e];");
    member(
        to,
        "Row row(const Frame& f, int v, bool exists)",
        "(void)f; (void)v; (void)exists; Row r{}; "
            + (row.isEmpty() ? "" : "if (exists) { " + assignments("r", row, Member::value) + "} ")
            + "return r;");
    member(
        to,
        "Row shfl(const Row& row, int lane)",
        "(void)row; (void)lane; Row r{}; "
            + assignments("r", row, m -> "sgg_shfl(row." + m.name() + ", lane)")
            + "return r;");
    member(
        to,
        "Edge edge(const Frame& f, int e, int u)",
        "(void)f; (void)e; (void)u; Edge x{}; "
            + assignments("x", edge, Member::value)
            + "return x;");
    if (pushing != null) {
      pushed(to, in ? "pushIn" : "pushOut", edge, edges);
    }
    if (pushing != null && pushing.quiet()) {
      String call =
          callText(
              in ? "program_send_in" : "program_send_out",
              send,
              "u",
              "message, has",
              p -> p.role() == own ? "worst.c0" : p.role() == other ? "s.c0" : context(p));
      member(
          to,
          "bool speaks(const Frame& f, int u, const State& s, const State& worst)",
          "(void)u; (void)s; (void)worst; Message message{}; bool has = false; "
              + call
              + " return has;");
    }
    StringBuilder body = new StringBuilder("(void)own; (void)x; ");
    body.append(
        callText(
            in ? "program_send_in" : "program_send_out",
            send,
            "row",
            "message, has",
            p -> {
              if (p.role() == own) {
                return "own.own" + p.index();
              } else if (p.role() == other) {
                return "x.other" + p.index();
              } else if (p.role() == ownId) {
                return "own.ownId";
              } else if (p.role() == otherId) {
                return "x.otherId";
              } else if (p.role() == Role.EDGE) {
                return "x.edge" + p.index();
              }
              return context(p);
            }));
    member(
        to,
        "void send(const Frame& f, int row, const Row& own, const Edge& x, Message& message,"
            + " bool& has)",
        body.toString());
    to.append("};\n");
  }

  /**
   * The same edges from their other end: rows of senders, whose neighbours get the messages.
   *
   * @param edge what is read of an edge and its sender
   * @param edges prefix of the edge values in the order of the receivers' rows
   */
  private static void pushed(StringBuilder to, String prefix, List<Member> edge, String edges) {
    member(
        to,
        "Edge pushed(const Frame& f, int e, int u)",
        "(void)f; (void)e; (void)u; Edge x{}; "
            + assignments("x", edge, m -> m.value().replace("f." + edges, "f." + prefix + "Edge"))
            + "return x;");
  }

  private record Member(String name, Kind kind, String value) {}

  private static String members(List<Member> members) {
    return members.stream()
        .map(m -> " " + CTypes.register(m.kind()) + " " + m.name() + ";")
        .collect(Collectors.joining("", "", members.isEmpty() ? "" : " "));
  }

  private static String assignments(
      String to, List<Member> members, Function<Member, String> value) {
    return members.stream()
        .map(m -> to + "." + m.name() + " = " + value.apply(m) + "; ")
        .collect(Collectors.joining());
  }

  private static void member(StringBuilder to, String signature, String body) {
    to.append("  SGG_DEVICE_STATIC ").append(signature).append(" { ").append(body).append(" }\n");
  }

  private static TreeSet<Integer> indexes(IrFunction function, Role role) {
    TreeSet<Integer> indexes = new TreeSet<>();
    for (Param p : function.parameters()) {
      if (p.role() == role) {
        indexes.add(p.index());
      }
    }
    return indexes;
  }

  // ---- state ----------------------------------------------------------------------------------

  private void stateAdapters() {
    device("void sgg_load_state(const Frame& f, int v, State& s)");
    eachState(c -> "s.c" + c + " = " + load("f.state" + c + "[v]", state.get(c)) + ";");
    end();
    device("void sgg_store_state(const Frame& f, int v, const State& s)");
    line("(void)f; (void)v; (void)s;");
    eachChanging(c -> store("f.next" + c + "[v]", state.get(c), "s.c" + c));
    end();
    // Superstep 0: both buffers, so that rows which never run are the same in both.
    device("void sgg_write_state(const Frame& f, int v, const State& s)");
    eachState(c -> store("f.state" + c + "[v]", state.get(c), "s.c" + c));
    eachChanging(c -> store("f.next" + c + "[v]", state.get(c), "s.c" + c));
    end();
    device("void sgg_copy_unchanged(const Frame& f, int v)");
    line("(void)f; (void)v;");
    eachChanging(c -> "f.next" + c + "[v] = f.state" + c + "[v];");
    end();
    device("void sgg_commit_state(const Frame& f, int v)");
    line("(void)f; (void)v;");
    eachChanging(c -> "f.state" + c + "[v] = f.next" + c + "[v];");
    end();
    device("bool sgg_state_differs(const State& a, const State& b)");
    line("(void)a; (void)b;");
    line(
        "return "
            + differs(IntStream.range(0, state.size()).filter(c -> !stable[c]).toArray())
            + ";");
    end();
    device("bool sgg_shipped_differs(const State& a, const State& b)");
    line("(void)a; (void)b;");
    line("return " + differs(IntStream.of(shipped).filter(c -> !stable[c]).toArray()) + ";");
    end();
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
      line(statement.apply(c));
    }
  }

  private void eachChanging(IntFunction<String> statement) {
    for (int c = 0; c < state.size(); c++) {
      if (!stable[c]) {
        line(statement.apply(c));
      }
    }
  }

  // ---- messages -------------------------------------------------------------------------------

  private void messageAdapters() {
    device("void sgg_message_reset(Message& m)");
    line("m = Message{};");
    end();
    device("Message sgg_message_shfl(const Message& m, int lane)");
    line("Message r;");
    eachMessage(c -> "r.c" + c + " = sgg_shfl(m.c" + c + ", lane);");
    line("return r;");
    end();
    device("Message sgg_message_shfl_down(const Message& m, int d)");
    line("Message r;");
    eachMessage(c -> "r.c" + c + " = sgg_shfl_down(m.c" + c + ", d);");
    line("return r;");
    end();
    if (pushing != null && pushing.quiet()) {
      worstAdapters();
    }
    if (pushing != null && pushing.intoValue()) {
      device("bool sgg_push_merge(const Frame& f, int v, const Message& m)");
      line("return " + mergeInto(0, "state") + ";");
      end();
    } else if (pushing != null) {
      slotAdapters();
    }
    for (String which : List.of("initial", "empty")) {
      device("void sgg_" + which + "_message(const Frame& f, Message& m)");
      eachMessage(c -> "m.c" + c + " = f." + which + "Message" + c + ";");
      end();
    }
    device("void sgg_partial_store(const Frame& f, int chunk, const Message& m)");
    eachMessage(c -> store("f.partial" + c + "[chunk]", message.get(c), "m.c" + c));
    end();
    device("void sgg_partial_load(const Frame& f, int chunk, Message& m)");
    eachMessage(c -> "m.c" + c + " = " + load("f.partial" + c + "[chunk]", message.get(c)) + ";");
    end();
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
    line("typedef " + CTypes.register(kind) + " ColumnValue;");
    device("void sgg_best_value(ColumnValue& value)");
    line("value = " + CTypes.literal(opposite.identity(kind)) + ";");
    end();
    device("bool sgg_is_worse(ColumnValue a, ColumnValue b)");
    line("return a " + (min ? ">" : "<") + " b;");
    end();
    device("void sgg_worst_into(ColumnValue* cell, ColumnValue value)");
    line("sgg_" + (min ? "max" : "min") + "_into(cell, value);");
    end();
  }

  /** Slots hold columns as they stand in registers: there are no atomics on bytes. */
  private void slotAdapters() {
    device("void sgg_slot_reset(const Frame& f, int v)");
    line("(void)f; (void)v;");
    eachMessage(
        c ->
            "f.slot"
                + c
                + "[v] = "
                + CTypes.literal(pushing.merge().get(c).identity(message.get(c)))
                + ";");
    end();
    device("void sgg_slot_merge(const Frame& f, int v, const Message& m)");
    line("(void)f; (void)v; (void)m;");
    eachMessage(c -> mergeInto(c, "slot") + ";");
    end();
    device("void sgg_slot_load(const Frame& f, int v, Message& m)");
    line("(void)f; (void)v; (void)m;");
    eachMessage(c -> "m.c" + c + " = f.slot" + c + "[v];");
    end();
    device("void sgg_write_current(const Frame& f, int v, const State& s)");
    line("(void)f; (void)v; (void)s;");
    eachChanging(c -> store("f.state" + c + "[v]", state.get(c), "s.c" + c));
    end();
  }

  private void eachMessage(IntFunction<String> statement) {
    for (int c = 0; c < message.size(); c++) {
      line(statement.apply(c));
    }
  }

  // ---- vertex program -------------------------------------------------------------------------

  private void vertexAdapters() {
    IrFunction initial = program.initialState();
    if (initial != null) {
      out.append(printer.function("program_initial_state", initial, "State"));
    }
    device("void sgg_initial_state(const Frame& f, int v, State& s)");
    if (initial != null) {
      call("program_initial_state", initial, "v", "s", this::ofVertex);
    } else {
      line("(void)f; (void)v;");
      eachState(c -> "s.c" + c + " = " + load("f.attribute" + c + "[v]", state.get(c)) + ";");
    }
    end();
    if (shape.missingVertices()) {
      missingState();
    }
    IrFunction run = program.vertexProgram();
    out.append(printer.function("program_vertex", run, "State"));
    device(
        "void sgg_vertex_program(const Frame& f, int v, const State& before, const Message& message,"
            + " State& after)");
    line("(void)before; (void)message;");
    call(
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
    end();
    IrFunction activeWhen = program.activeWhen();
    if (activeWhen != null) {
      out.append(printer.function("program_active_when", activeWhen, "Flag"));
    }
    device("bool sgg_active_when(const Frame& f, int v, const State& before, const State& after)");
    line("(void)f; (void)v; (void)before; (void)after;");
    if (activeWhen == null) {
      line("return true;");
    } else {
      line("Flag flag{};");
      call("program_active_when", activeWhen, "v", "flag", this::beforeAfter);
      line("return flag.c0 != 0;");
    }
    end();
  }

  private void missingState() {
    IrFunction missing = program.missingState();
    if (missing != null) {
      out.append(printer.function("program_missing_state", missing, "State"));
    }
    device("void sgg_missing_state(const Frame& f, int v, State& s)");
    line("(void)f; (void)v; (void)s;");
    if (missing != null) {
      call("program_missing_state", missing, "v", "s", this::ofVertex);
    }
    end();
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
          load("f.attribute" + p.index() + "[v]", program.attribute().columns().get(p.index()));
      case VALUE -> load("f.state" + p.index() + "[v]", state.get(p.index()));
      case IN_DEGREE -> "f.inDegrees[v]";
      case OUT_DEGREE -> "f.outDegrees[v]";
      default -> context(p);
    };
  }

  /** Parameters that are the same for all vertices. */
  private static String context(Param p) {
    return switch (p.role()) {
      case CAPTURE -> "f.capture" + p.index();
      case SUPERSTEP -> "(int)f.superstep";
      case VERTEX_COUNT -> "f.vertexCount";
      case AGGREGATE -> "f.aggregate" + p.index();
      default -> throw new IllegalArgumentException(p + " means nothing in this function");
    };
  }

  // ---- aggregates -----------------------------------------------------------------------------

  /**
   * @param end aggregates of the final values: before and after are the same
   */
  private void aggregateAdapters(String name, List<Aggregate> aggregates, boolean end) {
    if (aggregates.isEmpty()) {
      return;
    }
    for (int i = 0; i < aggregates.size(); i++) {
      out.append(printer.function("program_" + name + i, aggregates.get(i).function(), "Real"));
    }
    device("void sgg_" + name + "s_neutral(double* values)");
    for (int i = 0; i < aggregates.size(); i++) {
      line("values[" + i + "] = " + CTypes.literal(aggregates.get(i).operation().neutral()) + ";");
    }
    end();
    device("double sgg_" + name + "_combine(int i, double a, double b)");
    line("switch (i) {");
    for (int i = 0; i < aggregates.size(); i++) {
      line(
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
    line("  default: return a;");
    line("}");
    end();
    device(
        end
            ? "void sgg_" + name + "(const Frame& f, int v, const State& after, double* values)"
            : "void sgg_"
                + name
                + "(const Frame& f, int v, const State& before, const State& after, double* values)");
    line(
        end
            ? "(void)f; (void)v; const State& before = after; (void)before;"
            : "(void)f; (void)v; (void)before; (void)after;");
    line("Real real{};");
    for (int i = 0; i < aggregates.size(); i++) {
      call("program_" + name + i, aggregates.get(i).function(), "v", "real", this::beforeAfter);
      line("values[" + i + "] = sgg_" + name + "_combine(" + i + ", values[" + i + "], real.c0);");
    }
    end();
  }

  // ---- exchange and result --------------------------------------------------------------------

  private void outboxAdapters() {
    device("void sgg_outbox_store(const Outbox& box, int slot, const State& s)");
    line("(void)box; (void)slot; (void)s;");
    for (int c : shipped) {
      line(store("box.value" + c + "[slot]", state.get(c), "s.c" + c));
    }
    end();
    device("void sgg_outbox_load(const Frame& f, const Outbox& box, int slot, int v)");
    line("(void)f; (void)box; (void)slot; (void)v;");
    // Stable columns too: after a restore the home is the first to tell them.
    for (int c : shipped) {
      line("f.state" + c + "[v] = box.value" + c + "[slot];");
    }
    end();
  }

  private void resultAdapters() {
    IrFunction result = program.resultFunction();
    if (result == null) {
      return;
    }
    out.append(printer.function("program_result", result, "Result"));
    device("void sgg_result(const Frame& f, int v, Result& value)");
    call("program_result", result, "v", "value", this::ofVertex);
    end();
    device("void sgg_result_store(const Frame& f, int v, const Result& value)");
    List<Kind> columns = program.result().columns();
    for (int c = 0; c < columns.size(); c++) {
      line(store("f.result" + c + "[v]", columns.get(c), "value.c" + c));
    }
    end();
  }

  // ---- text -----------------------------------------------------------------------------------

  private void device(String signature) {
    out.append("SGG_DEVICE ").append(signature).append(" {\n");
  }

  private void line(String text) {
    out.append("  ").append(text).append('\n');
  }

  private void end() {
    out.append("}\n");
  }

  private void call(
      String name, IrFunction function, String row, String result, Function<Param, String> value) {
    line(callText(name, function, row, result, value));
  }

  private static String callText(
      String name, IrFunction function, String row, String result, Function<Param, String> value) {
    return name
        + "("
        + FAULT
        + ", "
        + row
        + function.parameters().stream()
            .map(p -> ", " + value.apply(p))
            .collect(Collectors.joining())
        + ", "
        + result
        + ");";
  }

  /** Reads a cell of a column as it stands in a register. */
  private static String load(String cell, Kind kind) {
    return kind == Kind.BOOLEAN ? "(int)" + cell : cell;
  }

  private static String store(String cell, Kind kind, String value) {
    return cell + " = " + (kind == Kind.BOOLEAN ? "(unsigned char)" : "") + value + ";";
  }
}
