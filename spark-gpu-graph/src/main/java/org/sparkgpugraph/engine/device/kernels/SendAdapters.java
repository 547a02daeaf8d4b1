package org.sparkgpugraph.engine.device.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.HotColumns;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.analysis.ImprovingSends.Wraps;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * The adapters of a program's send and merge functions: for each direction (In, Out) a Row (what
 * the send function reads of the row's own end) and an Edge (what it reads of the edge and its
 * other end).
 */
final class SendAdapters {
  /** Arrays of so many elements are read where they lie, not copied first: no thread has room. */
  private static final int SHORTEST_IN_PLACE = 8;

  private final LiftedProgram program;
  private final KernelShape shape;
  private final CudaPrinter printer;
  private final List<ColumnType> state;
  private final Pushing pushing;
  private final boolean asynchronous;
  private final DenseTuning tuning;
  private final HotColumns hot;
  private final AdapterText out;

  /** What the send function is given: what it reads, and what the merge function does. */
  private final SortedMap<Integer, Kind> tables = new TreeMap<>();

  /**
   * @param pushing how supersteps push; null: they do not
   * @param asynchronous whether what is pushed may have the sender's value from elsewhere
   * @param tuning whether lanes share loops of the send function, or warps collect contexts of its
   *     costly branch, where it allows that
   * @param hot what is read of other ends by rank; null: they are read by their ids
   * @param out where they are written
   */
  SendAdapters(
      LiftedProgram program,
      KernelShape shape,
      CudaPrinter printer,
      Pushing pushing,
      boolean asynchronous,
      DenseTuning tuning,
      HotColumns hot,
      AdapterText out) {
    this.program = program;
    this.shape = shape;
    this.printer = printer;
    this.pushing = pushing;
    this.asynchronous = asynchronous;
    this.tuning = tuning;
    this.hot = hot;
    this.out = out;
    state = program.state().columns();
    tables.putAll(program.send().tables());
    if (!program.mergesByMode()) {
      tables.putAll(program.merge().tables());
    }
  }

  /** The printed order puts the send function's origin first: the source is named after it. */
  void write() {
    IrFunction send =
        program.mergesByMode() ? program.send() : withContextOf(program.send(), program.merge());
    StringBuilder sides = new StringBuilder();
    String in = shape.inRows() ? printSend("program_send_in", send, Side.DESTINATION) : "";
    String outwards = shape.outRows() ? printSend("program_send_out", send, Side.SOURCE) : "";
    TaskAdapters inTasks = shape.inRows() ? tasks("In", "program_send_in", Side.DESTINATION) : null;
    TaskAdapters outTasks = shape.outRows() ? tasks("Out", "program_send_out", Side.SOURCE) : null;
    in += printTasks(inTasks, Side.DESTINATION);
    outwards += printTasks(outTasks, Side.SOURCE);
    ContextAdapters inContexts =
        shape.inRows() ? contexts("In", "program_send_in", Side.DESTINATION) : null;
    ContextAdapters outContexts =
        shape.outRows() ? contexts("Out", "program_send_out", Side.SOURCE) : null;
    in += printContexts(inContexts, Side.DESTINATION);
    outwards += printContexts(outContexts, Side.SOURCE);
    if (!program.mergesByMode()) {
      out.append(printer.function("program_merge", program.merge(), "Message"));
    }
    out.append(in).append(outwards);
    if (!program.mergesByMode()) {
      mergeAdapter();
    }
    if (shape.inRows()) {
      side(sides, "In", send, Side.DESTINATION, inTasks, inContexts);
    } else {
      sides.append("typedef NoSide In;\n");
    }
    if (shape.outRows()) {
      side(sides, "Out", send, Side.SOURCE, outTasks, outContexts);
    } else {
      sides.append("typedef NoSide Out;\n");
    }
    out.append(sides);
  }

  /** The parts of the send function by which lanes share its loop; null: they do not. */
  private TaskAdapters tasks(String struct, String name, Side side) {
    return tuning.tasks() && !program.mergesByMode()
        ? CudaPrinter.tasks(program.send(), side)
            .map(
                form ->
                    new TaskAdapters(
                        form, withContextOf(form.after(), program.merge()), struct, name))
            .orElse(null)
        : null;
  }

  private String printTasks(TaskAdapters tasks, Side side) {
    return tasks == null
        ? ""
        : tasks.functions(printer, printSend(tasks.afterName(), tasks.after(), side));
  }

