package org.sparkgpugraph.frame.pregel;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Abs;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.BitwiseAnd;
import org.apache.spark.sql.catalyst.expressions.BitwiseNot;
import org.apache.spark.sql.catalyst.expressions.BitwiseOr;
import org.apache.spark.sql.catalyst.expressions.BitwiseXor;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IntegralDivide;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Pmod;
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.ShiftLeft;
import org.apache.spark.sql.catalyst.expressions.ShiftRight;
import org.apache.spark.sql.catalyst.expressions.ShiftRightUnsigned;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnaryPositive;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.sparkgpugraph.frame.pregel.Trees.OnError;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.UnaryOp;

/** Arithmetic with SQL's nulls, and what the session says of results that do not fit. */
final class ArithmeticRules {
  private ArithmeticRules() {}

  static void addTo(Map<Class<?>, ExpressionLowering.Rule> rules) {
    rules.put(Add.class, (l, t) -> exact(l, t, BinaryOp.ADD));
    rules.put(Subtract.class, (l, t) -> exact(l, t, BinaryOp.SUBTRACT));
    rules.put(Multiply.class, (l, t) -> exact(l, t, BinaryOp.MULTIPLY));
    rules.put(Divide.class, (l, t) -> divided(l, t, BinaryOp.DIVIDE));
    rules.put(IntegralDivide.class, (l, t) -> divided(l, t, BinaryOp.DIVIDE));
    rules.put(Remainder.class, (l, t) -> divided(l, t, BinaryOp.REMAINDER));
    rules.put(Pmod.class, (l, t) -> divided(l, t, null));
    rules.put(UnaryMinus.class, ArithmeticRules::minus);
    rules.put(UnaryPositive.class, (l, t) -> l.lower(Trees.child(t, 0)));
    rules.put(Abs.class, ArithmeticRules::absolute);
    rules.put(BitwiseAnd.class, (l, t) -> bits(l, t, BinaryOp.AND));
    rules.put(BitwiseOr.class, (l, t) -> bits(l, t, BinaryOp.OR));
    rules.put(BitwiseXor.class, (l, t) -> bits(l, t, BinaryOp.XOR));
    rules.put(ShiftLeft.class, (l, t) -> bits(l, t, BinaryOp.SHIFT_LEFT));
    rules.put(ShiftRight.class, (l, t) -> bits(l, t, BinaryOp.SHIFT_RIGHT));
    rules.put(ShiftRightUnsigned.class, (l, t) -> bits(l, t, BinaryOp.SHIFT_RIGHT_UNSIGNED));
    rules.put(
        BitwiseNot.class,
        (l, t) -> {
          Cell.Scalar operand = l.scalar(Trees.child(t, 0));
          CodeWriter code = l.code();
          int ones = code.constant(operand.kind(), -1);
          return new Cell.Scalar(
              operand.kind(),
              code.binary(BinaryOp.XOR, operand.kind(), operand.variable(), ones),
              operand.valid());
        });
  }

  /** The kind of numbers of a type that arithmetic is done with. */
  private static Kind kind(Expression tree) {
    DataType type = tree.dataType();
    if (type instanceof IntegerType
        || type instanceof LongType
        || type instanceof FloatType
        || type instanceof DoubleType
        || type instanceof ShortType
        || type instanceof ByteType) {
      return Layout.kind(type);
    }
    throw new UnliftableException(
        "computes " + tree.sql() + " of type " + type.simpleString() + "; cast it to a number");
  }

  private static boolean isReal(Kind kind) {
    return kind == Kind.FLOAT || kind == Kind.DOUBLE;
  }

