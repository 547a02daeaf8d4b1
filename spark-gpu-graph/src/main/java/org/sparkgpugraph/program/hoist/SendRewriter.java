package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.hoist.EndValues.OfEnd;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Renumbering;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;

/** Writes a send function that reads some values from columns instead of computing them. */
final class SendRewriter {
  private final IrFunction send;
  private final EndValues values;
  private final Map<Expression, Integer> columns;
  private final List<Kind> kinds;
  private final List<Param> parameters;

  /** What makes a parameter fit where it is read: at the beginning. */
  private final List<Insn> prologue = new ArrayList<>();

  private final Map<OfEnd, Integer> parameterOf = new HashMap<>();
  private final Map<Integer, Integer> replaced = new HashMap<>();

  private SendRewriter(IrFunction send, EndValues values, Map<Expression, Integer> columns) {
    this.send = send;
    this.values = values;
    this.columns = columns;
    kinds = new ArrayList<>(send.variables());
    parameters = new ArrayList<>(send.parameters());
  }

  /**
   * Rewrites a send function.
   *
   * @param columns state column of each value that has one
   */
  static IrFunction rewrite(IrFunction send, EndValues values, Map<Expression, Integer> columns) {
    return new SendRewriter(send, values, columns).rewrite();
  }

  private IrFunction rewrite() {
    for (int v = 0; v < send.variables().size(); v++) {
      OfEnd value = values.of(v);
      if (isInColumn(value)) {
        int parameter = parameter(value);
        if (kinds.get(parameter) != kinds.get(v)) {
          int fitting = variable(kinds.get(v));
          prologue.add(new Insn.Copy(fitting, parameter, value.value().where()));
          parameter = fitting;
        }
        replaced.put(v, parameter);
      }
    }
    List<Insn> code = new ArrayList<>();
    for (Insn insn : send.code()) {
      if (insn instanceof Insn.Branch branch && isInColumn(values.of(branch))) {
        code.add(
            new Insn.Branch(
                Condition.NE,
                parameter(values.of(branch)),
                no(branch.where()),
                branch.label(),
                branch.where()));
      } else {
        code.add(insn.reading(v -> replaced.getOrDefault(v, v)));
      }
    }
    code.addAll(0, prologue);
    return Renumbering.of(send.name(), parameters, send.results(), kinds, CodeCleaner.clean(code));
  }

  private boolean isInColumn(OfEnd value) {
    return value != null && value.end() != null && columns.containsKey(value.value());
  }

  private int parameter(OfEnd value) {
    return parameterOf.computeIfAbsent(
        value,
        v -> {
          int variable = variable(v.value().columnKind());
          Role role = v.end() == Side.SOURCE ? Role.SOURCE : Role.DESTINATION;
          parameters.add(new Param(role, columns.get(v.value()), variable));
          return variable;
        });
  }

  private int no(SourcePosition where) {
    int variable = variable(Kind.BOOLEAN);
    prologue.add(new Insn.Constant(variable, false, where));
    return variable;
  }

  private int variable(Kind kind) {
    kinds.add(kind);
    return kinds.size() - 1;
  }
}