  /** The parts of the send function by which warps collect contexts; null: they do not. */
  private ContextAdapters contexts(String struct, String name, Side side) {
    return tuning.contexts() > 0 && !program.mergesByMode()
        ? CudaPrinter.contexts(program.send(), side, program.mergesInAnyOrder())
            .map(
                form ->
                    new ContextAdapters(
                        form,
                        withContextOf(form.costly(), program.merge()),
                        withContextOf(form.otherwise(), program.merge()),
                        struct,
                        name))
            .orElse(null)
        : null;
  }

  private String printContexts(ContextAdapters contexts, Side side) {
    return contexts == null
        ? ""
        : contexts.functions(printer, (name, part) -> printSend(name, part, side));
  }

  private void mergeAdapter() {
    out.function(
        "void sgg_merge(const Frame& f, int row, Message& left, const Message& right)",
        "(void)f;",
        AdapterText.call(
            "program_merge",
            program.merge(),
            "row",
            "left",
            p ->
                switch (p.role()) {
                  case LEFT -> "left.c" + p.index();
                  case RIGHT -> "right.c" + p.index();
                  default -> AdapterText.context(p);
                }));
  }

  /** The function with the context parameters of another one beside its own. */
  static IrFunction withContextOf(IrFunction function, IrFunction other) {
    List<Param> parameters = new ArrayList<>(function.parameters());
    List<Kind> variables = new ArrayList<>(function.variables());
    for (Param p : other.parameters()) {
      boolean known =
          parameters.stream().anyMatch(q -> q.role() == p.role() && q.index() == p.index());
      if (p.role() != Role.LEFT && p.role() != Role.RIGHT && !known) {
        parameters.add(p.in(variables.size()));
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
          tables,
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
        tables,
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
                      .collect(Collectors.joining())
                  + merge.tables().keySet().stream()
                      .map(t -> ", " + FrameField.TABLE.of(t))
                      .collect(Collectors.joining());
          return "if (has) { program_merge(fault, row"
              + arguments
              + ", message); } else { message = "
              + sent
              + "; has = true; }";
        });
  }

  static int position(IrFunction function, Param wanted) {
    for (int i = 0; i < function.parameters().size(); i++) {
      Param p = function.parameters().get(i);
      if (p.role() == wanted.role() && p.index() == wanted.index()) {
        return i;
      }
    }
    throw new IllegalArgumentException(function.name() + " has no parameter " + wanted);
  }

