package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.sparkgpugraph.program.TableShape;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Renumbering;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * Writes functions that return hidden columns behind the state. Everything is computed, whatever
 * conditions say: the operations have no effects, and an integer division by zero, or an element of
 * a table that is not there, which the send function checks for before it uses the value, gives
 * zero here.
 */
final class VertexRewriter {
  private final List<TableShape> tables;
  private final List<Param> parameters;
  private final List<Kind> kinds;
  private final List<Insn> code = new ArrayList<>();
  private int labels;

  private VertexRewriter(
      List<TableShape> tables, List<Param> parameters, List<Kind> kinds, int labels) {
    this.tables = tables;
    this.parameters = new ArrayList<>(parameters);
    this.kinds = new ArrayList<>(kinds);
    this.labels = labels;
  }

  /**
   * A function that returns state columns, with hidden ones behind them.
   *
   * @param tables of the program
   * @param hidden the columns' values; null: the function returns that column as it got it
   */
  static IrFunction append(
      List<TableShape> tables,
      IrFunction function,
      List<Expression> hidden,
      List<ColumnType> results) {
    VertexRewriter to =
        new VertexRewriter(tables, function.parameters(), function.variables(), function.labels());
    int visible = function.results().size();
    for (Insn insn : function.code()) {
      if (insn instanceof Insn.Return leave) {
        List<Integer> all = new ArrayList<>(leave.values());
        // Several ways out compute the columns each: nothing of one is there on another.
        Map<Expression, Integer> computed = new HashMap<>();
        for (int i = 0; i < hidden.size(); i++) {
          int column = visible + i;
          all.add(
              hidden.get(i) == null
                  ? to.parameter(Role.VALUE, column, results.get(column))
                  : to.compute(hidden.get(i), computed, c -> leave.values().get(c)));
        }
        to.code.add(new Insn.Return(all, leave.where()));
      } else {
        to.code.add(insn);
      }
    }
    return to.build(function.name(), results);
  }

  /** The initial state of a program whose state is the attribute. */
  static IrFunction ofAttribute(
      List<TableShape> tables,
      List<ColumnType> state,
      List<Expression> hidden,
      List<ColumnType> results) {
    VertexRewriter to = new VertexRewriter(tables, List.of(), List.of(), 0);
    return to.returning(
        "state", state, hidden, results, c -> to.parameter(Role.ATTRIBUTE, c, state.get(c)));
  }

  /** The state of a vertex that edges name but that does not exist: zeros, and what follows. */
  static IrFunction ofNothing(
      List<TableShape> tables,
      List<ColumnType> state,
      List<Expression> hidden,
      List<ColumnType> results) {
    VertexRewriter to = new VertexRewriter(tables, List.of(), List.of(), 0);
    Map<Integer, Integer> zeros = new HashMap<>();
    return to.returning(
        "missing vertex",
        state,
        hidden,
        results,
        c -> zeros.computeIfAbsent(c, column -> to.zero(state.get(column))));
  }

  private IrFunction returning(
      String name,
      List<ColumnType> state,
      List<Expression> hidden,
      List<ColumnType> results,
      IntFunction<Integer> column) {
    List<Integer> all = new ArrayList<>();
    for (int c = 0; c < state.size(); c++) {
      all.add(column.apply(c));
    }
    Map<Expression, Integer> computed = new HashMap<>();
    hidden.forEach(value -> all.add(compute(value, computed, column)));
    code.add(new Insn.Return(all, SourcePosition.NONE));
    return build(name, results);
  }

  private IrFunction build(String name, List<ColumnType> results) {
    return Renumbering.of(name, parameters, results, kinds, code);
  }

  /** The variable of a value; its operands first. */
  private int compute(
      Expression value, Map<Expression, Integer> computed, IntFunction<Integer> column) {
    return value.fold(computed, part -> write(part, computed, column));
  }

