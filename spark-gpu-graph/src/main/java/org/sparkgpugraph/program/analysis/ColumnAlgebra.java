package org.sparkgpugraph.program.analysis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * Recognises functions of two values that combine each column with the same column of the other.
 * Every claim holds on every path, whatever the conditions that are not understood say.
 */
final class ColumnAlgebra {
  private final Expr.Pool pool = new Expr.Pool();
  private final List<Path> paths;
  private final List<Kind> kinds;
  private final Role leftRole;
  private final Role rightRole;

  private ColumnAlgebra(IrFunction function, Role left, Role right) {
    this.leftRole = left;
    this.rightRole = right;
    this.kinds = function.results();
    this.paths = Path.of(function, pool);
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
      Expr input = pool.input(role, i, kinds.get(i));
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
        && !paths
            .get(0)
            .results()
            .get(index)
            .reads(
                input ->
                    (input.role() != leftRole && input.role() != rightRole)
                        || input.index() != index);
  }

  private MergeAlgebra column(int index) {
    Kind kind = kinds.get(index);
    Expr left = pool.input(leftRole, index, kind);
    Expr right = pool.input(rightRole, index, kind);
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
      return MergeAlgebra.GENERAL;
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

  private Expr call(Intrinsic function, Kind kind, Expr left, Expr right) {
    return pool.make(new Expr.Operation.Call(function), kind, left, right);
  }

  private Expr binary(BinaryOp op, Kind kind, Expr left, Expr right) {
    return pool.make(new Expr.Operation.Binary(op), kind, left, right);
  }

  private boolean always(int index, Expr expected) {
    return paths.stream().allMatch(path -> path.results().get(index) == expected);
  }

  /** Whether the smaller (or larger) of two integers is chosen by hand-written comparisons. */
  private boolean selects(int index, Expr left, Expr right, boolean smaller) {
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
  private boolean chooses(Expr chosen, Expr left, Expr right, int sign) {
    return sign == 0 ? chosen == left || chosen == right : chosen == (sign < 0 ? left : right);
  }

  private static boolean possible(Path path, Expr left, Expr right, int order) {
    for (Comparison comparison : path.conditions()) {
      Condition condition = comparison.between(left, right);
      if (condition != null && !holds(condition, order)) {
        return false;
      }
    }
    return true;
  }

  private static boolean holds(Condition condition, int order) {
    return switch (condition) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT, NOT_GE -> order < 0;
      case LE, NOT_GT -> order <= 0;
      case GT, NOT_LE -> order > 0;
      case GE, NOT_LT -> order >= 0;
    };
  }

  /** Booleans are tried out. */
  private MergeAlgebra booleans(int index, Expr left, Expr right) {
    StringBuilder table = new StringBuilder();
    for (int row = 0; row < 4; row++) {
      Map<Expr, Integer> known = new HashMap<>();
      known.put(left, row >> 1);
      known.put(right, row & 1);
      Integer result = null;
      for (Path path : paths) {
        boolean possible = true;
        for (Comparison comparison : path.conditions()) {
          Integer a = value(comparison.left(), known);
          Integer b = value(comparison.right(), known);
          possible &=
              a == null || b == null || holds(comparison.condition(), Integer.compare(a, b));
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
  private static Integer value(Expr expr, Map<Expr, Integer> known) {
    Deque<Expr> path = new ArrayDeque<>(List.of(expr));
    while (!path.isEmpty()) {
      Expr last = path.peek();
      Expr missing =
          last.operands().stream().filter(o -> !known.containsKey(o)).findFirst().orElse(null);
      if (known.containsKey(last)) {
        path.pop();
      } else if (missing == null) {
        known.put(path.pop(), combined(last, known));
      } else {
        path.push(missing);
      }
    }
    return known.get(expr);
  }

  /** The value of an operation on operands with known values, or null. */
  private static Integer combined(Expr expr, Map<Expr, Integer> known) {
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
