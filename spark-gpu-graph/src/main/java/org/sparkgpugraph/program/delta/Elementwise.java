package org.sparkgpugraph.program.delta;

import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.Kind;

/** Writes operations on columns: on numbers as they are, on arrays element by element. */
final class Elementwise {
  private final IrBuilder to;

  Elementwise(IrBuilder to) {
    this.to = to;
  }

  /** {@code left op right}. */
  int binary(BinaryOp op, ColumnType type, int left, int right) {
    return type.isArray()
        ? made(type, i -> to.binary(op, to.element(left, i), to.element(right, i)))
        : to.binary(op, left, right);
  }

  /** {@code 0 - value}. */
  int negated(ColumnType type, int value) {
    if (!type.isArray()) {
      return to.subtract(zero(type.kind()), value);
    }
    return made(type, i -> to.subtract(zero(type.kind()), to.element(value, i)));
  }

  /** A column of zeros. */
  int zeros(ColumnType type) {
    int zero = zero(type.kind());
    return type.isArray() ? to.filled(type.width(), zero) : zero;
  }

  /**
   * Goes to a label unless two columns are within a bound; of whole numbers unless they are equal.
   */
  void unlessWithin(ColumnType type, int left, int right, int bound, int label) {
    if (type.isArray()) {
      loop(
          type.width(),
          i -> leaveUnless(type.kind(), to.element(left, i), to.element(right, i), bound, label));
    } else {
      leaveUnless(type.kind(), left, right, bound, label);
    }
  }

  private void leaveUnless(Kind kind, int left, int right, int bound, int label) {
    if (kind != Kind.FLOAT && kind != Kind.DOUBLE) {
      to.branch(Condition.NE, left, right, label);
      return;
    }
    // Equal infinities have no difference.
    int same = to.label();
    to.branch(Condition.EQ, left, right, same);
    int difference = to.subtract(wide(kind, left), wide(kind, right));
    to.branch(Condition.NOT_LE, difference, bound, label);
    int opposite = to.subtract(to.constant(0.0), bound);
    to.branch(Condition.NOT_GE, difference, opposite, label);
    to.place(same);
  }

  /** Goes to a label unless all numbers are finite. */
  void unlessFinite(ColumnType type, int value, int label) {
    if (type.kind() != Kind.FLOAT && type.kind() != Kind.DOUBLE) {
      return;
    } else if (type.isArray()) {
      loop(type.width(), i -> leaveUnlessFinite(type.kind(), to.element(value, i), label));
    } else {
      leaveUnlessFinite(type.kind(), value, label);
    }
  }

  private void leaveUnlessFinite(Kind kind, int value, int label) {
    // Nothing but NaN comes of infinities and NaN.
    int nothing = to.multiply(value, zero(kind));
    to.branch(Condition.NE, nothing, zero(kind), label);
  }

  private int wide(Kind kind, int value) {
    return kind == Kind.DOUBLE ? value : to.convert(value, Kind.DOUBLE);
  }

  /** An array, of which each element is made at its index. */
  private int made(ColumnType type, IntUnaryOperator element) {
    int array = to.variable(type.kind());
    to.assign(array, zeros(type));
    loop(type.width(), i -> to.assign(array, to.with(array, i, element.applyAsInt(i))));
    return array;
  }

  private void loop(int length, IntConsumer body) {
    int index = to.variable(Kind.INT);
    to.assign(index, to.constant(0));
    int next = to.label();
    int end = to.label();
    to.place(next);
    to.branch(Condition.GE, index, to.constant(length), end);
    body.accept(index);
    to.assign(index, to.add(index, to.constant(1)));
    to.jump(next);
    to.place(end);
  }

  private int zero(Kind kind) {
    return to.constant(
        switch (kind) {
          case BOOLEAN -> (Object) false;
          case INT -> 0;
          case LONG -> 0L;
          case FLOAT -> 0f;
          case DOUBLE -> 0.0;
        });
  }
}
