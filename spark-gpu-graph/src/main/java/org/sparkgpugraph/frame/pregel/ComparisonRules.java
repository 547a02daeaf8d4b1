package org.sparkgpugraph.frame.pregel;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;

/** Comparisons, where NaN is equal to itself and larger than any other number, and SQL's logic. */
final class ComparisonRules {
  private ComparisonRules() {}

  static void addTo(Map<Class<?>, ExpressionLowering.Rule> rules) {
    rules.put(EqualTo.class, (l, t) -> compared(l, t, Condition.EQ));
    rules.put(LessThan.class, (l, t) -> compared(l, t, Condition.LT));
    rules.put(LessThanOrEqual.class, (l, t) -> compared(l, t, Condition.LE));
    rules.put(GreaterThan.class, (l, t) -> compared(l, t, Condition.GT));
    rules.put(GreaterThanOrEqual.class, (l, t) -> compared(l, t, Condition.GE));
    rules.put(EqualNullSafe.class, ComparisonRules::equalOrBothNull);
    rules.put(And.class, (l, t) -> connected(l, t, true));
    rules.put(Or.class, (l, t) -> connected(l, t, false));
    rules.put(
        Not.class,
        (l, t) -> {
          Cell.Scalar operand = l.scalar(Trees.child(t, 0));
          return Cells.truth(l.code().not(operand.variable()), operand.valid());
        });
    rules.put(
        IsNull.class,
        (l, t) -> {
          int flag = l.code().flag(l.lower(Trees.child(t, 0)).valid());
          return Cells.truth(l.code().not(flag), Cell.ALWAYS);
        });
    rules.put(
        IsNotNull.class,
        (l, t) -> Cells.truth(l.code().flag(l.lower(Trees.child(t, 0)).valid()), Cell.ALWAYS));
    rules.put(
        IsNaN.class,
        (l, t) -> {
          Cell.Scalar operand = l.scalar(Trees.child(t, 0));
          int nan = l.code().call(Intrinsic.IS_NAN, Kind.INT, operand.variable());
          return Cells.truth(l.code().and(l.code().flag(operand.valid()), nan), Cell.ALWAYS);
        });
    rules.put(In.class, ComparisonRules::among);
  }

  private static Cell compared(ExpressionLowering lowering, Expression tree, Condition condition) {
    List<Cell.Scalar> operands = lowering.scalars(tree);
    int truth =
        truth(lowering.code(), condition, operands.get(0).variable(), operands.get(1).variable());
    return Cells.truth(truth, lowering.valid(operands));
  }

  /** Whether a condition holds between numbers of a kind, in SQL's order of them. */
  static int truth(CodeWriter code, Condition condition, int left, int right) {
    Kind kind = code.kind(left);
    if (kind != Kind.FLOAT && kind != Kind.DOUBLE) {
      return code.test(condition, left, right);
    }
    return switch (condition) {
      case GT -> truth(code, Condition.LT, right, left);
      case GE -> truth(code, Condition.LE, right, left);
      case EQ -> code.or(code.test(Condition.EQ, left, right), bothNan(code, left, right));
      case LE -> code.or(code.test(Condition.LE, left, right), nan(code, right));
      case LT ->
          code.or(
              code.test(Condition.LT, left, right),
              code.and(nan(code, right), code.not(nan(code, left))));
      default -> throw new IllegalArgumentException(condition.toString());
    };
  }

  private static int bothNan(CodeWriter code, int left, int right) {
    return code.and(nan(code, left), nan(code, right));
  }

  private static int nan(CodeWriter code, int variable) {
    return code.known(variable) instanceof Number number
        ? code.constant(Double.isNaN(number.doubleValue()) ? 1 : 0)
        : code.call(Intrinsic.IS_NAN, Kind.INT, variable);
  }

  private static Cell equalOrBothNull(ExpressionLowering lowering, Expression tree) {
    CodeWriter code = lowering.code();
    Expression left = Trees.child(tree, 0);
    Cell.Scalar one = lowering.scalar(left);
    Cell.Scalar other = lowering.scalar(Trees.child(tree, 1));
    int first = code.flag(one.valid());
    int second = code.flag(other.valid());
    int neither = code.not(code.or(first, second));
    if (one.valid() == Cell.NEVER || other.valid() == Cell.NEVER) {
      return Cells.truth(neither, Cell.ALWAYS);
    }
    int equal =
        code.and(
            code.and(first, second), truth(code, Condition.EQ, one.variable(), other.variable()));
    return Cells.truth(code.or(neither, equal), Cell.ALWAYS);
  }

  /** Null unless one side decides. The second side is computed where the first does not decide. */
  private static Cell connected(ExpressionLowering lowering, Expression tree, boolean isAnd) {
    CodeWriter code = lowering.code();
    Cell.Scalar left = lowering.scalar(Trees.child(tree, 0));
    int decides =
        code.and(code.flag(left.valid()), isAnd ? code.not(left.variable()) : left.variable());
    return Cells.branch(
        code,
        decides,
        () -> Cells.truth(code.constant(isAnd ? 0 : 1), Cell.ALWAYS),
        () -> {
          Cell.Scalar right = lowering.scalar(Trees.child(tree, 1));
          int other =
              code.and(
                  code.flag(right.valid()), isAnd ? code.not(right.variable()) : right.variable());
          // Here the left side is null, or leaves it to the right one.
          return Cells.truth(
              isAnd ? code.not(other) : other,
              code.validity(
                  code.or(other, code.and(code.flag(left.valid()), code.flag(right.valid())))));
        });
  }

  private static Cell among(ExpressionLowering lowering, Expression tree) {
    CodeWriter code = lowering.code();
    List<Cell.Scalar> cells = lowering.scalars(tree);
    Cell.Scalar value = cells.get(0);
    int found = code.constant(0);
    int all = Cell.ALWAYS;
    for (Cell.Scalar each : cells.subList(1, cells.size())) {
      int equal =
          code.and(
              code.flag(each.valid()),
              truth(code, Condition.EQ, value.variable(), each.variable()));
      found = code.or(found, equal);
      all = code.both(all, each.valid());
    }
    int known = code.validity(code.or(found, code.flag(all)));
    return Cells.truth(found, code.both(value.valid(), known));
  }
}
