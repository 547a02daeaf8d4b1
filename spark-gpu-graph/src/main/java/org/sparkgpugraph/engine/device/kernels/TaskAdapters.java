package org.sparkgpugraph.engine.device.kernels;

import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.lanes.TaskForm;

/**
 * The adapters of a send function that was cut for lanes that share its loop: what {@code
 * sgg/tasks.cuh} wants of a side of edges.
 */
final class TaskAdapters {
  private final TaskForm form;
  private final IrFunction after;
  private final String side;
  private final String name;

  /** Columns of what {@code before} returns that rounds read. */
  private final TreeSet<Integer> context = new TreeSet<>();

  /**
   * @param after the part behind the loop, with all parameters that it is given
   * @param side the struct of the side: In or Out
   * @param name of the printed send function, with which those of its parts begin
   */
  TaskAdapters(TaskForm form, IrFunction after, String side, String name) {
    this.form = form;
    this.after = after;
    this.side = side;
    this.name = name;
    for (Param p : form.round().parameters()) {
      if (p.role() == Role.VALUE) {
        context.add(p.index());
      }
    }
    form.folds().stream().filter(f -> f.held() >= 0).forEach(f -> context.add(f.held()));
  }

  /**
   * The printed functions and the structs between them.
   *
   * @param printedAfter the part behind the loop as it was printed
   */
  String functions(CudaPrinter printer, String printedAfter) {
    return CTypes.struct(before(), form.before().results())
        + CTypes.struct(sums(), form.round().results())
        + printer.function(name + "_before", form.before(), before())
        + printer.function(name + "_round", form.round(), sums())
        + printedAfter;
  }

  private String before() {
    return side + "Before";
  }

  private String sums() {
    return side + "Sums";
  }

  /**
   * The members of the side's struct.
   *
   * @param value of a parameter of the send function
   * @param tables those that the part behind the loop is given
   */
  void members(StringBuilder to, Function<Param, String> value, SortedMap<Integer, Kind> tables) {
    to.append("  static constexpr bool TASKS = true;\n");
    to.append("  typedef ").append(before()).append(" Before;\n");
    to.append("  typedef ").append(sums()).append(" Sums;\n");
    to.append("  struct Context {");
    for (int c : context) {
      to.append(' ').append(CTypes.value(type(c))).append(" c").append(c).append(';');
    }
    to.append(context.isEmpty() ? "};\n" : " };\n");
    SendAdapters.member(
        to,
        "void before(const Frame& f, int row, const Row& own, const Edge& x, Before& before)",
        "(void)own; (void)x; "
            + AdapterText.call(name + "_before", form.before(), "row", "before", value));
    SendAdapters.member(
        to,
        "Context context(const Before& before)",
        "(void)before; Context c{}; "
            + each(context, c -> "c.c%d = before.c%1$d; ".formatted(c))
            + "return c;");
    SendAdapters.member(
        to,
        "Context shfl(const Context& context, int lane)",
        "(void)context; (void)lane; Context c{}; "
            + each(context, c -> "c.c%d = sgg_shfl(context.c%1$d, lane); ".formatted(c))
            + "return c;");
    SendAdapters.member(
        to,
        "Sums start(const Context& context)",
        "(void)context; Sums s{}; "
            + folds(
                r -> {
                  TaskForm.Fold fold = form.folds().get(r);
                  String first =
                      fold.held() >= 0
                          ? "context.c" + fold.held()
                          : CTypes.literal(fold.operator().identity(fold.kind()));
                  return "s.c%d = %s; ".formatted(r, first);
                })
            + "return s;");
    SendAdapters.member(
        to,
        "void round(const Frame& f, int row, const Context& context, int index, Sums& sums)",
        "(void)context; (void)index; "
            + AdapterText.call(
                name + "_round",
                form.round(),
                "row",
                "sums",
                p ->
                    switch (p.role()) {
                      case VALUE -> "context.c" + p.index();
                      case MESSAGE -> "index";
                      default -> AdapterText.context(p);
                    }));
    SendAdapters.member(
        to,
        "Sums joined(const Sums& a, const Sums& b)",
        "Sums s{}; "
            + folds(
                r ->
                    "s.c%d = %s()(a.c%1$d, b.c%1$d); "
                        .formatted(r, CTypes.join(form.folds().get(r).operator())))
            + "return s;");
    SendAdapters.member(to, "Sums shfl(const Sums& sums, int lane)", moved("sgg_shfl", "lane"));
    SendAdapters.member(to, "Sums shfl_down(const Sums& sums, int d)", moved("sgg_shfl_down", "d"));
    SendAdapters.member(
        to,
        "void after(const Frame& f, int row, const Row& own, const Edge& x, const Before& before,"
            + " const Sums& sums, Message& message, bool& has)",
        "(void)own; (void)x; (void)before; (void)sums; "
            + AdapterText.call(
                afterName(),
                after,
                "row",
                "message, has",
                p ->
                    switch (p.role()) {
                      case VALUE -> "before.c" + p.index();
                      case MESSAGE -> "sums.c" + p.index();
                      default -> value.apply(p);
                    },
                tables));
  }

  private String moved(String how, String by) {
    return "Sums s{}; "
        + folds(r -> "s.c%d = %s(sums.c%1$d, %s); ".formatted(r, how, by))
        + "return s;";
  }

  private ColumnType type(int column) {
    return form.before().results().get(column);
  }

  private String folds(IntFunction<String> text) {
    return IntStream.range(0, form.folds().size()).mapToObj(text).collect(Collectors.joining());
  }

  private static String each(TreeSet<Integer> columns, Function<Integer, String> text) {
    return columns.stream().map(text).collect(Collectors.joining());
  }

  /** The part behind the loop … */
  IrFunction after() {
    return after;
  }

  /** … and its name. */
  String afterName() {
    return name + "_after";
  }
}
