package org.sparkgpugraph.program.lanes;

import org.sparkgpugraph.program.expression.Comparison;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;

/** A condition between two values of a round; the one that was made first stands left. */
record RoundTest(Condition condition, Expression left, Expression right) {

  static RoundTest of(Condition condition, Expression first, Expression second) {
    Comparison test = Comparison.of(condition, first, second);
    return new RoundTest(test.condition(), test.left(), test.right());
  }

  RoundTest negate() {
    return of(condition.negate(), left, right);
  }

  boolean isTainted() {
    return left.reads(LoopPaths.CARRIED) || right.reads(LoopPaths.CARRIED);
  }

  /** Whether it compares nothing but these two values, with each other or themselves. */
  boolean isBetween(Expression one, Expression other) {
    Expression tested = testedForNan();
    if (tested != null) {
      return tested == one || tested == other;
    }
    return (left == one || left == other) && (right == one || right == other);
  }

  /** The value that is compared with NaN by {@code isNaN}; null: this is another test. */
  private Expression testedForNan() {
    if (left.is(Intrinsic.IS_NAN) && Integer.valueOf(0).equals(right.constant())) {
      return left.operand(0);
    }
    return right.is(Intrinsic.IS_NAN) && Integer.valueOf(0).equals(left.constant())
        ? right.operand(0)
        : null;
  }

  /** The orders of a new key and an old one in which a test between the two holds. */
  int orders(Expression newKey, Expression oldKey) {
    int all = newKey.kind().isIntegral() ? Reduction.Order.INTEGERS : Reduction.Order.ALL;
    int held = 0;
    for (Reduction.Order order : Reduction.Order.values()) {
      if ((all & order.bit()) != 0 && holds(order, newKey, oldKey)) {
        held |= order.bit();
      }
    }
    return held;
  }

  private boolean holds(Reduction.Order order, Expression newKey, Expression oldKey) {
    // Numbers of which the one stands to the other as the keys do.
    double fresh =
        switch (order) {
          case LESS -> -1;
          case GREATER -> 1;
          case NEW_IS_NAN, BOTH_ARE_NAN -> Double.NaN;
          default -> 0;
        };
    double old =
        order == Reduction.Order.OLD_IS_NAN || order == Reduction.Order.BOTH_ARE_NAN
            ? Double.NaN
            : 0;
    Expression tested = testedForNan();
    if (tested != null) {
      double isNan = Double.isNaN(tested == newKey ? fresh : old) ? 1 : 0;
      return left.is(Intrinsic.IS_NAN) ? condition.holds(isNan, 0) : condition.holds(0, isNan);
    }
    return condition.holds(left == newKey ? fresh : old, right == newKey ? fresh : old);
  }
}
