package org.sparkgpugraph.engine.device.kernels;

import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.lanes.ContextForm;

/**
 * The adapters of a send function that was cut for warps that collect contexts of its costly
 * branch: what {@code sgg/contexts.cuh} wants of a side of edges.
 */
final class ContextAdapters {
  /** Contexts of a warp that may wait: fewer than it runs together, and as many more at once. */
  static final int PLACES = 2 * DeviceProperties.WARP;

  private final ContextForm form;
  private final IrFunction costly;
  private final IrFunction otherwise;
  private final String side;
  private final String name;

  /** Columns of what {@code before} returns that the costly side reads. */
  private final TreeSet<Integer> context = new TreeSet<>();

  /**
   * @param costly the costly side, with all parameters that it is given …
   * @param otherwise … and the way without it
   * @param side the struct of the side: In or Out
   * @param name of the printed send function, with which those of its parts begin
   */
  ContextAdapters(
      ContextForm form, IrFunction costly, IrFunction otherwise, String side, String name) {
    this.form = form;
    this.costly = costly;
    this.otherwise = otherwise;
    this.side = side;
    this.name = name;
    for (Param p : form.costly().parameters()) {
      if (p.role() == Role.VALUE) {
        context.add(p.index());
      }
    }
  }

  /**
   * The printed functions and the struct between them.
   *
   * @param send prints a part that sends, by its name
   */
  String functions(CudaPrinter printer, SentPart send) {
    return CTypes.struct(before(), form.before().results())
        + printer.function(name + "_before", form.before(), before())
        + send.print(costlyName(), costly)
        + send.print(otherwiseName(), otherwise);
  }

  /** Prints a function that sends. */
  @FunctionalInterface
  interface SentPart {
    String print(String name, IrFunction function);
  }

  private String before() {
    return side + "Before";
  }

  private String costlyName() {
    return name + "_costly";
  }

  private String otherwiseName() {
    return name + "_otherwise";
  }

  /**
   * The members of the side's struct.
   *
   * @param value of a parameter of the send function
   * @param tables those that the parts that send are given
   */
  void members(StringBuilder to, Function<Param, String> value, SortedMap<Integer, Kind> tables) {
    to.append("  static constexpr bool CONTEXTS = true;\n");
    to.append("  typedef ").append(before()).append(" Before;\n");
    to.append("  struct Context {");
    to.append(text(c -> " " + type(c) + " c" + c + ";"));
    to.append(context.isEmpty() ? "};\n" : " };\n");
    to.append("  struct Contexts {");
    to.append(text(c -> " " + type(c) + " c" + c + "[SGG_CONTEXT_PLACES];"));
    to.append(" int owner[SGG_CONTEXT_PLACES]; };\n");
    SendAdapters.member(
        to,
        "void before(const Frame& f, int row, const Row& own, const Edge& x, Before& before)",
        "(void)own; (void)x; "
            + AdapterText.call(name + "_before", form.before(), "row", "before", value));
    SendAdapters.member(
        to,
        "void keep(Contexts& queue, int place, const Before& before)",
        "(void)queue; (void)place; (void)before; "
            + text(c -> "queue.c%d[place] = before.c%1$d; ".formatted(c)));
    SendAdapters.member(
        to,
        "Context kept(const Contexts& queue, int place)",
        "(void)queue; (void)place; Context c{}; "
            + text(c -> "c.c%d = queue.c%1$d[place]; ".formatted(c))
            + "return c;");
    SendAdapters.member(
        to,
        "void costly(const Frame& f, int row, const Row& own, const Context& context,"
            + " Message& message, bool& has)",
        "(void)own; (void)context; "
            + AdapterText.call(
                costlyName(),
                costly,
                "row",
                "message, has",
                p -> p.role() == Role.VALUE ? "context.c" + p.index() : value.apply(p),
                tables));
    SendAdapters.member(
        to,
        "void otherwise(const Frame& f, int row, const Row& own, const Edge& x,"
            + " const Before& before, Message& message, bool& has)",
        "(void)own; (void)x; (void)before; "
            + AdapterText.call(
                otherwiseName(),
                otherwise,
                "row",
                "message, has",
                p -> p.role() == Role.VALUE ? "before.c" + p.index() : value.apply(p),
                tables));
  }

  private String type(int column) {
    ColumnType type = form.before().results().get(column);
    return CTypes.value(type);
  }

  private String text(Function<Integer, String> text) {
    return context.stream().map(text).collect(Collectors.joining());
  }
}
