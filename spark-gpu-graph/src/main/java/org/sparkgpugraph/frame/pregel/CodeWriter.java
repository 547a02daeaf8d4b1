package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.ir.UnaryOp;
import org.sparkgpugraph.program.ssa.Linearizer;
import org.sparkgpugraph.program.ssa.Ssa;
import org.sparkgpugraph.program.ssa.SsaOptimizer;

/**
 * Writes one function of a program. Truth values are INTs of 0 and 1; those that are known while
 * writing are folded, so that what can never be null costs nothing.
 */
final class CodeWriter {
  private final String function;
  private final SourcePosition where;
  private final Ssa ssa = new Ssa();
  private final Map<Integer, Object> constants = new HashMap<>();
  private final Map<Integer, Object> absent = new HashMap<>();
  private Ssa.Block block = ssa.entry;

  /**
   * @param function what it is in its program ("send", "merge", …)
   * @param where method of the user's that the expressions were given to
   */
  CodeWriter(String function, String where) {
    this.function = function;
    this.where = new SourcePosition("Pregel", where, -1);
  }

  // ---- values -----------------------------------------------------------------------------------

  /** A column of a parameter of the function. */
  int parameter(Role role, int index, Kind kind) {
    return ssa.parameter(role, index, kind);
  }

  /** A constant: Integer, Long, Float or Double. */
  int constant(Object value) {
    int variable = ssa.variable(Kind.of(value.getClass()));
    block.body.add(new Insn.Constant(variable, value, where));
    constants.put(variable, value);
    return variable;
  }

  /** A number of a kind; a truth value of 0 or 1. */
  int constant(Kind kind, Number value) {
    return constant(
        switch (kind) {
          case BOOLEAN, INT -> (Object) value.intValue();
          case LONG -> (Object) value.longValue();
          case FLOAT -> (Object) value.floatValue();
          case DOUBLE -> (Object) value.doubleValue();
        });
  }

  /** What a variable is known to be; null: it is not known. */
  Object known(int variable) {
    return constants.get(variable);
  }

  /** Notes what the variable of a cell holds where the cell is null. */
  void holdsWhereNull(int variable, Object value) {
    absent.put(variable, value);
  }

  /** What the variable of a cell holds where the cell is null; null: anything. */
  Object whereNull(int variable) {
    return absent.get(variable);
  }

  Kind kind(int variable) {
    return ssa.kinds.get(variable);
  }

  int unary(UnaryOp op, Kind kind, int operand) {
    int target = ssa.variable(kind);
    block.body.add(new Insn.Unary(op, target, operand, where));
    return target;
  }

  /** The value as another kind, as Java's cast gives it. */
  int convert(int operand, Kind kind) {
    Kind from = kind(operand) == Kind.BOOLEAN ? Kind.INT : kind(operand);
    Kind to = kind == Kind.BOOLEAN ? Kind.INT : kind;
    if (from == to) {
      return operand;
    }
    return known(operand) instanceof Number number
        ? constant(to, number)
        : unary(UnaryOp.CONVERT, to, operand);
  }

  int binary(BinaryOp op, Kind kind, int left, int right) {
    int target = ssa.variable(kind);
    block.body.add(new Insn.Binary(op, target, left, right, where));
    return target;
  }

  int call(Intrinsic intrinsic, Kind kind, int... arguments) {
    int target = ssa.variable(kind);
    List<Integer> all = new ArrayList<>();
    for (int argument : arguments) {
      all.add(argument);
    }
    block.body.add(new Insn.Call(intrinsic, target, all, where));
    return target;
  }

  // ---- truth values -----------------------------------------------------------------------------

  int and(int left, int right) {
    if (known(left) instanceof Integer value) {
      return value == 0 ? left : right;
    } else if (known(right) instanceof Integer value) {
      return value == 0 ? right : left;
    }
    return left == right ? left : binary(BinaryOp.AND, Kind.INT, left, right);
  }

  int or(int left, int right) {
    if (known(left) instanceof Integer value) {
      return value == 0 ? right : left;
    } else if (known(right) instanceof Integer value) {
      return value == 0 ? left : right;
    }
    return left == right ? left : binary(BinaryOp.OR, Kind.INT, left, right);
  }

  int not(int value) {
    return known(value) instanceof Integer known
        ? constant(1 - known)
        : binary(BinaryOp.XOR, Kind.INT, value, constant(1));
  }

  /** Whether a condition holds. */
  int test(Condition condition, int left, int right) {
    return choose(condition, left, right, List.of(constant(1)), List.of(constant(0))).get(0);
  }

