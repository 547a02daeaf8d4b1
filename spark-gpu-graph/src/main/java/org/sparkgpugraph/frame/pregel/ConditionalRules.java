package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Greatest;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.KnownNotNull;
import org.apache.spark.sql.catalyst.expressions.Least;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NaNvl;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import scala.Tuple2;

/** Choices, which compute what they choose alone, and structs. */
final class ConditionalRules {
  private ConditionalRules() {}

  static void addTo(Map<Class<?>, ExpressionLowering.Rule> rules) {
    rules.put(
        If.class,
        (l, t) -> {
          List<Expression> parts = Trees.children(t);
          return chosen(l, parts.subList(0, 2), parts.get(2), t);
        });
    rules.put(
        CaseWhen.class,
        (l, t) -> {
          CaseWhen cases = (CaseWhen) t;
          List<Expression> parts = new ArrayList<>();
          for (Tuple2<Expression, Expression> branch :
              Trees.<Tuple2<Expression, Expression>>list(cases.branches())) {
            parts.add(branch._1());
            parts.add(branch._2());
          }
          Expression last = cases.elseValue().isDefined() ? cases.elseValue().get() : null;
          return chosen(l, parts, last, t);
        });
    rules.put(Coalesce.class, (l, t) -> first(l, Trees.children(t)));
    rules.put(KnownNotNull.class, (l, t) -> l.lower(Trees.child(t, 0)));
    rules.put(Least.class, (l, t) -> extreme(l, t, true));
    rules.put(Greatest.class, (l, t) -> extreme(l, t, false));
    rules.put(
        NaNvl.class,
        (l, t) -> {
          CodeWriter code = l.code();
          Cell.Scalar value = l.scalar(Trees.child(t, 0));
          int nan = code.call(Intrinsic.IS_NAN, Kind.INT, value.variable());
          return Cells.branch(
              code,
              code.and(code.flag(value.valid()), nan),
              () -> l.lower(Trees.child(t, 1)),
              () -> value);
        });
    rules.put(
        GetStructField.class,
        (l, t) -> {
          GetStructField field = (GetStructField) t;
          Cell.Struct struct = (Cell.Struct) l.lower(field.child());
          Cell cell = struct.fields().get(field.ordinal());
          return cell.valid(l.code().both(struct.valid(), cell.valid()));
        });
    rules.put(
        CreateNamedStruct.class,
        (l, t) -> {
          List<Cell> fields = new ArrayList<>();
          Trees.<Expression>list(((CreateNamedStruct) t).valExprs())
              .forEach(value -> fields.add(l.lower(value)));
          return new Cell.Struct(fields, Cell.ALWAYS);
        });
  }

  /**
   * @param parts a condition and a value, one pair after the other
   * @param last what it is where no condition is true; null: null
   */
  private static Cell chosen(
      ExpressionLowering lowering, List<Expression> parts, Expression last, Expression tree) {
    if (parts.isEmpty()) {
      return last == null ? Cells.none(lowering.code(), tree.dataType()) : lowering.lower(last);
    }
    CodeWriter code = lowering.code();
    Cell.Scalar condition = lowering.scalar(parts.get(0));
    return Cells.branch(
        code,
        code.and(code.flag(condition.valid()), condition.variable()),
        () -> lowering.lower(parts.get(1)),
        () -> chosen(lowering, parts.subList(2, parts.size()), last, tree));
  }

  private static Cell first(ExpressionLowering lowering, List<Expression> trees) {
    Cell cell = lowering.lower(trees.get(0));
    if (trees.size() == 1 || cell.valid() == Cell.ALWAYS) {
      return cell;
    }
    CodeWriter code = lowering.code();
    if (cell instanceof Cell.Scalar scalar
        && scalar.kind().isIntegral()
        && trees.get(1) instanceof Literal literal
        && literal.value() != null
        && literal.value().equals(code.whereNull(scalar.variable()))) {
      // Where there is none it holds that already.
      return cell.valid(Cell.ALWAYS);
    }
    return Cells.branch(
        code,
        code.flag(cell.valid()),
        () -> cell.valid(Cell.ALWAYS),
        () -> first(lowering, trees.subList(1, trees.size())));
  }

  /** The smallest or largest of those that are no nulls; NaN is the largest. */
  private static Cell extreme(ExpressionLowering lowering, Expression tree, boolean least) {
    Cell.Scalar best = null;
    for (Cell.Scalar next : lowering.scalars(tree)) {
      best = best == null ? next : extreme(lowering.code(), best, next, least);
    }
    return best;
  }

  private static Cell.Scalar extreme(
      CodeWriter code, Cell.Scalar one, Cell.Scalar other, boolean least) {
    if (one.valid() == Cell.NEVER) {
      return other;
    } else if (other.valid() == Cell.NEVER) {
      return one;
    }
    int best = extreme(code, one.kind(), one.variable(), other.variable(), least);
    if (one.valid() != Cell.ALWAYS && !isNeutral(code, one, least)) {
      best = code.choose(one.valid(), best, other.variable());
    }
    if (other.valid() != Cell.ALWAYS && !isNeutral(code, other, least)) {
      best = code.choose(other.valid(), best, one.variable());
    }
    return new Cell.Scalar(
        one.kind(), best, code.validity(code.or(code.flag(one.valid()), code.flag(other.valid()))));
  }

  /** Whether a null holds what changes nothing. */
  private static boolean isNeutral(CodeWriter code, Cell.Scalar cell, boolean least) {
    Object held = code.whereNull(cell.variable());
    return held != null
        && switch (cell.kind()) {
          case BOOLEAN -> false;
          case INT -> held.equals(least ? Integer.MAX_VALUE : Integer.MIN_VALUE);
          case LONG -> held.equals(least ? Long.MAX_VALUE : Long.MIN_VALUE);
          case FLOAT -> held.equals(least ? Float.NaN : Float.NEGATIVE_INFINITY);
          case DOUBLE -> held.equals(least ? Double.NaN : Double.NEGATIVE_INFINITY);
        };
  }

  private static int extreme(CodeWriter code, Kind kind, int one, int other, boolean least) {
    return switch (kind) {
      case BOOLEAN -> code.binary(least ? BinaryOp.AND : BinaryOp.OR, Kind.INT, one, other);
      case INT, LONG -> code.call(least ? Intrinsic.MIN : Intrinsic.MAX, kind, one, other);
      case FLOAT, DOUBLE ->
          least
              ? code.choose(ComparisonRules.truth(code, Condition.LT, other, one), other, one)
              : code.call(Intrinsic.MAX, kind, one, other);
    };
  }
}
