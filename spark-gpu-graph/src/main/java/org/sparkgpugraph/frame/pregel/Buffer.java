package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
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
   * @param message finds the expression that is the message and nothing else
   * @throws UnliftableException when the function is none that has expressions
   */
  static Buffer of(AggregateExpression call, Predicate<Expression> message) {
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
          function instanceof Min,
          filter == null && message.test(Trees.child(function, 0)));
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
   * The smallest or largest real number, where NaN is the largest as it is in SQL. What leaves
   * others unchanged stands for none; where messages may be null, a second cell says whether one
   * was a number.
   *
   * @param some whether every message has a number, so that there is one if there is a message
   */
  record Ordered(Expression operand, Expression filter, Kind kind, boolean isLeast, boolean some)
      implements Buffer {
    @Override
    public List<Cell> first(ExpressionLowering message) {
      CodeWriter code = message.code();
      Cell.Scalar number = message.scalar(operand);
      int valid = code.flag(number.valid());
      if (filter != null) {
        Cell.Scalar counts = message.scalar(filter);
        valid = code.and(valid, code.and(code.flag(counts.valid()), counts.variable()));
      }
      int value = code.choose(valid, number.variable(), code.constant(kind, none()));
      return cells(value, valid);
    }

    /** What stands for no number: any other one is kept in its stead. */
    private Number none() {
      return isLeast ? Double.NaN : Double.NEGATIVE_INFINITY;
    }

    private List<Cell> cells(int value, int valid) {
      Cell number = new Cell.Scalar(kind, value, Cell.ALWAYS);
      return some
          ? List.of(number)
          : List.of(number, new Cell.Scalar(Kind.BOOLEAN, valid, Cell.ALWAYS));
    }

    @Override
    public List<Cell> merged(CodeWriter code, List<Cell> left, List<Cell> right) {
      int best =
          code.call(
              isLeast ? Intrinsic.LEAST : Intrinsic.MAX,
              kind,
              ((Cell.Scalar) left.get(0)).variable(),
              ((Cell.Scalar) right.get(0)).variable());
      return cells(best, some ? Cell.ALWAYS : code.or(valid(left), valid(right)));
    }

    private static int valid(List<Cell> buffer) {
      return ((Cell.Scalar) buffer.get(1)).variable();
    }

    @Override
    public Cell value(CodeWriter code, List<Cell> buffer) {
      int number = ((Cell.Scalar) buffer.get(0)).variable();
      return new Cell.Scalar(kind, number, some ? Cell.ALWAYS : code.validity(valid(buffer)));
    }
  }
}
