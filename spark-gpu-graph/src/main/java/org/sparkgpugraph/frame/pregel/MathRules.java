package org.sparkgpugraph.frame.pregel;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Acos;
import org.apache.spark.sql.catalyst.expressions.Asin;
import org.apache.spark.sql.catalyst.expressions.Atan;
import org.apache.spark.sql.catalyst.expressions.Atan2;
import org.apache.spark.sql.catalyst.expressions.Cbrt;
import org.apache.spark.sql.catalyst.expressions.Ceil;
import org.apache.spark.sql.catalyst.expressions.Cos;
import org.apache.spark.sql.catalyst.expressions.Cosh;
import org.apache.spark.sql.catalyst.expressions.Exp;
import org.apache.spark.sql.catalyst.expressions.Expm1;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Floor;
import org.apache.spark.sql.catalyst.expressions.Hypot;
import org.apache.spark.sql.catalyst.expressions.Log;
import org.apache.spark.sql.catalyst.expressions.Log10;
import org.apache.spark.sql.catalyst.expressions.Log1p;
import org.apache.spark.sql.catalyst.expressions.Log2;
import org.apache.spark.sql.catalyst.expressions.Logarithm;
import org.apache.spark.sql.catalyst.expressions.Pow;
import org.apache.spark.sql.catalyst.expressions.Rint;
import org.apache.spark.sql.catalyst.expressions.Signum;
import org.apache.spark.sql.catalyst.expressions.Sin;
import org.apache.spark.sql.catalyst.expressions.Sinh;
import org.apache.spark.sql.catalyst.expressions.Sqrt;
import org.apache.spark.sql.catalyst.expressions.Tan;
import org.apache.spark.sql.catalyst.expressions.Tanh;
import org.apache.spark.sql.catalyst.expressions.ToDegrees;
import org.apache.spark.sql.catalyst.expressions.ToRadians;
import org.apache.spark.sql.types.LongType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;

/** Functions of doubles, within the ulp that Java's Math allows. */
final class MathRules {
  private MathRules() {}

  static void addTo(Map<Class<?>, ExpressionLowering.Rule> rules) {
    rules.put(Sqrt.class, (l, t) -> unary(l, t, Intrinsic.SQRT));
    rules.put(Cbrt.class, (l, t) -> unary(l, t, Intrinsic.CBRT));
    rules.put(Exp.class, (l, t) -> unary(l, t, Intrinsic.EXP));
    rules.put(Expm1.class, (l, t) -> unary(l, t, Intrinsic.EXPM1));
    rules.put(Rint.class, (l, t) -> unary(l, t, Intrinsic.RINT));
    rules.put(Signum.class, (l, t) -> unary(l, t, Intrinsic.SIGNUM));
    rules.put(Sin.class, (l, t) -> unary(l, t, Intrinsic.SIN));
    rules.put(Cos.class, (l, t) -> unary(l, t, Intrinsic.COS));
    rules.put(Tan.class, (l, t) -> unary(l, t, Intrinsic.TAN));
    rules.put(Asin.class, (l, t) -> unary(l, t, Intrinsic.ASIN));
    rules.put(Acos.class, (l, t) -> unary(l, t, Intrinsic.ACOS));
    rules.put(Atan.class, (l, t) -> unary(l, t, Intrinsic.ATAN));
    rules.put(Sinh.class, (l, t) -> unary(l, t, Intrinsic.SINH));
    rules.put(Cosh.class, (l, t) -> unary(l, t, Intrinsic.COSH));
    rules.put(Tanh.class, (l, t) -> unary(l, t, Intrinsic.TANH));
    rules.put(Log.class, (l, t) -> logarithm(l, t, Intrinsic.LOG, 0));
    rules.put(Log10.class, (l, t) -> logarithm(l, t, Intrinsic.LOG10, 0));
    rules.put(Log1p.class, (l, t) -> logarithm(l, t, Intrinsic.LOG1P, -1));
    rules.put(
        Log2.class,
        (l, t) -> {
          Cell.Scalar natural = logarithm(l, t, Intrinsic.LOG, 0);
          int two = l.code().constant(StrictMath.log(2));
          return divided(l.code(), natural.variable(), two, natural.valid());
        });
    rules.put(Logarithm.class, MathRules::toBase);
    rules.put(ToDegrees.class, (l, t) -> times(l, t, 180 / Math.PI));
    rules.put(ToRadians.class, (l, t) -> times(l, t, Math.PI / 180));
    rules.put(Pow.class, (l, t) -> binary(l, t, Intrinsic.POW, false));
    rules.put(Hypot.class, (l, t) -> binary(l, t, Intrinsic.HYPOT, false));
    rules.put(Atan2.class, (l, t) -> binary(l, t, Intrinsic.ATAN2, true));
    rules.put(Floor.class, (l, t) -> whole(l, t, Intrinsic.FLOOR));
    rules.put(Ceil.class, (l, t) -> whole(l, t, Intrinsic.CEIL));
  }

