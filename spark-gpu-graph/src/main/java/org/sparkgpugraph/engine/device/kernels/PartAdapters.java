package org.sparkgpugraph.engine.device.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * The adapters of a program's send and merge functions for lanes that share arrays ({@code
 * features.cuh}): a message of which a lane has parts, and rows and edges of each direction, of
 * which it loads parts.
 */
final class PartAdapters {
  private static final String MESSAGE = "PartMessage";

  private final LiftedProgram program;
  private final KernelShape shape;
  private final CudaPrinter printer;
  private final IrFunction send;
  private final List<ColumnType> message;
  private final List<ColumnType> state;
  private final boolean[] stable;
  private final int[] shipped;
  private final SortedMap<Integer, Kind> tables = new TreeMap<>();
  private final AdapterText out;

  /**
   * @param shipped state columns that partitions tell each other
   * @param out where they are written
   */
  PartAdapters(
      LiftedProgram program,
      KernelShape shape,
      CudaPrinter printer,
      int[] shipped,
      AdapterText out) {
    this.shipped = shipped;
    state = program.state().columns();
    stable = FunctionTraits.stableColumns(program);
    this.program = program;
    this.shape = shape;
    this.printer = printer;
    this.out = out;
    send = SendAdapters.withContextOf(program.send(), program.merge());
    message = program.message().columns();
    tables.putAll(program.send().tables());
    tables.putAll(program.merge().tables());
  }

  /**
   * @param applies with those of the functions of vertices
   */
  void write(boolean applies) {
    struct(MESSAGE, message);
    out.append(printer.partFunction("program_merge_parts", program.merge(), MESSAGE));
    messages();
    if (shape.inRows()) {
      side("In", Side.DESTINATION);
    }
    if (shape.outRows()) {
      side("Out", Side.SOURCE);
    }
    if (applies) {
      struct("PartState", state);
      states();
      vertices();
    }
  }

  private void struct(String name, List<ColumnType> columns) {
    out.append("struct " + name + " {");
    for (int c = 0; c < columns.size(); c++) {
      out.append(" " + type(columns.get(c)) + " c" + c + ";");
    }
    out.append(" };\n");
  }

  // ---- vertices -------------------------------------------------------------------------------

  private void states() {
    out.function(
        "void sgg_part_load_state(const Frame& f, int v, int part, PartState& s)",
        "(void)f; (void)v; (void)part; (void)s;",
        changing(c -> true, c -> "s.c" + c + " = " + load("f.state" + c, "v", state.get(c)) + ";"));
    out.function(
        "void sgg_part_store_state(const Frame& f, int v, int part, const PartState& s)",
        "(void)f; (void)v; (void)part; (void)s;",
        changing(c -> !stable[c], c -> store("f.next" + c, "v", state.get(c), "s.c" + c)));
    out.function(
        "void sgg_part_copy_unchanged(const Frame& f, int v, int part)",
        "(void)f; (void)v; (void)part;",
        changing(
            c -> !stable[c],
            c -> store("f.next" + c, "v", state.get(c), load("f.state" + c, "v", state.get(c)))));
    out.function(
        "void sgg_part_commit_state(const Frame& f, int v, int part)",
        "(void)f; (void)v; (void)part;",
        changing(
            c -> !stable[c],
            c -> store("f.state" + c, "v", state.get(c), load("f.next" + c, "v", state.get(c)))));
    String any =
        IntStream.of(shipped)
            .filter(c -> !stable[c])
            .mapToObj(c -> "sgg_differs(a.c" + c + ", b.c" + c + ")")
            .collect(Collectors.joining(" || "));
    out.function(
        "bool sgg_part_shipped_differs(const PartState& a, const PartState& b)",
        "(void)a; (void)b;",
        "return " + (any.isEmpty() ? "false" : any) + ";");
    // What a row's vertex program has just written.
    out.function(
        "void sgg_load_shipped(const Frame& f, int v, State& s)",
        "(void)f; (void)v; (void)s;",
        AdapterText.lines(
            IntStream.of(shipped)
                .mapToObj(
                    c ->
                        "s.c"
                            + c
                            + " = "
                            + AdapterText.load(
                                (stable[c] ? "f.state" : "f.next") + c, "v", state.get(c))
                            + ";")));
    out.function(
        "void sgg_part_empty_message(const Frame& f, int part, PartMessage& m)",
        "(void)f; (void)part; (void)m;",
        each(
            c ->
                "m.c"
                    + c
                    + " = "
                    + (message.get(c).isArray()
                        ? load("f.emptyMessage" + c, "0", message.get(c))
                        : "f.emptyMessage" + c)
                    + ";"));
  }

  private String changing(IntPredicate which, IntFunction<String> statement) {
    return AdapterText.lines(IntStream.range(0, state.size()).filter(which).mapToObj(statement));
  }

