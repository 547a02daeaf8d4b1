package org.sparkgpugraph.engine.device.kernels;

import static org.sparkgpugraph.engine.device.kernels.AdapterText.call;
import static org.sparkgpugraph.engine.device.kernels.AdapterText.context;
import static org.sparkgpugraph.engine.device.kernels.AdapterText.copy;
import static org.sparkgpugraph.engine.device.kernels.AdapterText.lines;
import static org.sparkgpugraph.engine.device.kernels.AdapterText.load;
import static org.sparkgpugraph.engine.device.kernels.AdapterText.loadOnce;
import static org.sparkgpugraph.engine.device.kernels.AdapterText.store;
import static org.sparkgpugraph.engine.device.kernels.AdapterText.storeOnce;

import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.HotColumns;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.ResidualProof;
import org.sparkgpugraph.program.analysis.Residuals;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.ColumnType;
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
  private final List<ColumnType> state;
  private final List<ColumnType> message;
  private final boolean[] stable;
  private final int[] shipped;
  private final Pushing pushing;
  private final boolean asynchronous;

  /** What is relaxed without supersteps; null: nothing, or the least or largest values. */
  private final Residuals residuals;

  private final DenseTuning tuning;
  private final FeatureLayout features;
  private final HotColumns hot;
  private final AdapterText out = new AdapterText();

  /**
   * @param pushing how supersteps push; null: they do not
   * @param asynchronous whether values are relaxed without supersteps, too
   * @param tuning how rows are gathered
   * @param shipped state columns that partitions tell each other
   * @param features how lanes share the arrays of messages; null: they do not
   * @param hot what is read of other ends by rank; null: nothing
   */
  ProgramAdapters(
      LiftedProgram program,
      KernelShape shape,
      CudaPrinter printer,
      Pushing pushing,
      boolean asynchronous,
      DenseTuning tuning,
      List<Integer> shipped,
      FeatureLayout features,
      HotColumns hot) {
    this.features = features;
    this.hot = hot;
    this.pushing = pushing;
    this.asynchronous = asynchronous;
    residuals =
        asynchronous && pushing.spreadsResiduals() ? ResidualProof.of(program).orElseThrow() : null;
    this.tuning = tuning;
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
    out.append(KernelHeaders.text("sides.cuh"));
    if (hot != null) {
      hotAdapters();
    }
    out.append("#line 1 \"adapters\"\n");
    new SendAdapters(program, shape, printer, pushing, asynchronous, tuning, hot, out).write();
    stateAdapters();
    messageAdapters();
    vertexAdapters();
    aggregateAdapters("aggregate", program.aggregates(), false);
    if (!program.finalAggregates().isEmpty()) {
      aggregateAdapters("final_aggregate", program.finalAggregates(), true);
    }
    outboxAdapters();
    resultAdapters();
    if (features != null) {
      new PartAdapters(program, shape, printer, shipped, out).write(features.applies());
      if (features.team() != null) {
        new TeamAdapters(program, printer, out).write(features.team());
      }
    }
    return out.toString();
  }

  /** Copies of the columns that are read of other ends. */
  private void hotAdapters() {
    out.append("#define SGG_HOT_BYTES " + hot.bytes() + "\n")
        .append(KernelHeaders.text("near.cuh"));
    out.append("#line 1 \"adapters\"\n");
    List<Integer> changing = hot.columns().stream().filter(c -> !stable[c]).toList();
    out.function(
        "void sgg_hot_take(const Frame& f, int rank, int v)",
        lines(hot.columns().stream().map(c -> byRank(FrameField.HOT_VALUE, c))),
        // A vertex that does not exist never runs: its values are the same always.
        lines(changing.stream().map(c -> byRank(FrameField.HOT_NEXT, c))));
    out.function(
        "void sgg_hot_take_ghost(const Frame& f, int rank, int v)",
        "(void)f; (void)rank; (void)v;",
        lines(changing.stream().map(c -> byRank(FrameField.HOT_VALUE, c))));
    out.function(
        "void sgg_store_ranked(const Frame& f, int rank, const State& s)",
        "(void)f; (void)rank; (void)s;",
        "if (rank >= 0) {",
        lines(
            changing.stream()
                .map(
                    c ->
                        "  "
                            + store(
                                "f." + FrameField.HOT_NEXT.of(c),
                                "rank",
                                state.get(c),
                                "s.c" + c))),
        "}");
    out.function(
        "void sgg_hot_keep(const Frame& f, int count)",
        lines(
            hot.columns().stream()
                .map(
                    c ->
                        "sgg_hot_copy<%s, %d>(f, f.%s, count);"
                            .formatted(
                                CTypes.memory(state.get(c).kind()),
                                hot.before(c, state),
                                FrameField.HOT_VALUE.of(c)))));
  }

  private String byRank(FrameField.PerColumn to, int c) {
    return copy("f." + to.of(c), "rank", state.get(c), "f." + FrameField.STATE.of(c), "v");
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
    String written = eachChanging(c -> store("f.next" + c, "v", state.get(c), "s.c" + c));
    out.function(
        "void sgg_load_state(const Frame& f, int v, State& s)",
        each(state, c -> "s.c" + c + " = " + own(c) + ";"));
    out.function(
        "void sgg_store_state(const Frame& f, int v, const State& s)",
        "(void)f; (void)v; (void)s;",
        hot == null
            ? written
            : eachChanging(c -> storeOnce("f.next" + c, "v", state.get(c), "s.c" + c)));
    // Superstep 0: both buffers, so that rows which never run are the same in both.
    out.function(
        "void sgg_write_state(const Frame& f, int v, const State& s)",
        each(state, c -> store("f.state" + c, "v", state.get(c), "s.c" + c)),
        written);
    out.function(
        "void sgg_copy_unchanged(const Frame& f, int v)",
        "(void)f; (void)v;",
        eachChanging(c -> copy("f.next" + c, "v", state.get(c), "f.state" + c, "v")));
    out.function(
        "void sgg_commit_state(const Frame& f, int v)",
        "(void)f; (void)v;",
        eachChanging(c -> copy("f.state" + c, "v", state.get(c), "f.next" + c, "v")));
    out.function(
        "bool sgg_state_differs(const State& a, const State& b)",
        "(void)a; (void)b;",
        differs(IntStream.range(0, state.size())));
    out.function(
        "bool sgg_shipped_differs(const State& a, const State& b)",
        "(void)a; (void)b;",
        differs(IntStream.of(shipped)));
  }

  /** A vertex's own value, which nobody else reads where hot vertices are read first. */
  private String own(int c) {
    return hot == null
        ? load("f.state" + c, "v", state.get(c))
        : loadOnce("f.state" + c, "v", state.get(c));
  }

  /** Whether one of some columns differs, of those that change. */
  private String differs(IntStream columns) {
    String any =
        columns
            .filter(c -> !stable[c])
            .mapToObj(c -> "sgg_differs(a.c" + c + ", b.c" + c + ")")
            .collect(Collectors.joining(" || "));
    return "return " + (any.isEmpty() ? "false" : any) + ";";
  }

  private static String each(List<?> columns, IntFunction<String> statement) {
    return lines(IntStream.range(0, columns.size()).mapToObj(statement));
  }

  private String eachChanging(IntFunction<String> statement) {
    return lines(IntStream.range(0, state.size()).filter(c -> !stable[c]).mapToObj(statement));
  }

  // ---- messages -------------------------------------------------------------------------------

  private void messageAdapters() {
    out.function("void sgg_message_reset(Message& m)", "m = Message{};");
    out.function(
        "Message sgg_message_shfl(const Message& m, int lane)",
        "Message r;",
        each(message, c -> "r.c" + c + " = sgg_shfl(m.c" + c + ", lane);"),
        "return r;");
    out.function(
        "Message sgg_message_shfl_down(const Message& m, int d)",
        "Message r;",
        each(message, c -> "r.c" + c + " = sgg_shfl_down(m.c" + c + ", d);"),
        "return r;");
    if (pushing != null && pushing.prunesSenders()) {
      worstAdapters();
    }
    if (pushing != null) {
      out.function(
          "bool sgg_push_merge(const Frame& f, int v, const Message& m)",
          "(void)f; (void)v; (void)m;",
          "return " + (pushing.intoValue() ? mergeInto(0, "state") : "false") + ";");
      if (!pushing.mode().isProgram()) {
        slotAdapters();
      }
      out.function(
          "void sgg_write_current(const Frame& f, int v, const State& s)",
          "(void)f; (void)v; (void)s;",
          eachChanging(c -> store("f.state" + c, "v", state.get(c), "s.c" + c)));
      farAdapter("State");
      farAdapter("Message");
    }
    if (residuals != null) {
      residualAdapters();
    } else if (asynchronous) {
      asyncAdapters();
    }
    for (String which : List.of("initial", "empty")) {
      out.function(
          "void sgg_" + which + "_message(const Frame& f, Message& m)",
          each(
              message,
              c -> "m.c" + c + " = " + constant("f." + which + "Message" + c, message.get(c))));
    }
    out.function(
        "void sgg_partial_store(const Frame& f, int chunk, const Message& m)",
        each(message, c -> store("f.partial" + c, "chunk", message.get(c), "m.c" + c)));
    out.function(
        "void sgg_partial_load(const Frame& f, int chunk, Message& m)",
        each(
            message,
            c -> "m.c" + c + " = " + load("f.partial" + c, "chunk", message.get(c)) + ";"));
    if (shape.partialMessages()) {
      out.function(
          "void sgg_merged_store(const Frame& f, int row, const Message& m)",
          each(message, c -> store("f.merged" + c, "row", message.get(c), "m.c" + c)));
      out.function(
          "void sgg_told_load(const Frame& f, int slot, Message& m)",
          each(message, c -> "m.c" + c + " = " + load("f.told" + c, "slot", message.get(c)) + ";"));
    }
  }

  private static String constant(String member, ColumnType type) {
    return (type.isArray() ? load(member, "0", type) : member) + ";";
  }

  /** Merges a column of a message into a cell. */
  private String mergeInto(int c, String cells) {
    String operation = pushing.merge().get(c).name().toLowerCase(Locale.ROOT);
    return "sgg_" + operation + "_into(&f." + cells + c + "[v], m.c" + c + ")";
  }

  /** What is worst is best to the opposite operation. */
  private void worstAdapters() {
    Kind kind = message.get(0).kind();
    boolean min = pushing.merge().get(0) == MergeAlgebra.MIN;
    MergeAlgebra opposite = min ? MergeAlgebra.MAX : MergeAlgebra.MIN;
    out.append("  typedef " + CTypes.register(kind) + " ColumnValue;\n");
    out.function(
        "void sgg_best_value(ColumnValue& value)",
        "value = " + CTypes.literal(opposite.identity(kind)) + ";");
    out.function(
        "bool sgg_is_worse(ColumnValue a, ColumnValue b)", "return a " + (min ? ">" : "<") + " b;");
    out.function(
        "void sgg_worst_into(ColumnValue* cell, ColumnValue value)",
        "sgg_" + (min ? "max" : "min") + "_into(cell, value);");
  }

  /** By what vertices are put off. */
  private void farAdapter(String of) {
    out.function(
        "double sgg_far_value(const " + of + "& value)",
        "(void)value;",
        "return " + (pushing.buckets() ? "(double)value.c0" : "0.0") + ";");
  }

  /** The one column of a state or message as a priority and as bits. */
  private void asyncAdapters() {
    Kind kind = message.get(0).kind();
    boolean min = pushing.merge().get(0) == MergeAlgebra.MIN;
    for (String of : List.of("State", "Message")) {
      out.function(
          "double sgg_priority(const " + of + "& value)",
          "return " + (min ? "" : "-") + "(double)value.c0;");
      out.function(
          "float sgg_rough_priority(const " + of + "& value)",
          "return " + (min ? "" : "-") + "(float)value.c0;");
      String bits =
          switch (kind) {
            case INT -> "(unsigned long long)(unsigned)value.c0";
            case FLOAT -> "(unsigned long long)(unsigned)__float_as_int(value.c0)";
            case DOUBLE -> "(unsigned long long)__double_as_longlong(value.c0)";
            default -> "(unsigned long long)value.c0";
          };
      out.function(
          "unsigned long long sgg_async_bits(const " + of + "& value)", "return " + bits + ";");
    }
    String back =
        switch (kind) {
          case INT -> "(int)(unsigned)bits";
          case FLOAT -> "__int_as_float((int)(unsigned)bits)";
          case DOUBLE -> "__longlong_as_double((long long)bits)";
          default -> "(long long)bits";
        };
    out.function(
        "void sgg_async_value(unsigned long long bits, State& value)", "value.c0 = " + back + ";");
    out.function(
        "bool sgg_overtaken(const State& value, unsigned long long bits)",
        "return value.c0 " + (min ? "<" : ">") + " " + back + ";");
    asyncMerge(kind, min);
    // From where atomic operations take place, not from a cache that does not know of them.
    out.function(
        "void sgg_fresh_state(const Frame& f, int v, State& s)",
        "s.c0 = *(const volatile " + CTypes.memory(kind) + "*)&f.state0[v];");
    out.function(
        "void sgg_state_shfl(const State& s, int lane, State& r)", "r.c0 = sgg_shfl(s.c0, lane);");
  }

  /**
   * What a sum of messages lets a value grow by, when that is said on, and how it is written.
   * Nothing of the vertex is in it, so the vertex program is asked with zeros.
   */
  private void residualAdapters() {
    String delta = "c" + residuals.delta();
    String tolerance =
        residuals.capture() < 0
            ? CTypes.literal(residuals.constant())
            : "f.capture" + residuals.capture();
    out.append("  typedef " + CTypes.register(residuals.kind()) + " Residual;\n");
    out.function("Residual sgg_residual_message(const Message& m)", "return m.c0;");
    out.function(
        "Residual* sgg_residual_slot(const Frame& f, int v)",
        "return &f." + FrameField.SLOT.of(0) + "[v];");
    out.function(
        "bool sgg_residual_exceeds(const Frame& f, Residual delta)",
        "(void)f;",
        "return "
            + (residuals.absolute() ? "(delta < (Residual)0 ? -delta : delta)" : "delta")
            + " > "
            + tolerance
            + " && delta != (Residual)0;");
    out.function(
        "bool sgg_residual_shrinks(Residual before, Residual behind)",
        "(void)before; (void)behind;",
        "return " + (residuals.absolute() ? "false" : "behind < before") + ";");
    out.function(
        "Residual sgg_residual_grow(const Frame& f, int v, Residual delta)",
        "Residual before = sgg_sum_begin(&f.state" + residuals.value() + "[v], delta);",
        "Residual said = " + (residuals.rounded() ? "(before + delta) - before" : "delta") + ";",
        "(void)before;",
        "return said;");
    out.function(
        "void sgg_residual_unsaid(const Frame& f, int v, Residual delta)",
        "f.state" + residuals.delta() + "[v] = delta;");
    out.function("Residual sgg_residual_said(const State& s)", "return s." + delta + ";");
    out.function("void sgg_residual_say(State& s, Residual said)", "s." + delta + " = said;");
    out.function(
        "void sgg_state_shfl(const State& s, int lane, State& r)",
        each(state, c -> "r.c" + c + " = sgg_shfl(s.c" + c + ", lane);"));
  }

  /**
   * A merge in two halves, so that the atomic operations of several edges are under way together.
   */
  private void asyncMerge(Kind kind, boolean min) {
    String merge = "sgg_" + (min ? "min" : "max");
    out.append("  typedef " + CTypes.register(kind) + " AsyncMerged;\n");
    out.function(
        "AsyncMerged sgg_async_merge(const Frame& f, int v, const State& known, const Message& m,"
            + " bool sends)",
        "AsyncMerged before{};",
        "if (sends) { before = " + merge + "_begin(&f.state0[v], known.c0, m.c0); }",
        "return before;");
    out.function(
        "bool sgg_async_improved(const Frame& f, int v, const State& known, const Message& m,"
            + " AsyncMerged before)",
        "return " + merge + "_end(&f.state0[v], known.c0, before, m.c0);");
    if (!shape.tracksChanges()) {
      out.function(
          "bool sgg_async_tell(const Frame& f, int v, const State& known, const Message& m)",
          "return " + merge + "_tell(&f.state0[v], known.c0, m.c0, &f.tileState[SGG_TILE_NANS]);");
      out.function("void sgg_async_settle(const Frame& f, int v)", "sgg_settle(&f.state0[v]);");
    }
  }

  /** Slots hold columns as they stand in registers: there are no atomics on bytes. */
  private void slotAdapters() {
    List<MergeAlgebra> merge = pushing.merge();
    out.function(
        "void sgg_slot_reset(const Frame& f, int v)",
        "(void)f; (void)v;",
        each(
            message,
            c -> {
              String nothing = CTypes.literal(merge.get(c).identity(message.get(c).kind()));
              return "f.slot" + c + "[v] = " + nothing + ";";
            }));
    out.function(
        "void sgg_slot_merge(const Frame& f, int v, const Message& m)",
        "(void)f; (void)v; (void)m;",
        each(message, c -> mergeInto(c, "slot") + ";"));
    out.function(
        "void sgg_slot_load(const Frame& f, int v, Message& m)",
        "(void)f; (void)v; (void)m;",
        each(message, c -> "m.c" + c + " = f.slot" + c + "[v];"));
  }

  // ---- vertex program -------------------------------------------------------------------------

  private void vertexAdapters() {
    IrFunction initial = program.initialState();
    print("program_initial_state", initial, "State");
    out.function(
        "void sgg_initial_state(const Frame& f, int v, State& s)",
        initial != null
            ? call("program_initial_state", initial, "v", "s", this::ofVertex)
            : "(void)f; (void)v;\n  "
                + each(
                    state,
                    c -> "s.c" + c + " = " + load("f.attribute" + c, "v", state.get(c)) + ";"));
    IrFunction missing = shape.missingVertices() ? program.missingState() : null;
    print("program_missing_state", missing, "State");
    out.function(
        "void sgg_missing_state(const Frame& f, int v, State& s)",
        "(void)f; (void)v; (void)s;",
        missing == null ? "" : call("program_missing_state", missing, "v", "s", this::ofVertex));
    IrFunction run = program.vertexProgram();
    print("program_vertex", run, "State");
    out.function(
        "void sgg_vertex_program(const Frame& f, int v, const State& before, const Message& message,"
            + " State& after)",
        "(void)before; (void)message;",
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
                }));
    if (residuals != null) {
      residualOfSum();
    }
    IrFunction activeWhen = program.activeWhen();
    print("program_active_when", activeWhen, "Flag");
    out.function(
        "bool sgg_active_when(const Frame& f, int v, const State& before, const State& after)",
        "(void)f; (void)v; (void)before; (void)after;",
        activeWhen == null ? "return true;" : "Flag flag{};",
        activeWhen == null
            ? ""
            : call("program_active_when", activeWhen, "v", "flag", this::beforeAfter),
        activeWhen == null ? "" : "return flag.c0 != 0;");
  }

  /** What the proof has found: a multiple of the sum, whatever the vertex. */
  private void residualOfSum() {
    out.function(
        "Residual sgg_residual_of(const Frame& f, Residual sum)",
        "State before{}; State after{}; Message message{};",
        "message.c0 = sum;",
        "sgg_vertex_program(f, 0, before, message, after);",
        "return after.c" + residuals.delta() + ";");
  }

  /** Prints a function, where the program has it. */
  private void print(String name, IrFunction function, String result) {
    if (function != null) {
      out.append(printer.function(name, function, result));
    }
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
          load("f.attribute" + p.index(), "v", program.attribute().columns().get(p.index()));
      case VALUE -> load("f.state" + p.index(), "v", state.get(p.index()));
      case IN_DEGREE -> "f.inDegrees[v]";
      case OUT_DEGREE -> "f.outDegrees[v]";
      default -> context(p);
    };
  }

  // ---- aggregates -----------------------------------------------------------------------------

  /**
   * @param end aggregates of the final values: before and after are the same
   */
  private void aggregateAdapters(String name, List<Aggregate> aggregates, boolean end) {
    for (int i = 0; i < aggregates.size(); i++) {
      print("program_" + name + i, aggregates.get(i).function(), "Real");
    }
    out.function(
        "void sgg_" + name + "s_neutral(double* values)",
        "(void)values;",
        each(
            aggregates,
            i -> {
              String neutral = CTypes.literal(aggregates.get(i).operation().neutral());
              return "values[" + i + "] = " + neutral + ";";
            }));
    out.function(
        "double sgg_" + name + "_combine(int i, double a, double b)",
        "(void)b;",
        "switch (i) {",
        each(aggregates, i -> "  case " + i + ": return " + combined(aggregates.get(i)) + ";"),
        "  default: return a;",
        "}");
    String before = end ? "" : "const State& before, ";
    out.function(
        "void sgg_"
            + name
            + "(const Frame& f, int v, "
            + before
            + "const State& after, double* values)",
        end
            ? "(void)f; (void)v; (void)values; const State& before = after; (void)before;"
            : "(void)f; (void)v; (void)before; (void)after; (void)values;",
        aggregates.isEmpty() ? "" : "Real real{};",
        each(aggregates, i -> aggregated(name, i, aggregates.get(i).function())));
  }

  private static String combined(Aggregate aggregate) {
    return switch (aggregate.operation()) {
      case SUM -> "a + b";
      case MIN -> "sgg_min(a, b)";
      case MAX -> "sgg_max(a, b)";
    };
  }

  private String aggregated(String name, int i, IrFunction function) {
    String value = "values[" + i + "]";
    return call("program_" + name + i, function, "v", "real", this::beforeAfter)
        + ("\n  " + value + " = sgg_" + name + "_combine(" + i + ", " + value + ", real.c0);");
  }

  // ---- exchange and result --------------------------------------------------------------------

  private void outboxAdapters() {
    out.function(
        "void sgg_outbox_store(const Outbox& box, int slot, const State& s)",
        "(void)box; (void)slot; (void)s;",
        eachShipped(c -> store("box.value" + c, "slot", state.get(c), "s.c" + c)));
    out.function(
        "void sgg_outbox_values(const Outbox& own, int lane, Outbox& box)",
        "(void)own; (void)lane; (void)box;",
        eachShipped(
            c ->
                "box.value%d = (%s*)sgg_shfl((long long)own.value%d, lane);"
                    .formatted(c, CTypes.memory(state.get(c).kind()), c)));
    // Stable columns too: after a restore the home is the first to tell them.
    out.function(
        "void sgg_outbox_load(const Frame& f, const Outbox& box, int slot, int v)",
        "(void)f; (void)box; (void)slot; (void)v;",
        lines(IntStream.range(0, shipped.length).mapToObj(this::takeShipped)));
  }

  private String takeShipped(int i) {
    int c = shipped[i];
    ColumnType type = state.get(c);
    ElementWords words = new ElementWords(IntStream.of(shipped).mapToObj(state::get).toList());
    String whole = copy("f.state" + c, "v", type, "box.value" + c, "slot");
    return words.words(i) == 0
        ? whole
        : "if (f.inboxElements == nullptr) {\n    %s\n  } else {\n    %s\n  }"
            .formatted(
                whole,
                "sgg_copy_elements<%d>(f.state%d, v, box.value%d, slot, %s);"
                    .formatted(
                        type.width(),
                        c,
                        c,
                        "f.inboxElements + (long long)slot * %d + %d"
                            .formatted(words.count(), words.first(i))));
  }

  private String eachShipped(IntFunction<String> statement) {
    return lines(IntStream.of(shipped).mapToObj(statement));
  }

  private void resultAdapters() {
    IrFunction result = program.resultFunction();
    if (result == null) {
      return;
    }
    print("program_result", result, "Result");
    out.function(
        "void sgg_result(const Frame& f, int v, Result& value)",
        call("program_result", result, "v", "value", this::ofVertex));
    List<ColumnType> columns = program.result().columns();
    out.function(
        "void sgg_result_store(const Frame& f, int v, const Result& value)",
        each(columns, c -> store("f.result" + c, "v", columns.get(c), "value.c" + c)));
  }
}