  private int write(
      Expression value, Map<Expression, Integer> computed, IntFunction<Integer> column) {
    List<Integer> operands = value.operands().stream().map(computed::get).toList();
    Operation operation = value.operation();
    if (operation instanceof Operation.Input input) {
      return input.role() == Role.VALUE
          ? column.apply(input.index())
          : parameter(input.role(), input.index(), value.kind());
    }
    int target = variable(value.kind());
    SourcePosition where = value.where();
    if (operation instanceof Operation.Constant constant) {
      code.add(new Insn.Constant(target, constant.value(), where));
    } else if (operation instanceof Operation.Unary unary) {
      code.add(new Insn.Unary(unary.op(), target, operands.get(0), where));
    } else if (operation instanceof Operation.Binary binary) {
      unlessZero(
          value,
          operands,
          target,
          to -> new Insn.Binary(binary.op(), to, operands.get(0), operands.get(1), where));
    } else if (operation instanceof Operation.Call call) {
      unlessZero(
          value, operands, target, to -> new Insn.Call(call.function(), to, operands, where));
    } else if (operation instanceof Operation.Load load) {
      unlessOutside(load, operands.get(0), target, where);
    } else if (operation instanceof Operation.Compare compare) {
      int yes = constant(Kind.BOOLEAN, 1);
      int no = constant(Kind.BOOLEAN, 0);
      choose(compare.condition(), operands.get(0), operands.get(1), target, yes, no, where);
    } else {
      int no = constant(Kind.BOOLEAN, 0);
      choose(Condition.NE, operands.get(0), no, target, operands.get(1), operands.get(2), where);
    }
    return target;
  }

  /** {@code target = left condition right ? yes : no}. */
  private void choose(
      Condition condition, int left, int right, int target, int yes, int no, SourcePosition where) {
    int end = labels++;
    code.add(new Insn.Copy(target, yes, where));
    code.add(new Insn.Branch(condition, left, right, end, where));
    code.add(new Insn.Copy(target, no, where));
    code.add(new Insn.Label(end, where));
  }

  /** Writes an operation, around a zero divisor if it has a divisor that may be zero. */
  private void unlessZero(
      Expression value, List<Integer> operands, int target, IntFunction<Insn> insn) {
    boolean divides =
        value.is(Intrinsic.FLOOR_DIV)
            || value.is(Intrinsic.FLOOR_MOD)
            || value.kind().isIntegral()
                && (value.is(BinaryOp.DIVIDE) || value.is(BinaryOp.REMAINDER));
    Expression divisor = divides ? value.operand(1) : null;
    if (divisor == null || divisor.constant() instanceof Number n && n.longValue() != 0) {
      code.add(insn.apply(target));
      return;
    }
    SourcePosition where = value.where();
    int zero = constant(divisor.kind(), 0);
    int end = labels++;
    code.add(new Insn.Copy(target, constant(kinds.get(target), 0), where));
    code.add(new Insn.Branch(Condition.EQ, operands.get(1), zero, end, where));
    int quotient = variable(kinds.get(target));
    code.add(insn.apply(quotient));
    code.add(new Insn.Copy(target, quotient, where));
    code.add(new Insn.Label(end, where));
  }

  /** Writes a read of a table, around an index that is not in it. */
  private void unlessOutside(Operation.Load load, int index, int target, SourcePosition where) {
    int length = parameter(Role.CAPTURE, tables.get(load.table()).length(), Kind.INT);
    int end = labels++;
    code.add(new Insn.Copy(target, constant(kinds.get(target), 0), where));
    code.add(new Insn.Branch(Condition.LT, index, constant(Kind.INT, 0), end, where));
    code.add(new Insn.Branch(Condition.GE, index, length, end, where));
    int element = variable(kinds.get(target));
    code.add(new Insn.Load(load.table(), load.kind(), element, index, where));
    code.add(new Insn.Copy(target, element, where));
    code.add(new Insn.Label(end, where));
  }

  private int zero(ColumnType type) {
    int zero = constant(type.kind(), 0);
    if (!type.isArray()) {
      return zero;
    }
    int array = variable(type.kind());
    code.add(new Insn.Filled(array, type.width(), zero, SourcePosition.NONE));
    return array;
  }

  private int constant(Kind kind, int value) {
    int variable = variable(kind);
    Object box =
        switch (kind) {
          case BOOLEAN -> value != 0;
          case INT -> value;
          case LONG -> (long) value;
          case FLOAT -> (float) value;
          case DOUBLE -> (double) value;
        };
    code.add(new Insn.Constant(variable, box, SourcePosition.NONE));
    return variable;
  }

  private int parameter(Role role, int index, ColumnType type) {
    for (Param p : parameters) {
      if (p.role() == role && p.index() == index) {
        return p.variable();
      }
    }
    int variable = variable(type.kind());
    parameters.add(new Param(role, index, variable, Param.length(type)));
    return variable;
  }

  private int variable(Kind kind) {
    kinds.add(kind);
    return kinds.size() - 1;
  }
}