  private void vertices() {
    out.append(printer.partFunction("program_vertex_parts", program.vertexProgram(), "PartState"));
    out.function(
        "void sgg_part_vertex_program(const Frame& f, int v, int part, const PartState& before, const"
            + " PartMessage& message, PartState& after)",
        "(void)before; (void)message;",
        call("program_vertex_parts", program.vertexProgram(), "after"));
    IrFunction activeWhen = program.activeWhen();
    if (activeWhen != null) {
      out.append(printer.partFunction("program_active_when_parts", activeWhen, "Flag"));
    }
    out.function(
        "bool sgg_part_active_when(const Frame& f, int v, int part, const PartState& before, const"
            + " PartState& after)",
        "(void)f; (void)v; (void)part; (void)before; (void)after;",
        activeWhen == null ? "return true;" : "Flag flag{};",
        activeWhen == null ? "" : call("program_active_when_parts", activeWhen, "flag"),
        activeWhen == null ? "" : "return flag.c0 != 0;");
    StringBuilder lines = new StringBuilder(program.aggregates().isEmpty() ? "" : "Real real{};");
    for (int i = 0; i < program.aggregates().size(); i++) {
      IrFunction function = program.aggregates().get(i).function();
      String name = "program_aggregate_parts" + i;
      out.append(printer.partFunction(name, function, "Real"));
      String value = "values[" + i + "]";
      lines.append("\n  ").append(call(name, function, "real")).append("\n  if (part == 0) { ");
      lines.append(value).append(" = sgg_aggregate_combine(").append(i).append(", ");
      lines.append(value).append(", real.c0); }");
    }
    out.function(
        "void sgg_part_aggregate(const Frame& f, int v, int part, const PartState& before, const"
            + " PartState& after, double* values)",
        "(void)f; (void)v; (void)part; (void)before; (void)after; (void)values;",
        lines.toString());
  }

  private static String call(String name, IrFunction function, String result) {
    return AdapterText.call(
        name,
        function,
        "v, part",
        result,
        p ->
            switch (p.role()) {
              case VALUE, BEFORE -> "before.c" + p.index();
              case AFTER -> "after.c" + p.index();
              case MESSAGE -> "message.c" + p.index();
              case ID -> "f.ids[v]";
              default -> AdapterText.context(p);
            });
  }

  // ---- messages and edges ---------------------------------------------------------------------

  private static String type(ColumnType type) {
    return type.isArray() ? CTypes.part(type.kind()) : CTypes.register(type.kind());
  }

  private void messages() {
    out.function(
        "void sgg_part_merge(const Frame& f, int row, int part, PartMessage& left, const"
            + " PartMessage& right)",
        "(void)f;",
        AdapterText.call(
            "program_merge_parts",
            program.merge(),
            "row, part",
            "left",
            p ->
                switch (p.role()) {
                  case LEFT -> "left.c" + p.index();
                  case RIGHT -> "right.c" + p.index();
                  default -> AdapterText.context(p);
                }));
    List<MergeAlgebra> merge = program.traits().merge();
    out.function(
        "void sgg_part_reset(PartMessage& m)",
        each(
            c -> {
              ColumnType type = message.get(c);
              String nothing = CTypes.literal(merge.get(c).identity(type.kind()));
              return type.isArray()
                  ? "SGG_UNROLL for (int j = 0; j < SGG_FEATURE_EACH; j++) m.c"
                      + c
                      + "[j] = "
                      + nothing
                      + ";"
                  : "m.c" + c + " = " + nothing + ";";
            }));
    out.function(
        "PartMessage sgg_part_shfl_xor(const PartMessage& m, int d)",
        "PartMessage r;",
        each(c -> "r.c" + c + " = sgg_shfl_xor(m.c" + c + ", d);"),
        "return r;");
    out.function(
        "void sgg_part_put(Message& m, const PartMessage& p, int part)",
        each(
            c ->
                message.get(c).isArray()
                    ? "sgg_put_part(m.c" + c + ", p.c" + c + ", part);"
                    : "m.c" + c + " = p.c" + c + ";"));
    for (String memory : List.of("gathered", "partial")) {
      out.function(
          "void sgg_part_store_"
              + memory
              + "(const Frame& f, int at, int part, const PartMessage& m)",
          each(c -> store("f." + memory + c, "at", message.get(c), "m.c" + c)));
    }
    for (String memory : List.of("gathered", "partial")) {
      out.function(
          "void sgg_part_load_" + memory + "(const Frame& f, int at, int part, PartMessage& m)",
          each(c -> "m.c" + c + " = " + load("f." + memory + c, "at", message.get(c)) + ";"));
    }
    out.function(
        "void sgg_load_gathered(const Frame& f, int v, Message& m)",
        each(
            c ->
                "m.c" + c + " = " + AdapterText.load("f.gathered" + c, "v", message.get(c)) + ";"));
  }