  // ---- validity ---------------------------------------------------------------------------------

  /** Where a cell is valid, as a variable. */
  int flag(int valid) {
    return valid == Cell.ALWAYS ? constant(1) : valid == Cell.NEVER ? constant(0) : valid;
  }

  /** A variable as validity. */
  int validity(int flag) {
    return known(flag) instanceof Integer value ? value == 0 ? Cell.NEVER : Cell.ALWAYS : flag;
  }

  /** Where both are valid. */
  int both(int left, int right) {
    if (left == Cell.NEVER || right == Cell.NEVER) {
      return Cell.NEVER;
    }
    return left == Cell.ALWAYS
        ? right
        : right == Cell.ALWAYS ? left : validity(and(flag(left), flag(right)));
  }

  // ---- control ----------------------------------------------------------------------------------

  /** The one or the other, both of which are computed already; kind by kind the same. */
  List<Integer> choose(
      Condition condition, int left, int right, List<Integer> then, List<Integer> otherwise) {
    return branch(condition, left, right, () -> then, () -> otherwise);
  }

  /** The one where a truth value is 1, the other where it is 0. */
  int choose(int truth, int then, int otherwise) {
    if (known(truth) instanceof Integer value) {
      return value == 0 ? otherwise : then;
    } else if (then == otherwise) {
      return then;
    }
    return choose(Condition.NE, truth, constant(0), List.of(then), List.of(otherwise)).get(0);
  }

  /** As {@link #branch(Condition, int, int, Supplier, Supplier)}, where a truth value is 1. */
  List<Integer> branch(int truth, Supplier<List<Integer>> then, Supplier<List<Integer>> otherwise) {
    if (known(truth) instanceof Integer value) {
      return value == 0 ? otherwise.get() : then.get();
    }
    return branch(Condition.NE, truth, constant(0), then, otherwise);
  }

  /** Computes the one where a condition holds, and the other elsewhere. */
  List<Integer> branch(
      Condition condition,
      int left,
      int right,
      Supplier<List<Integer>> then,
      Supplier<List<Integer>> otherwise) {
    Ssa.Block first = new Ssa.Block();
    Ssa.Block second = new Ssa.Block();
    block.end =
        new Ssa.If(condition, left, right, new Ssa.Edge(first), new Ssa.Edge(second), where);
    block = first;
    List<Integer> one = then.get();
    Ssa.Block firstEnd = block;
    block = second;
    List<Integer> other = otherwise.get();
    Ssa.Block secondEnd = block;
    Ssa.Block after = new Ssa.Block();
    List<Integer> merged = new ArrayList<>();
    List<Integer> fromFirst = new ArrayList<>();
    List<Integer> fromSecond = new ArrayList<>();
    for (int i = 0; i < one.size(); i++) {
      int a = one.get(i);
      int b = other.get(i);
      if (a == b) {
        merged.add(a);
        continue;
      }
      int variable = ssa.variable(kind(a) == Kind.BOOLEAN ? Kind.INT : kind(a));
      after.parameters.add(variable);
      fromFirst.add(a);
      fromSecond.add(b);
      merged.add(variable);
    }
    firstEnd.end = new Ssa.Goto(new Ssa.Edge(after, fromFirst), where);
    secondEnd.end = new Ssa.Goto(new Ssa.Edge(after, fromSecond), where);
    block = after;
    return merged;
  }

  /** Stops the run where a truth value is 1. */
  void failIf(int truth, FaultCode code, String detail) {
    if (known(truth) instanceof Integer value && value == 0) {
      return;
    }
    Ssa.Block fault = new Ssa.Block();
    Ssa.Block next = new Ssa.Block();
    fault.end = new Ssa.Stop(code, detail, where);
    block.end =
        new Ssa.If(
            Condition.NE, truth, constant(0), new Ssa.Edge(fault), new Ssa.Edge(next), where);
    block = next;
  }

  // ---- the function -----------------------------------------------------------------------------

  /** Sends a message, a variable per column. */
  void emit(Side side, List<Integer> message) {
    block.body.add(new Insn.Emit(side, message, where));
  }

  /** Ends the function with a variable per result column; none in a send function. */
  IrFunction end(List<Integer> values, List<? extends ColumnType> results) {
    block.end = new Ssa.Leave(values, where);
    new SsaOptimizer(ssa).run();
    return new Linearizer(ssa).function(function, List.copyOf(results));
  }
}