  private static Cell exact(ExpressionLowering lowering, Expression tree, BinaryOp op) {
    Kind kind = kind(tree);
    List<Cell.Scalar> operands = lowering.scalars(tree);
    int left = operands.get(0).variable();
    int right = operands.get(1).variable();
    int valid = lowering.valid(operands);
    CodeWriter code = lowering.code();
    OnError onError = Trees.onError(tree);
    if (isReal(kind) || onError == OnError.LEGACY) {
      return new Cell.Scalar(
          kind, narrowed(code, tree.dataType(), code.binary(op, kind, left, right)), valid);
    }
    return checked(
        lowering,
        tree,
        kind,
        valid,
        code.binary(op, kind, left, right),
        result -> overflows(code, op, tree.dataType(), left, right, result));
  }

  /** Whether a result does not fit, of operands that are there. */
  private interface Overflow {
    int of(int result);
  }

  /** A result that may not fit: an error, or null. */
  private static Cell checked(
      ExpressionLowering lowering,
      Expression tree,
      Kind kind,
      int valid,
      int result,
      Overflow overflow) {
    CodeWriter code = lowering.code();
    int overflows = overflow.of(result);
    if (Trees.onError(tree) == OnError.ANSI) {
      code.failIf(code.and(code.flag(valid), overflows), FaultCode.ARITHMETIC_OVERFLOW, tree.sql());
      return new Cell.Scalar(kind, result, valid);
    }
    return new Cell.Scalar(kind, result, code.both(valid, code.validity(code.not(overflows))));
  }

  private static int overflows(
      CodeWriter code, BinaryOp op, DataType type, int left, int right, int result) {
    if (!(type instanceof LongType)) {
      // Of bytes, shorts and ints the exact result is a long.
      int exact =
          code.binary(op, Kind.LONG, code.convert(left, Kind.LONG), code.convert(right, Kind.LONG));
      int fits = code.convert(narrowed(code, type, result), Kind.LONG);
      return code.test(Condition.NE, exact, fits);
    }
    int zero = code.constant(0L);
    if (op == BinaryOp.MULTIPLY) {
      int high = code.call(Intrinsic.MULTIPLY_HIGH, Kind.LONG, left, right);
      int sign = code.binary(BinaryOp.SHIFT_RIGHT, Kind.LONG, result, code.constant(63));
      return code.test(Condition.NE, high, sign);
    }
    int first = code.binary(BinaryOp.XOR, Kind.LONG, left, op == BinaryOp.ADD ? result : right);
    int second = code.binary(BinaryOp.XOR, Kind.LONG, op == BinaryOp.ADD ? right : left, result);
    return code.test(Condition.LT, code.binary(BinaryOp.AND, Kind.LONG, first, second), zero);
  }

  /** An INT as a byte or short, where that is the type. */
  static int narrowed(CodeWriter code, DataType type, int variable) {
    if (type instanceof ByteType) {
      return code.unary(UnaryOp.TO_BYTE, Kind.INT, variable);
    }
    return type instanceof ShortType ? code.unary(UnaryOp.TO_SHORT, Kind.INT, variable) : variable;
  }