  /** What one direction's rows and edges are. */
  private void side(
      StringBuilder to,
      String name,
      IrFunction send,
      Side side,
      TaskAdapters tasks,
      ContextAdapters contexts) {
    boolean in = side == Side.DESTINATION;
    Role own = in ? Role.DESTINATION : Role.SOURCE;
    Role other = in ? Role.SOURCE : Role.DESTINATION;
    Role ownId = in ? Role.DESTINATION_ID : Role.SOURCE_ID;
    Role otherId = in ? Role.SOURCE_ID : Role.DESTINATION_ID;
    String edges = in ? "inEdge" : "outEdge";
    String offsets = in ? "f.inOffsets" : "f.outOffsets";
    String neighbours =
        hot != null ? "f." + FrameField.HOT_NEIGHBOURS : in ? "f.inSources" : "f.outDestinations";
    List<Member> row = new ArrayList<>();
    for (int c : indexes(send, own)) {
      row.add(member("own" + c, state.get(c), "f.state" + c, "v", AdapterText::load));
    }
    if (send.reads(ownId)) {
      row.add(new Member("ownId", Kind.LONG, "f.ids[v]"));
    }
    List<Member> edge = new ArrayList<>();
    for (int c : indexes(send, other)) {
      edge.add(
          hot != null
              ? new Member("other" + c, state.get(c).kind(), byRank(c))
              : member("other" + c, state.get(c), "f.state" + c, "u", AdapterText::gather));
    }
    for (int c : indexes(send, Role.EDGE)) {
      ColumnType type = program.edge().columns().get(c);
      edge.add(member("edge" + c, type, "f." + edges + c, "e", AdapterText::load));
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
    boolean parts = shape.tracksChanges();
    String sent =
        in ? parts ? "inTransposeEdge" : "outEdge" : parts ? "outTransposeEdge" : "inEdge";
    if (pushing != null) {
      pushed(to, edge, edges, sent);
    }
    if (asynchronous) {
      told(to, edge, edges, sent);
    }
    if (pushing != null && pushing.prunesSenders()) {
      senders(to, send, side, "f." + sent);
    }
    if (pushing != null && pushing.sortsRows()) {
      sorted(to, send, side, edge, edges);
    } else if (pushing != null && pushing.stopsEarly()) {
      says(to, send, side);
    }
    Function<Param, String> value = AdapterText.ofEdge(own, other, ownId, otherId);
    if (tasks == null) {
      to.append("  static constexpr bool TASKS = false;\n");
    } else {
      tasks.members(to, value, tables);
    }
    if (contexts == null) {
      to.append("  static constexpr bool CONTEXTS = false;\n");
    } else {
      contexts.members(to, value, tables);
    }
    StringBuilder body = new StringBuilder("(void)own; (void)x; ");
    body.append(
        AdapterText.call(
            in ? "program_send_in" : "program_send_out",
            send,
            "row",
            "message, has",
            value,
            tables));
    member(
        to,
        "void send(const Frame& f, int row, const Row& own, const Edge& x, Message& message,"
            + " bool& has)",
        body.toString());
    to.append("};\n");
  }

  /** A value of the other end whose rank is known. */
  private String byRank(int column) {
    return "sgg_hot_value<%s, %d>(f, f.%s, u)"
        .formatted(
            CTypes.memory(state.get(column).kind()),
            hot.before(column, state),
            FrameField.HOT_VALUE.of(column));
  }

  /**
   * Whether a vertex sends anything, if all receivers have the worst value; where messages depend
   * on an edge value, over the least one and over the largest of all.
   *
   * @param sent prefix of the edge values in the order of the senders' rows
   */
  private void senders(StringBuilder to, IrFunction send, Side side, String sent) {
    ImprovingSends proof = pushing.senders();
    String signature = "bool sends(const Frame& f, int u, const State& s, const State& worst)";
    String begin = "(void)u; (void)s; (void)worst; Message message{}; bool has = false; ";
    if (!proof.readsEdge()) {
      member(
          to,
          signature,
          begin + toWorst(send, side, "worst.c0", "", "message, has") + "return has;");
      return;
    }
    Kind kind = program.edge().columns().get(proof.edgeColumn()).kind();
    String type = CTypes.register(kind);
    to.append("  typedef ").append(type).append(" SentEdge;\n");
    member(
        to,
        "const " + CTypes.memory(kind) + "* sentEdges(const Frame& f)",
        "return " + sent + proof.edgeColumn() + ";");
    member(
        to,
        "bool noEdges(SentEdge& least, SentEdge& most)",
        "least = %s; most = %s; return true;"
            .formatted(
                CTypes.literal(MergeAlgebra.MIN.identity(kind)),
                CTypes.literal(MergeAlgebra.MAX.identity(kind))));
    StringBuilder body = new StringBuilder(begin);
    for (String word : List.of("least", "most")) {
      body.append(
          "%s %s = *(const %s*)&f.queueState[SGG_QUEUE_%s_EDGE]; "
              .formatted(type, word, type, word.toUpperCase(Locale.ROOT)));
    }
    if (!kind.isIntegral()) {
      // Infinities less infinities: somewhere between them there is a number.
      body.append("if (least - least != 0 || most - most != 0) { return true; } ");
    }
    for (String word : List.of("least", "most")) {
      body.append(toWorst(send, side, "worst.c0", word, "message, has"))
          .append("if (has) { return true; } ");
    }
    if (proof.wraps() == Wraps.NEVER) {
      member(to, signature, body.append("return false;").toString());
      return;
    }
    body.append("Message first{}, last{}; bool hasFirst = false, hasLast = false; ");
    String none =
        CTypes.literal(pushing.merge().get(0).identity(program.message().columns().get(0).kind()));
    body.append(toWorst(send, side, none, "least", "first, hasFirst"));
    body.append(toWorst(send, side, none, "most", "last, hasLast"));
    String order = proof.wraps() == Wraps.UPWARDS ? "<" : ">";
    body.append("return hasFirst != hasLast || hasFirst && last.c0 " + order + " first.c0;");
    member(to, signature, body.toString());
  }

  /** What a vertex says to a receiver of the worst value that there is. */
  private void says(StringBuilder to, IrFunction send, Side side) {
    Kind kind = program.message().columns().get(0).kind();
    String worst = CTypes.literal(pushing.merge().get(0).identity(kind));
    member(
        to,
        "void says(const Frame& f, int u, const State& s, Message& message, bool& has)",
        "(void)f; (void)u; (void)s; " + toWorst(send, side, worst, "", "message, has"));
  }

  /**
   * The edges of rows that are sorted by their value, and what a vertex says over one of some value
   * to a receiver of the worst value that there is.
   *
   * @param received prefix of the edge values in the order of the rows that are not sorted
   */
  private void sorted(
      StringBuilder to, IrFunction send, Side side, List<Member> edge, String received) {
    int column = pushing.order().column();
    Kind kind = program.message().columns().get(0).kind();
    String worst = CTypes.literal(pushing.merge().get(0).identity(kind));
    String values = FrameField.SORTED_EDGE.of(column);
    member(
        to,
        "Edge sorted(const Frame& f, int e, int u)",
        "(void)f; (void)e; (void)u; Edge x{}; "
            + assignments(
                "x",
                edge,
                m -> m.value().replace("f." + received, "f." + FrameField.SORTED_EDGE.prefix()))
            + "return x;");
    member(
        to,
        "int sortedNeighbour(const Frame& f, int e)",
        "return f." + FrameField.SORTED_NEIGHBOURS + "[e];");
    member(to, "SentEdge sortedValue(const Frame& f, int e)", "return f." + values + "[e];");
    String sum =
        pushing.order().adds()
            ? "%s more = edge, sum = sgg_add(s.c0, more); return ((s.c0 ^ sum) & (more ^ sum)) < 0;"
                .formatted(CTypes.register(kind))
            : "(void)s; (void)edge; return false;";
    member(to, "bool overflows(const State& s, SentEdge edge)", sum);
    member(
        to,
        "void saysOver(const Frame& f, int u, const State& s, SentEdge edge, Message& message,"
            + " bool& has)",
        "(void)f; (void)u; (void)s; (void)edge; "
            + toWorst(send, side, worst, "edge", "message, has"));
  }

  /** The message of a vertex {@code u} of state {@code s}. */
  private String toWorst(IrFunction send, Side side, String worst, String edge, String result) {
    boolean in = side == Side.DESTINATION;
    return AdapterText.call(
            in ? "program_send_in" : "program_send_out",
            send,
            "u",
            result,
            p ->
                switch (p.role()) {
                  case SOURCE -> in ? "s.c0" : worst;
                  case DESTINATION -> in ? worst : "s.c0";
                  case EDGE -> edge;
                  default -> AdapterText.context(p);
                },
            tables)
        + " ";
  }

  /**
   * The same edges from their other end: rows of senders, whose neighbours get the messages.
   *
   * @param edge what is read of an edge and its sender
   * @param received prefix of the edge values in the order of the receivers' rows
   * @param sent … and of the senders'
   */
  private static void pushed(StringBuilder to, List<Member> edge, String received, String sent) {
    member(
        to,
        "Edge pushed(const Frame& f, int e, int u)",
        "(void)f; (void)e; (void)u; Edge x{}; "
            + assignments("x", edge, m -> m.value().replace("f." + received, "f." + sent))
            + "return x;");
  }

  /** The same with the sender's values as they are given. */
  private static void told(StringBuilder to, List<Member> edge, String received, String sent) {
    member(
        to,
        "Edge told(const Frame& f, int e, int u, const State& s)",
        "(void)f; (void)e; (void)u; (void)s; Edge x{}; "
            + assignments(
                "x",
                edge,
                m ->
                    m.name().matches("other\\d+")
                        ? "s.c" + m.name().substring("other".length())
                        : m.value().replace("f." + received, "f." + sent))
            + "return x;");
    member(
        to,
        "void ahead(const Frame& f, int e)",
        "(void)f; (void)e; "
            + edge.stream()
                .filter(m -> m.name().matches("edge\\d+"))
                .map(
                    m ->
                        "sgg_prefetch((const int*)&f."
                            + sent
                            + m.name().substring("edge".length())
                            + "[e]); ")
                .collect(Collectors.joining()));
  }

  /**
   * @param declared its type in C
   * @param value what it is given
   */
  private record Member(String name, String declared, String value) {
    Member(String name, Kind kind, String value) {
      this(name, CTypes.register(kind), value);
    }
  }

  /** How a row of a column is read. */
  private interface Load {
    String of(String column, String row, ColumnType type);
  }

  /**
   * A value of a column. No kernel that sends writes the columns that it reads, so of a long array
   * only its place is loaded: its elements are read where the program reads them.
   */
  private static Member member(String name, ColumnType type, String column, String row, Load load) {
    boolean place =
        type.isArray() && type.kind() != Kind.BOOLEAN && type.width() >= SHORTEST_IN_PLACE;
    return place
        ? new Member(
            name,
            "sgg_stored<%s, %d>".formatted(CTypes.register(type.kind()), type.width()),
            "{%s + (long long)%s * %d}".formatted(column, row, type.width()))
        : new Member(name, CTypes.value(type), load.of(column, row, type));
  }

  private static String members(List<Member> members) {
    return members.stream()
        .map(m -> " " + m.declared() + " " + m.name() + ";")
        .collect(Collectors.joining("", "", members.isEmpty() ? "" : " "));
  }

  private static String assignments(
      String to, List<Member> members, Function<Member, String> value) {
    return members.stream()
        .map(m -> to + "." + m.name() + " = " + value.apply(m) + "; ")
        .collect(Collectors.joining());
  }

  /** A static member function. */
  static void member(StringBuilder to, String signature, String body) {
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
}
