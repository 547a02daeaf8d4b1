package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;

/**
 * What an aggregate function keeps. A message travels as the buffer after it alone was added, and
 * messages are merged as buffers are: so what Spark says of a function (its initial values, and its
 * expressions to update, merge and evaluate) holds here, too.
 */
sealed interface Buffer {
  /** Expressions are lowered with what is known of the message. */
  List<Cell> first(ExpressionLowering message);

  /** The buffer of two. */
  List<Cell> merged(CodeWriter code, List<Cell> left, List<Cell> right);

  /** The function's value. */
  Cell value(CodeWriter code, List<Cell> buffer);

  /**
   * The buffer of a call.
   *
   * @throws UnliftableException when the function is none that has expressions
   */
  static Buffer of(AggregateExpression call) {
    Expression function = Trees.plain(call.aggregateFunction());
    if (call.isDistinct()) {
      throw new UnliftableException(
          "uses " + call.sql() + ": messages are merged as they come, so none is found twice");
    }
    Expression filter = call.filter().isDefined() ? call.filter().get() : null;
    boolean isReal =
        Layout.kind(function.dataType()) == Kind.DOUBLE
            || Layout.kind(function.dataType()) == Kind.FLOAT;
    if (isReal && (function instanceof Min || function instanceof Max)) {
      return new Ordered(
          Trees.child(function, 0),
          filter,
          Layout.kind(function.dataType()),
          function instanceof Min);
    } else if (function instanceof DeclarativeAggregate declared) {
      return new Declared(declared, filter);
    }
    throw new UnliftableException(
        "uses " + call.sql() + ", of which no kernel is made; use sum, min, max, count, avg, …");
  }

  /** A function that Spark describes by expressions. */
  record Declared(DeclarativeAggregate function, Expression filter) implements Buffer {
    @Override
    public List<Cell> first(ExpressionLowering message) {
      List<Cell> initial = new ArrayList<>();
      Trees.<Expression>list(function.initialValues())
          .forEach(value -> initial.add(message.lower(value)));
      List<Expression> updates = Trees.list(function.updateExpressions());
      List<Cell> first = new ArrayList<>();
      ExpressionLowering updating = message.knowing(attributes(initial));
      for (int i = 0; i < updates.size(); i++) {
        int index = i;
        if (filter == null) {
          first.add(updating.lower(updates.get(i)));
          continue;
        }
        Cell.Scalar counts = message.scalar(filter);
        CodeWriter code = message.code();
        first.add(
            Cells.branch(
                code,
                code.and(code.flag(counts.valid()), counts.variable()),
                () -> updating.lower(updates.get(index)),
                () -> initial.get(index)));
      }
      return first;
    }

    private Function<Expression, Cell> attributes(List<Cell> cells) {
      return named(Trees.list(function.aggBufferAttributes()), cells);
    }

    @Override
    public List<Cell> merged(CodeWriter code, List<Cell> left, List<Cell> right) {
      Function<Expression, Cell> ours = attributes(left);
      Function<Expression, Cell> theirs =
          named(Trees.list(function.inputAggBufferAttributes()), right);
      ExpressionLowering lowering =
          new ExpressionLowering(
              code,
              tree -> {
                Cell cell = ours.apply(tree);
                return cell == null ? theirs.apply(tree) : cell;
              });
      List<Cell> merged = new ArrayList<>();
      Trees.<Expression>list(function.mergeExpressions())
          .forEach(tree -> merged.add(lowering.lower(tree)));
      return merged;
    }

    @Override
    public Cell value(CodeWriter code, List<Cell> buffer) {
      return new ExpressionLowering(code, attributes(buffer)).lower(function.evaluateExpression());
    }

    private static Function<Expression, Cell> named(
        List<AttributeReference> attributes, List<Cell> cells) {
      return tree -> {
        for (int i = 0; i < attributes.size(); i++) {
          if (tree instanceof AttributeReference attribute
              && attribute.exprId().equals(attributes.get(i).exprId())) {
            return cells.get(i);
          }
        }
        return null;
      };
    }
  }

  /**
   * The smallest or largest real number, as an integer of the same order, in which NaN is the
   * largest number as it is in SQL, and a further integer stands for none: integers are merged by
   * one instruction, also by those that are atomic.
   */
  record Ordered(Expression operand, Expression filter, Kind kind, boolean isLeast)
      implements Buffer {
    private Kind bits() {
      return kind == Kind.DOUBLE ? Kind.LONG : Kind.INT;
    }

    /** What stands for no number. */
    int none(CodeWriter code) {
      return code.constant(
          kind == Kind.DOUBLE
              ? (Object) (isLeast ? Long.MAX_VALUE : Long.MIN_VALUE)
              : (Object) (isLeast ? Integer.MAX_VALUE : Integer.MIN_VALUE));
    }

    @Override
    public List<Cell> first(ExpressionLowering message) {
      CodeWriter code = message.code();
      Cell.Scalar number = message.scalar(operand);
      int valid = code.flag(number.valid());
      if (filter != null) {
        Cell.Scalar counts = message.scalar(filter);
        valid = code.and(valid, code.and(code.flag(counts.valid()), counts.variable()));
      }
      int bits = code.call(Intrinsic.TO_BITS, bits(), number.variable());
      return List.of(
          new Cell.Scalar(bits(), code.choose(valid, turned(code, bits), none(code)), Cell.ALWAYS));
    }

    /** Turns the order of negative numbers round, whose bits grow downwards; and back again. */
    private int turned(CodeWriter code, int bits) {
      int sign =
          code.binary(
              BinaryOp.SHIFT_RIGHT, bits(), bits, code.constant(bits().bytes() * Byte.SIZE - 1));
      int rest =
          code.constant(kind == Kind.DOUBLE ? (Object) Long.MAX_VALUE : (Object) Integer.MAX_VALUE);
      return code.binary(BinaryOp.XOR, bits(), bits, code.binary(BinaryOp.AND, bits(), sign, rest));
    }

    @Override
    public List<Cell> merged(CodeWriter code, List<Cell> left, List<Cell> right) {
      int best =
          code.call(
              isLeast ? Intrinsic.MIN : Intrinsic.MAX,
              bits(),
              ((Cell.Scalar) left.get(0)).variable(),
              ((Cell.Scalar) right.get(0)).variable());
      return List.of(new Cell.Scalar(bits(), best, Cell.ALWAYS));
    }

    @Override
    public Cell value(CodeWriter code, List<Cell> buffer) {
      int variable = ((Cell.Scalar) buffer.get(0)).variable();
      int number = code.call(Intrinsic.FROM_BITS, kind, turned(code, variable));
      int there = code.test(Condition.NE, variable, none(code));
      return new Cell.Scalar(kind, number, code.validity(there));
    }
  }
}