  private String each(IntFunction<String> statement) {
    return AdapterText.lines(IntStream.range(0, message.size()).mapToObj(statement));
  }

  private static String load(String column, String row, ColumnType type) {
    return type.isArray()
        ? "sgg_load_part<%s>(%s, %s, part)".formatted(CTypes.register(type.kind()), column, row)
        : AdapterText.load(column, row, type);
  }

  /** A number is the same in all lanes of an edge, of which one writes it. */
  private static String store(String column, String row, ColumnType type, String value) {
    return type.isArray()
        ? "sgg_store_part(%s, %s, part, %s);".formatted(column, row, value)
        : "if (part == 0) { " + AdapterText.store(column, row, type, value) + " }";
  }

  private record Member(String name, ColumnType type, String value) {}

  private void side(String name, Side side) {
    boolean in = side == Side.DESTINATION;
    Role own = in ? Role.DESTINATION : Role.SOURCE;
    Role other = in ? Role.SOURCE : Role.DESTINATION;
    Role ownId = in ? Role.DESTINATION_ID : Role.SOURCE_ID;
    Role otherId = in ? Role.SOURCE_ID : Role.DESTINATION_ID;
    String function = in ? "program_send_in_parts" : "program_send_out_parts";
    out.append(printer.partSend(function, send, side, tables, MESSAGE, this::merging));
    List<Member> row = new ArrayList<>();
    List<Member> edge = new ArrayList<>();
    List<ColumnType> state = program.state().columns();
    for (Param p : new ArrayList<>(send.parameters())) {
      int c = p.index();
      if (p.role() == own) {
        row.add(new Member("own" + c, state.get(c), load("f.state" + c, "v", state.get(c))));
      } else if (p.role() == ownId) {
        row.add(new Member("ownId", Kind.LONG, "f.ids[v]"));
      } else if (p.role() == other) {
        String loaded =
            state.get(c).isArray()
                ? load("f.state" + c, "u", state.get(c))
                : AdapterText.gather("f.state" + c, "u", state.get(c));
        edge.add(new Member("other" + c, state.get(c), loaded));
      } else if (p.role() == otherId) {
        edge.add(new Member("otherId", Kind.LONG, "f.ids[u]"));
      } else if (p.role() == Role.EDGE) {
        ColumnType type = program.edge().columns().get(c);
        String column = "f." + (in ? "inEdge" : "outEdge") + c;
        edge.add(new Member("edge" + c, type, load(column, "e", type)));
      }
    }
    out.append("struct " + name + "Parts {\n");
    out.append("  struct Row {" + members(row) + "};\n");
    out.append("  struct Edge {" + members(edge) + "};\n");
    member(
        "const int* neighbours(const Frame& f)",
        "return " + (in ? "f.inSources" : "f.outDestinations") + ";");
    member(
        "Row row(const Frame& f, int v, int part)",
        "(void)f; (void)v; (void)part; Row r{}; " + assignments("r", row) + "return r;");
    member(
        "Edge edge(const Frame& f, int e, int u, int part)",
        "(void)f; (void)e; (void)u; (void)part; Edge x{}; " + assignments("x", edge) + "return x;");
    member(
        "void send(const Frame& f, int row, int part, const Row& own, const Edge& x, PartMessage&"
            + " message, bool& has)",
        "(void)own; (void)x; "
            + AdapterText.call(
                function,
                send,
                "row, part",
                "message, has",
                AdapterText.ofEdge(own, other, ownId, otherId),
                tables));
    out.append("};\n");
  }

  /** The statement that merges a message into what came before. */
  private String merging(String sent) {
    IrFunction merge = program.merge();
    String arguments =
        merge.parameters().stream()
                .map(
                    p ->
                        switch (p.role()) {
                          case LEFT -> ", message.c" + p.index();
                          case RIGHT -> ", " + sent + ".c" + p.index();
                          default -> ", p" + SendAdapters.position(send, p);
                        })
                .collect(Collectors.joining())
            + merge.tables().keySet().stream()
                .map(t -> ", " + FrameField.TABLE.of(t))
                .collect(Collectors.joining());
    return "program_merge_parts(fault, row, part" + arguments + ", message); has = true;";
  }

  private static String members(List<Member> members) {
    return members.stream()
        .map(m -> " " + type(m.type()) + " " + m.name() + ";")
        .collect(Collectors.joining("", "", members.isEmpty() ? "" : " "));
  }

  private static String assignments(String to, List<Member> members) {
    return members.stream()
        .map(m -> to + "." + m.name() + " = " + m.value() + "; ")
        .collect(Collectors.joining());
  }

  private void member(String signature, String body) {
    out.append("  SGG_DEVICE_STATIC " + signature + " { " + body + " }\n");
  }
}
