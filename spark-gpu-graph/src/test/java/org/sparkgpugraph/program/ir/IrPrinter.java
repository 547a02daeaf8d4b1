package org.sparkgpugraph.program.ir;

import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Prints a function as text, for {@code explain()} and for test failures. */
public final class IrPrinter {
  private IrPrinter() {}

  /** One instruction a line, with its source line where it changes. */
  public static String print(IrFunction function) {
    StringBuilder out = new StringBuilder();
    out.append(function.name()).append('(');
    out.append(
        function.parameters().stream()
            .map(p -> "v" + p.variable() + " = " + p.role() + "[" + p.index() + "]")
            .collect(Collectors.joining(", ")));
    out.append(") -> ").append(function.results()).append('\n');
    SourcePosition last = SourcePosition.NONE;
    for (Insn insn : function.code()) {
      String text = print(insn, function);
      out.append(text);
      if (!(insn instanceof Insn.Label) && !insn.where().equals(last)) {
        last = insn.where();
        out.append("    // ").append(last);
      }
      out.append('\n');
    }
    return out.toString();
  }

  private static String print(Insn insn, IrFunction function) {
    if (insn instanceof Insn.Label label) {
      return "L" + label.label() + ":";
    } else if (insn instanceof Insn.Constant constant) {
      return "  " + target(constant.target(), function) + constant.value();
    } else if (insn instanceof Insn.Copy copy) {
      return "  " + target(copy.target(), function) + "v" + copy.source();
    } else if (insn instanceof Insn.Unary unary) {
      return "  " + target(unary.target(), function) + unary.op() + " v" + unary.operand();
    } else if (insn instanceof Insn.Binary binary) {
      return "  "
          + target(binary.target(), function)
          + "v"
          + binary.left()
          + " "
          + binary.op()
          + " v"
          + binary.right();
    } else if (insn instanceof Insn.Call call) {
      return "  " + target(call.target(), function) + call.function() + list(call.arguments());
    } else if (insn instanceof Insn.Load load) {
      return "  "
          + target(load.target(), function)
          + load.kind()
          + " table "
          + load.table()
          + "[v"
          + load.index()
          + "]";
    } else if (insn instanceof Insn.Filled filled) {
      return "  "
          + target(filled.target(), function)
          + filled.length()
          + " times v"
          + filled.value();
    } else if (insn instanceof Insn.Element element) {
      return "  "
          + target(element.target(), function)
          + "v"
          + element.array()
          + "[v"
          + element.index()
          + "]";
    } else if (insn instanceof Insn.With with) {
      return "  "
          + target(with.target(), function)
          + "v"
          + with.array()
          + " with [v"
          + with.index()
          + "] = v"
          + with.value();
    } else if (insn instanceof Insn.Branch branch) {
      return "  if v"
          + branch.left()
          + " "
          + branch.condition()
          + " v"
          + branch.right()
          + " goto L"
          + branch.label();
    } else if (insn instanceof Insn.Switch choice) {
      StringJoiner cases = new StringJoiner(", ", "  switch v" + choice.value() + " {", "}");
      for (int i = 0; i < choice.keys().size(); i++) {
        cases.add(choice.keys().get(i) + ": L" + choice.labels().get(i));
      }
      return cases.add("else: L" + choice.otherwise()).toString();
    } else if (insn instanceof Insn.Jump jump) {
      return "  goto L" + jump.label();
    } else if (insn instanceof Insn.Emit emit) {
      return "  send to " + emit.side() + " " + list(emit.message());
    } else if (insn instanceof Insn.Return leave) {
      return "  return " + list(leave.values());
    }
    Insn.Fail fail = (Insn.Fail) insn;
    return "  fail " + fail.code() + (fail.detail().isEmpty() ? "" : " \"" + fail.detail() + "\"");
  }

  private static String target(int variable, IrFunction function) {
    return "v" + variable + ": " + function.variables().get(variable) + " = ";
  }

  private static String list(List<Integer> variables) {
    return variables.stream().map(v -> "v" + v).collect(Collectors.joining(", ", "(", ")"));
  }
}
