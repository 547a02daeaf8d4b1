package org.sparkgpugraph.program.expression;

import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;

/**
 * A condition on a path, in a normal form: the operand made first stands left, and integers do not
 * use the NOT_ forms.
 */
public record Comparison(Condition condition, Expression left, Expression right) {

  /** A condition between two values, whichever was made first. */
  public static Comparison of(Condition condition, Expression first, Expression second) {
    Expression left = first;
    Expression right = second;
    while (right.constant() instanceof Integer zero && zero == 0 && comparesIntegers(left)) {
      right = left.operand(1);
      left = left.operand(0);
    }
    Condition plain = left.kind().isIntegral() ? condition.ofIntegers() : condition;
    return left.id() <= right.id()
        ? new Comparison(plain, left, right)
        : new Comparison(plain.mirrored(), right, left);
  }

  private static boolean comparesIntegers(Expression expr) {
    return (expr.is(Intrinsic.COMPARE_TOTAL)
            || expr.is(BinaryOp.COMPARE_L)
            || expr.is(BinaryOp.COMPARE_G))
        && expr.operand(0).kind().isIntegral();
  }

  /** The opposite. */
  public Comparison negate() {
    return of(condition.negate(), left, right);
  }

  /** The condition with {@code first} on the left; null when it does not compare these two. */
  public Condition between(Expression first, Expression second) {
    if (left == first && right == second) {
      return condition;
    }
    return left == second && right == first ? condition.mirrored() : null;
  }
}
