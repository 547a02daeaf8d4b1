package org.sparkgpugraph.program.cuda;

import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.lanes.LaneForm;
import org.sparkgpugraph.program.lanes.TeamForm;

/**
 * The text of one function: three-address code with labels and goto. Every variable is declared and
 * zeroed before the first label, because C++ lets no goto pass an initialisation. Only what is
 * reachable and needed is printed, so that compilers have nothing to warn of.
 */
final class FunctionText {
  /** Instructions of a function up to which it is a part of whatever calls it. */
  private static final int MOST_INLINED = 1000;

  /** The same of one that makes arrays. */
  private static final int MOST_WITH_ARRAYS = 100;

  /** Variable of a message on its way into the merge. */
  private static final String SENT = "sent";

  private final String name;
  private final IrFunction function;
  private final List<Insn> code;
  private final SortedMap<Integer, Kind> tables;
  private final FaultSites sites;
  private ArrayPlaces arrays;
  private final StringBuilder out = new StringBuilder();

  /** What lanes share; null: a thread has all of an array. */
  private final LaneText lanes;

  /** What a team shares; null: there is none. */
  private TeamText team;

  private TeamMemory memory;

  /** The instruction that is printed. */
  private int at;

  private String struct;
  private UnaryOperator<String> merge;
  private SourcePosition last = SourcePosition.NONE;

  /**
   * @param lanes how lanes share arrays; null: a thread has all of one
   */
  FunctionText(
      String name,
      IrFunction function,
      List<Insn> code,
      SortedMap<Integer, Kind> tables,
      FaultSites sites,
      LaneForm lanes) {
    this.code = lanes == null ? code : lanes.code();
    this.lanes = lanes == null ? null : new LaneText(lanes, function.variables());
    this.name = name;
    this.function = function;
    this.tables = tables;
    this.sites = sites;
  }

  /** Of code that a team of lanes runs together. */
  static FunctionText of(
      String name,
      IrFunction function,
      TeamForm form,
      SortedMap<Integer, Kind> tables,
      FaultSites sites) {
    FunctionText text = new FunctionText(name, function, form.code(), tables, sites, null);
    text.team = new TeamText(form);
    return text;
  }

  String returning(String result) {
    struct = result;
    return text(result + "& result");
  }

  String sending(String message, UnaryOperator<String> mergeStatement) {
    struct = message;
    merge = mergeStatement;
    return text(message + "& message, bool& has");
  }

  /**
   * Whether the function is there once, and called: a compiler that unrolls loops over arrays of
   * known length takes minutes where dozens of places have all of a long function.
   */
  private boolean isCalled() {
    if (team != null) {
      return true;
    }
    boolean loops = arrays.places().stream().anyMatch(place -> !place.isGiven());
    int most = loops ? MOST_WITH_ARRAYS : MOST_INLINED;
    // Parts of arrays are short: in registers, unless they are handed over by way of memory.
    return code.size() > (lanes == null ? most : Math.max(most, MOST_INLINED / lanes.rounds()));
  }

  private Kind kind(int variable) {
    return function.variables().get(variable);
  }

  private static String v(int variable) {
    return "v" + variable;
  }