  private static Cell.Scalar real(ExpressionLowering lowering, Expression tree) {
    Cell.Scalar operand = lowering.scalar(tree);
    if (operand.kind() != Kind.DOUBLE) {
      throw new UnliftableException(
          "computes with " + tree.sql() + " of type " + tree.dataType().simpleString());
    }
    return operand;
  }

  private static Cell unary(ExpressionLowering lowering, Expression tree, Intrinsic function) {
    Cell.Scalar operand = real(lowering, Trees.child(tree, 0));
    return new Cell.Scalar(
        Kind.DOUBLE,
        lowering.code().call(function, Kind.DOUBLE, operand.variable()),
        operand.valid());
  }

  /** Null at the asymptote and below, as in Spark. */
  private static Cell.Scalar logarithm(
      ExpressionLowering lowering, Expression tree, Intrinsic function, double asymptote) {
    Cell.Scalar operand = real(lowering, Trees.child(tree, 0));
    CodeWriter code = lowering.code();
    int valid = code.both(operand.valid(), above(code, operand.variable(), asymptote));
    return new Cell.Scalar(
        Kind.DOUBLE, code.call(function, Kind.DOUBLE, operand.variable()), valid);
  }

  /** Also NaN is not at or below it. */
  private static int above(CodeWriter code, int variable, double asymptote) {
    return code.validity(code.test(Condition.NOT_LE, variable, code.constant(asymptote)));
  }

  private static Cell toBase(ExpressionLowering lowering, Expression tree) {
    CodeWriter code = lowering.code();
    Cell.Scalar base = real(lowering, Trees.child(tree, 0));
    Cell.Scalar value = real(lowering, Trees.child(tree, 1));
    int valid = code.both(base.valid(), value.valid());
    valid = code.both(valid, above(code, base.variable(), 0));
    valid = code.both(valid, above(code, value.variable(), 0));
    return divided(
        code,
        code.call(Intrinsic.LOG, Kind.DOUBLE, value.variable()),
        code.call(Intrinsic.LOG, Kind.DOUBLE, base.variable()),
        valid);
  }

  private static Cell divided(CodeWriter code, int left, int right, int valid) {
    return new Cell.Scalar(
        Kind.DOUBLE, code.binary(BinaryOp.DIVIDE, Kind.DOUBLE, left, right), valid);
  }

  private static Cell times(ExpressionLowering lowering, Expression tree, double factor) {
    Cell.Scalar operand = real(lowering, Trees.child(tree, 0));
    CodeWriter code = lowering.code();
    return new Cell.Scalar(
        Kind.DOUBLE,
        code.binary(BinaryOp.MULTIPLY, Kind.DOUBLE, operand.variable(), code.constant(factor)),
        operand.valid());
  }

  /**
   * @param plusZero whether 0.0 is added to the operands first, so that none is −0.0
   */
  private static Cell binary(
      ExpressionLowering lowering, Expression tree, Intrinsic function, boolean plusZero) {
    CodeWriter code = lowering.code();
    Cell.Scalar one = real(lowering, Trees.child(tree, 0));
    Cell.Scalar other = real(lowering, Trees.child(tree, 1));
    int left = one.variable();
    int right = other.variable();
    if (plusZero) {
      left = code.binary(BinaryOp.ADD, Kind.DOUBLE, left, code.constant(0.0));
      right = code.binary(BinaryOp.ADD, Kind.DOUBLE, right, code.constant(0.0));
    }
    return new Cell.Scalar(
        Kind.DOUBLE,
        code.call(function, Kind.DOUBLE, left, right),
        lowering.valid(List.of(one, other)));
  }

  /** A bigint, of a double. */
  private static Cell whole(ExpressionLowering lowering, Expression tree, Intrinsic function) {
    Cell.Scalar operand = lowering.scalar(Trees.child(tree, 0));
    if (!(tree.dataType() instanceof LongType)) {
      throw new UnliftableException(
          "computes " + tree.sql() + " of type " + tree.dataType().simpleString());
    }
    if (operand.kind() == Kind.LONG) {
      return operand;
    }
    CodeWriter code = lowering.code();
    int rounded = code.call(function, Kind.DOUBLE, code.convert(operand.variable(), Kind.DOUBLE));
    return new Cell.Scalar(Kind.LONG, code.convert(rounded, Kind.LONG), operand.valid());
  }
}