  /**
   * A quotient or remainder: of a divisor 0 null or an error, also of real numbers.
   *
   * @param op null: the remainder that is not negative
   */
  private static Cell divided(ExpressionLowering lowering, Expression tree, BinaryOp op) {
    CodeWriter code = lowering.code();
    Expression dividend = Trees.child(tree, 0);
    Kind kind = kind(dividend);
    kind(tree);
    List<Cell.Scalar> operands = lowering.scalars(tree);
    int left = operands.get(0).variable();
    int right = operands.get(1).variable();
    int valid = lowering.valid(operands);
    OnError onError = Trees.onError(tree);
    int zero = code.constant(kind, 0);
    boolean notZero = code.known(right) instanceof Number known && known.doubleValue() != 0;
    if (!notZero && onError == OnError.ANSI) {
      int isZero = code.test(Condition.EQ, right, zero);
      code.failIf(code.and(code.flag(valid), isZero), FaultCode.DIVISION_BY_ZERO, tree.sql());
    }
    int there = valid;
    if (!notZero && onError != OnError.ANSI) {
      there = code.both(valid, code.validity(code.test(Condition.NE, right, zero)));
    }
    if (isReal(kind)) {
      int value =
          op == null ? positive(code, kind, left, right) : code.binary(op, kind, left, right);
      return new Cell.Scalar(kind, value, there);
    }
    if (tree instanceof IntegralDivide && onError == OnError.ANSI) {
      int least = code.test(Condition.EQ, left, code.constant(kind, least(kind)));
      int minusOne = code.test(Condition.EQ, right, code.constant(kind, -1));
      code.failIf(
          code.and(code.flag(valid), code.and(least, minusOne)),
          FaultCode.ARITHMETIC_OVERFLOW,
          tree.sql());
    }
    // Integers are divided where there is a divisor; also where a null stands for one.
    int divisor =
        notZero
            ? right
            : code.choose(code.test(Condition.EQ, right, zero), code.constant(kind, 1), right);
    int value =
        op == null ? positive(code, kind, left, divisor) : code.binary(op, kind, left, divisor);
    Kind result = Layout.kind(tree.dataType());
    return new Cell.Scalar(
        result, narrowed(code, tree.dataType(), code.convert(value, result)), there);
  }

  private static Number least(Kind kind) {
    return kind == Kind.LONG ? (Number) Long.MIN_VALUE : (Number) Integer.MIN_VALUE;
  }

  /** Spark's pmod: r = a mod n, and (r + n) mod n where r is negative. */
  private static int positive(CodeWriter code, Kind kind, int left, int right) {
    int remainder = code.binary(BinaryOp.REMAINDER, kind, left, right);
    return code.branch(
            Condition.LT,
            remainder,
            code.constant(kind, 0),
            () ->
                List.of(
                    code.binary(
                        BinaryOp.REMAINDER,
                        kind,
                        code.binary(BinaryOp.ADD, kind, remainder, right),
                        right)),
            () -> List.of(remainder))
        .get(0);
  }

  private static Cell minus(ExpressionLowering lowering, Expression tree) {
    Kind kind = kind(tree);
    Cell.Scalar operand = lowering.scalar(Trees.child(tree, 0));
    CodeWriter code = lowering.code();
    int result =
        narrowed(code, tree.dataType(), code.unary(UnaryOp.NEGATE, kind, operand.variable()));
    return overflowing(lowering, tree, kind, operand, result);
  }

  private static Cell absolute(ExpressionLowering lowering, Expression tree) {
    Kind kind = kind(tree);
    Cell.Scalar operand = lowering.scalar(Trees.child(tree, 0));
    CodeWriter code = lowering.code();
    int result =
        narrowed(code, tree.dataType(), code.call(Intrinsic.ABS, kind, operand.variable()));
    return overflowing(lowering, tree, kind, operand, result);
  }

  /** The smallest integer has no opposite. */
  private static Cell overflowing(
      ExpressionLowering lowering, Expression tree, Kind kind, Cell.Scalar operand, int result) {
    if (isReal(kind) || Trees.onError(tree) == OnError.LEGACY) {
      return new Cell.Scalar(kind, result, operand.valid());
    }
    CodeWriter code = lowering.code();
    Number least =
        tree.dataType() instanceof ByteType
            ? Byte.MIN_VALUE
            : tree.dataType() instanceof ShortType ? Short.MIN_VALUE : least(kind);
    return checked(
        lowering,
        tree,
        kind,
        operand.valid(),
        result,
        same -> code.test(Condition.EQ, operand.variable(), code.constant(kind, least)));
  }

  private static Cell bits(ExpressionLowering lowering, Expression tree, BinaryOp op) {
    List<Cell.Scalar> operands = lowering.scalars(tree);
    Kind kind = operands.get(0).kind();
    CodeWriter code = lowering.code();
    return new Cell.Scalar(
        kind,
        code.binary(op, kind, operands.get(0).variable(), operands.get(1).variable()),
        lowering.valid(operands));
  }
}