  private String text(String results) {
    arrays = new ArrayPlaces(function.parameters(), function.variables(), code);
    BitSet variables = lanes == null ? new BitSet() : lanes.variables();
    code.stream()
        .filter(insn -> lanes == null || lanes.isNeeded(insn))
        .forEach(insn -> insn.read().forEach(variables::set));
    out.append("// ").append(plain(function.name())).append('\n');
    out.append("static __device__ ").append(isCalled() ? "__noinline__" : "__forceinline__");
    out.append(" void ").append(name);
    out.append("(unsigned long long* fault, int row");
    out.append(lanes == null && team == null ? "" : ", int part");
    out.append(team == null ? "" : ", char* memory");
    for (int i = 0; i < function.parameters().size(); i++) {
      Param parameter = function.parameters().get(i);
      String type = type(parameter.type(kind(parameter.variable())));
      out.append(", ").append(parameter.length() > 0 ? given(type) : type);
      out.append(" p").append(i);
    }
    tables.forEach(
        (table, kind) ->
            out.append(", const ").append(CTypes.memory(kind)).append("* table").append(table));
    out.append(", ").append(results).append(") {\n");
    locals(variables);
    for (at = 0; at < code.size(); at++) {
      // The closing brace returns.
      boolean returnsAnyway = at == code.size() - 1;
      String ofLoop = lanes == null ? null : lanes.ofLoop(at);
      if (team != null) {
        ofLoop = team.ofLoop(at, this::fault);
      }
      if (ofLoop == null && lanes != null && !lanes.isNeeded(code.get(at))) {
        continue;
      } else if (ofLoop == null) {
        line(code.get(at), returnsAnyway);
      } else {
        out.append(ofLoop);
      }
    }
    return out.append("}\n").toString();
  }

  private void locals(BitSet variables) {
    BitSet bound = new BitSet();
    for (int i = 0; i < function.parameters().size(); i++) {
      Param parameter = function.parameters().get(i);
      int variable = parameter.variable();
      if (parameter.length() == 0 && variables.get(variable) && !bound.get(variable)) {
        bound.set(variable);
        out.append("  ").append(CTypes.register(kind(variable))).append(' ').append(v(variable));
        out.append(" = p").append(i).append(";  // ").append(parameter.role());
        out.append(" ").append(parameter.index()).append('\n');
      }
    }
    memory = team == null ? null : new TeamMemory(arrays, code);
    BitSet named = named();
    for (int i = named.nextSetBit(0); i >= 0; i = named.nextSetBit(i + 1)) {
      ArrayPlaces.Place place = arrays.places().get(i);
      String type = type(place.type());
      if (place.isGiven()) {
        type = given(type);
      } else if (team != null) {
        type += "*";
      }
      out.append("  ").append(type).append(" a").append(i);
      if (place.isGiven()) {
        out.append(" = p").append(position(place.given()));
      } else if (team != null) {
        out.append(" = ").append(memory.pointer(i, type(place.type())));
      }
      out.append(";\n");
    }
    out.append(lanes == null ? "" : lanes.declarations());
    out.append(team == null ? "" : team.declarations());
    for (Kind kind : Kind.values()) {
      String declared =
          variables.stream()
              .filter(v -> !bound.get(v) && !arrays.isArray(v) && kind(v) == kind)
              .mapToObj(v -> v(v) + " = 0")
              .collect(Collectors.joining(", "));
      if (!declared.isEmpty()) {
        out.append("  ").append(CTypes.register(kind)).append(' ').append(declared).append(";\n");
      }
    }
  }

  /** The places of arrays that the text names. */
  private BitSet named() {
    BitSet named = new BitSet();
    for (Insn insn : code) {
      if (lanes == null || lanes.isNeeded(insn)) {
        Stream.concat(insn.read().stream(), Stream.of(insn.target()))
            .filter(arrays::isArray)
            .forEach(variable -> named.set(arrays.of(variable)));
      }
    }
    return named;
  }

  /** The type of an array that is given. */
  private String given(String type) {
    return "const " + type + (team == null ? "&" : "*");
  }

  /** The type of a value here: lanes have parts of arrays, teams where they are. */
  private String type(ColumnType type) {
    if (team != null) {
      return CTypes.register(type.kind());
    }
    return lanes != null && type.isArray() ? CTypes.part(type.kind()) : CTypes.value(type);
  }

  private int position(int variable) {
    for (int i = 0; i < function.parameters().size(); i++) {
      if (function.parameters().get(i).variable() == variable) {
        return i;
      }
    }
    throw new IllegalArgumentException(function.name() + " has no parameter in v" + variable);
  }

