package org.sparkgpugraph.program.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.expression.Comparison;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.lanes.ElementFunction;

/**
 * Recognises functions of two values that combine each column with the same column of the other.
 * Every claim holds on every path, whatever the conditions that are not understood say.
 */
final class ColumnAlgebra {
  private final ExpressionPool pool = ExpressionPool.commuting();
  private final List<Path> paths;
  private final List<ColumnType> kinds;
  private final Role leftRole;
  private final Role rightRole;

  private ColumnAlgebra(IrFunction function, Role left, Role right) {
    this.leftRole = left;
    this.rightRole = right;
    // Of arrays, what is done to each element; where that is not known, to the whole.
    IrFunction element = ElementFunction.of(function).orElse(function);
    this.kinds = element.results();
    this.paths = Path.of(element, pool);
  }

  /**
   * What the function does to each column.
   *
   * @param left role of the first value
   * @param right role of the second value
   */
  static List<MergeAlgebra> of(IrFunction function, Role left, Role right) {
    return new ColumnAlgebra(function, left, right).columns();
  }

  private List<MergeAlgebra> columns() {
    List<MergeAlgebra> general = new ArrayList<>();
    kinds.forEach(kind -> general.add(MergeAlgebra.GENERAL));
    if (paths == null || paths.stream().anyMatch(path -> path.results() == null)) {
      return general;
    }
    if (keeps(leftRole) || keeps(rightRole)) {
      general.replaceAll(column -> MergeAlgebra.FIRST);
      return general;
    }
    List<MergeAlgebra> found = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      MergeAlgebra column = column(i);
      if (column == MergeAlgebra.GENERAL && !independent(i)) {
        return general;
      }
      found.add(column);
    }
    return found;
  }

  private boolean keeps(Role role) {
    for (int i = 0; i < kinds.size(); i++) {
      Expression input = pool.input(role, i, kinds.get(i).kind());
      for (Path path : paths) {
        if (path.results().get(i) != input) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether a column's result reads no other column, and is computed on one path only. */
  private boolean independent(int index) {
    return paths.size() == 1
        && paths.get(0).results().get(index).inputs().stream()
            .allMatch(
                input ->
                    (input.role() == leftRole || input.role() == rightRole)
                        && input.index() == index);
  }

  private MergeAlgebra column(int index) {
    if (kinds.get(index).isArray()) {
      return MergeAlgebra.GENERAL;
    }
    Kind kind = kinds.get(index).kind();
    Expression left = pool.input(leftRole, index, kind);
    Expression right = pool.input(rightRole, index, kind);
    if (kind == Kind.BOOLEAN) {
      return booleans(index, left, right);
    }
    if (always(index, call(Intrinsic.MIN, kind, left, right))) {
      return MergeAlgebra.MIN;
    } else if (always(index, call(Intrinsic.MAX, kind, left, right))) {
      return MergeAlgebra.MAX;
    } else if (always(index, binary(BinaryOp.ADD, kind, left, right))) {
      return MergeAlgebra.SUM;
    } else if (!kind.isIntegral()) {
      return always(index, call(Intrinsic.LEAST, kind, left, right))
          ? MergeAlgebra.LEAST
          : MergeAlgebra.GENERAL;
    } else if (always(index, binary(BinaryOp.OR, kind, left, right))) {
      return MergeAlgebra.OR;
    } else if (always(index, binary(BinaryOp.AND, kind, left, right))) {
      return MergeAlgebra.AND;
    } else if (selects(index, left, right, true)) {
      return MergeAlgebra.MIN;
    } else if (selects(index, left, right, false)) {
      return MergeAlgebra.MAX;
    }
    return MergeAlgebra.GENERAL;
  }

  private Expression call(Intrinsic function, Kind kind, Expression left, Expression right) {
    return pool.make(new Operation.Call(function), kind, left, right);
  }

  private Expression binary(BinaryOp op, Kind kind, Expression left, Expression right) {
    return pool.make(new Operation.Binary(op), kind, left, right);
  }

  private boolean always(int index, Expression expected) {
    return paths.stream().allMatch(path -> path.results().get(index) == expected);
  }

  /** Whether the smaller (or larger) of two integers is chosen by hand-written comparisons. */
  private boolean selects(int index, Expression left, Expression right, boolean smaller) {
    for (int order = -1; order <= 1; order++) {
      for (Path path : paths) {
        if (possible(path, left, right, order)
            && !chooses(path.results().get(index), left, right, smaller ? order : -order)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether an expression is the left value if {@code sign} is negative, the right one if not. */
  private boolean chooses(Expression chosen, Expression left, Expression right, int sign) {
    return sign == 0 ? chosen == left || chosen == right : chosen == (sign < 0 ? left : right);
  }

  private static boolean possible(Path path, Expression left, Expression right, int order) {
    for (Comparison comparison : path.conditions()) {
      Condition condition = comparison.between(left, right);
      if (condition != null && !condition.holds(order)) {
        return false;
      }
    }
    return true;
  }

  /** Booleans are tried out. */
  private MergeAlgebra booleans(int index, Expression left, Expression right) {
    StringBuilder table = new StringBuilder();
    for (int row = 0; row < 4; row++) {
      Map<Expression, Integer> known = new HashMap<>();
      known.put(left, row >> 1);
      known.put(right, row & 1);
      Integer result = null;
      for (Path path : paths) {
        boolean possible = true;
        for (Comparison comparison : path.conditions()) {
          Integer a = value(comparison.left(), known);
          Integer b = value(comparison.right(), known);
          possible &= a == null || b == null || comparison.condition().holds(Integer.compare(a, b));
        }
        if (possible) {
          Integer value = value(path.results().get(index), known);
          if (value == null || (result != null && !result.equals(value))) {
            return MergeAlgebra.GENERAL;
          }
          result = value;
        }
      }
      table.append(result);
    }
    return switch (table.toString()) {
      case "0111" -> MergeAlgebra.OR;
      case "0001" -> MergeAlgebra.AND;
      default -> MergeAlgebra.GENERAL;
    };
  }

  /**
   * The value of an expression over known booleans, or null.
   *
   * @param known values so far, null included; gets those of the expression's parts
   */
  private static Integer value(Expression expr, Map<Expression, Integer> known) {
    return expr.fold(known, part -> combined(part, known));
  }

  /** The value of an operation on operands with known values, or null. */
  private static Integer combined(Expression expr, Map<Expression, Integer> known) {
    if (expr.constant() instanceof Integer constant) {
      return constant;
    } else if (expr.operands().size() != 2) {
      return null;
    }
    Integer a = known.get(expr.operand(0));
    Integer b = known.get(expr.operand(1));
    if (a == null || b == null) {
      return null;
    }
    if (expr.is(BinaryOp.AND)) {
      return a & b;
    } else if (expr.is(BinaryOp.OR)) {
      return a | b;
    } else if (expr.is(BinaryOp.XOR)) {
      return a ^ b;
    } else if (expr.is(Intrinsic.MIN)) {
      return Math.min(a, b);
    }
    return expr.is(Intrinsic.MAX) ? Math.max(a, b) : null;
  }
}