  private void line(Insn insn, boolean returnsAnyway) {
    if (insn instanceof Insn.Label label) {
      out.append("L").append(label.label()).append(":;\n");
      return;
    }
    String statement = statement(insn, returnsAnyway);
    if (statement.isEmpty()) {
      return;
    }
    out.append("  ").append(statement).append(lanes == null ? "" : lanes.noted(at));
    SourcePosition where = insn.where();
    if (!where.equals(last) && !where.equals(SourcePosition.NONE)) {
      last = where;
      out.append("  // ").append(plain(where.toString()));
    }
    out.append('\n');
  }

  private String statement(Insn insn, boolean returnsAnyway) {
    if (insn instanceof Insn.Constant c) {
      return assign(c.target(), CTypes.literal(c.value()));
    } else if (insn instanceof Insn.Copy c && arrays.isArray(c.source())) {
      return copied(c.source(), c.target());
    } else if (insn instanceof Insn.Copy c) {
      return assign(
          c.target(), OperationText.convert(kind(c.source()), kind(c.target()), v(c.source())));
    } else if (insn instanceof Insn.Unary u) {
      return assign(
          u.target(),
          OperationText.unary(u.op(), kind(u.operand()), kind(u.target()), v(u.operand())));
    } else if (insn instanceof Insn.Binary b) {
      return assign(
          b.target(), OperationText.binary(b.op(), kind(b.left()), v(b.left()), v(b.right())));
    } else if (insn instanceof Insn.Call c) {
      return assign(
          c.target(),
          OperationText.call(
              c,
              c.arguments().stream().map(this::kind).toList(),
              c.arguments().stream().map(FunctionText::v).toList(),
              kind(c.target())));
    } else if (insn instanceof Insn.Load l) {
      return assign(l.target(), "sgg_load_table(table" + l.table() + " + " + v(l.index()) + ")");
    } else if (insn instanceof Insn.Filled f) {
      return each(f.target(), a(f.target()) + "[i] = " + v(f.value()) + ";");
    } else if (insn instanceof Insn.Element e && isOfOneLane(insn)) {
      return assign(e.target(), "sgg_part_element(%s, %s)".formatted(a(e.array()), v(e.index())));
    } else if (insn instanceof Insn.Element e) {
      return assign(e.target(), a(e.array()) + "[" + index(e.index()) + "]");
    } else if (insn instanceof Insn.With w) {
      String copied = copied(w.array(), w.target());
      if (team != null && !team.isInLoop(at)) {
        // All have read what they need, and see what is written.
        String written = a(w.target()) + "[" + v(w.index()) + "] = " + v(w.value()) + ";";
        return copied + " " + TeamText.SYNC + " if (part == 0) " + written + " " + TeamText.SYNC;
      }
      return (copied.isEmpty() ? "" : copied + " ")
          + (isOfOneLane(insn)
              ? "sgg_part_set(%s, part, %s, %s);"
                  .formatted(a(w.target()), v(w.index()), v(w.value()))
              : a(w.target()) + "[" + index(w.index()) + "] = " + v(w.value()) + ";");
    } else if (insn instanceof Insn.Branch b) {
      String leaving = lanes == null ? null : lanes.leaving(at, b.label());
      return "if ("
          + OperationText.condition(b.condition(), v(b.left()), v(b.right()))
          + ") "
          + (leaving == null ? "goto L" + b.label() + ";" : leaving);
    } else if (insn instanceof Insn.Switch s) {
      StringBuilder text = new StringBuilder("switch (" + v(s.value()) + ") {\n");
      for (int i = 0; i < s.keys().size(); i++) {
        text.append("    case ").append(CTypes.literal(s.keys().get(i)));
        text.append(": goto L").append(s.labels().get(i)).append(";\n");
      }
      return text.append("    default: goto L").append(s.otherwise()).append(";\n  }").toString();
    } else if (insn instanceof Insn.Jump j) {
      return "goto L" + j.label() + ";";
    } else if (insn instanceof Insn.Emit e) {
      String columns = e.message().stream().map(this::value).collect(Collectors.joining(", "));
      return "{ " + struct + " " + SENT + " = {" + columns + "}; " + merge.apply(SENT) + " }";
    } else if (insn instanceof Insn.Return r && team != null) {
      return returned(r) + (returnsAnyway ? "" : " return;");
    } else if (insn instanceof Insn.Return r) {
      StringBuilder text = new StringBuilder();
      boolean given = r.values().stream().anyMatch(this::isGiven);
      if (given && r.values().size() > 1) {
        // A parameter may stand where the result goes.
        String values = r.values().stream().map(this::value).collect(Collectors.joining(", "));
        text.append(struct + " all = {" + values + "}; result = all; ");
        text.insert(0, "{ ").append("} ");
      } else {
        for (int c = 0; c < r.values().size(); c++) {
          text.append("result.c").append(c).append(" = ").append(value(r.values().get(c)));
          text.append("; ");
        }
      }
      return (returnsAnyway ? text : text.append("return;")).toString().stripTrailing();
    } else if (insn instanceof Insn.Fail f) {
      return fault(f) + (returnsAnyway ? "" : " return;");
    }
    throw new IllegalArgumentException("unknown instruction " + insn);
  }

  private String fault(Insn.Fail fail) {
    return "sgg_fail(fault, row, " + sites.indexOf(function.name(), fail) + ");";
  }

  /** A team writes arrays where they belong; those that stay as they are belong nowhere. */
  private String returned(Insn.Return r) {
    StringBuilder text = new StringBuilder();
    for (int c = 0; c < r.values().size(); c++) {
      int value = r.values().get(c);
      String column = "result.c" + c;
      if (arrays.isArray(value) && memory.isThere(arrays.of(value), c)) {
        continue;
      }
      text.append(
          arrays.isArray(value)
              ? "if (%s != nullptr) for (int i = part; i < %d; i += SGG_TEAM) %1$s[i] = %s[i]; "
                  .formatted(column, length(value), a(value))
              : column + " = " + v(value) + "; ");
    }
    return text.toString().stripTrailing();
  }

  private int length(int array) {
    return arrays.places().get(arrays.of(array)).type().length();
  }

  private boolean isOfOneLane(Insn insn) {
    return lanes != null && lanes.isOfOneLane(insn, at);
  }

  private boolean isGiven(int variable) {
    return arrays.isArray(variable) && arrays.places().get(arrays.of(variable)).isGiven();
  }

  /** A variable of a number or of an array. */
  private String value(int variable) {
    return arrays.isArray(variable) ? a(variable) : v(variable);
  }

  private String a(int variable) {
    return "a" + arrays.of(variable);
  }

  /** Copies an array to another's place, if that is another place. */
  private String copied(int from, int to) {
    return arrays.of(from) == arrays.of(to) ? "" : each(to, a(to) + "[i] = " + a(from) + "[i];");
  }

  private String each(int array, String statement) {
    if (team != null) {
      return "%s for (int i = part; i < %d; i += SGG_TEAM) %s %1$s"
          .formatted(TeamText.SYNC, length(array), statement);
    }
    String length = lanes == null ? length(array) + "" : "SGG_FEATURE_EACH";
    return "for (int i = 0; i < " + length + "; i++) " + statement;
  }

  private String index(int variable) {
    return lanes == null ? v(variable) : "j";
  }

  private static String assign(int variable, String expression) {
    return v(variable) + " = " + expression + ";";
  }

  /** Text that may stand in a comment that ends with its line. */
  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    text.codePoints().forEach(c -> plain.append(c >= ' ' && c < 127 && c != '\\' ? (char) c : '?'));
    return plain.toString();
  }
}
