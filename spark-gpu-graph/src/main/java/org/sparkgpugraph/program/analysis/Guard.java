package org.sparkgpugraph.program.analysis;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.expression.Comparison;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * The condition that lets a message through exactly where it improves its receiver's value, in
 * programs of one column.
 */
final class Guard {
  /** What holds of message and receiver's value where the message is less. */
  private static final Set<Condition> IMPLIED_BY_LESS =
      EnumSet.of(Condition.LT, Condition.LE, Condition.NE, Condition.NOT_GT, Condition.NOT_GE);

  private final List<MergeAlgebra> algebra;

  /**
   * @param algebra by which columns are merged
   */
  Guard(List<MergeAlgebra> algebra) {
    this.algebra = algebra;
  }

  /** Whether one of a rule's conditions is the guard. */
  boolean has(SendRule rule) {
    return algebra.size() == 1
        && rule.conditions().stream().anyMatch(condition -> is(condition, rule));
  }

  private boolean is(Comparison condition, SendRule rule) {
    Expression message = rule.message().get(0);
    Role receiver = rule.receiver();
    return switch (algebra.get(0)) {
      case MIN, MAX -> againstReceiver(condition, message, receiver) == Condition.LT;
      case OR ->
          Integer.valueOf(1).equals(message.constant())
              && isBooleanTest(condition, receiver, false);
      default ->
          Integer.valueOf(0).equals(message.constant()) && isBooleanTest(condition, receiver, true);
    };
  }

  /**
   * The comparison between message and receiver's value, message first, as if less were better;
   * null if it is another.
   */
  private Condition againstReceiver(Comparison condition, Expression message, Role receiver) {
    Expression value = condition.left() == message ? condition.right() : condition.left();
    Condition is = value.input(receiver) == null ? null : condition.between(message, value);
    return is == null ? null : whereLessIsBetter(is, algebra.get(0));
  }

  static Condition whereLessIsBetter(Condition is, MergeAlgebra column) {
    return column == MergeAlgebra.MAX ? is.mirrored() : is;
  }

  /** Whether a condition holds exactly when a boolean column of a role is {@code wanted}. */
  static boolean isBooleanTest(Comparison condition, Role role, boolean wanted) {
    Expression value = condition.left().input(role) != null ? condition.left() : condition.right();
    Expression other = value == condition.left() ? condition.right() : condition.left();
    return value.input(role) != null
        && value.kind() == Kind.BOOLEAN
        && other.constant() instanceof Integer constant
        && (condition.condition() == Condition.EQ || condition.condition() == Condition.NE)
        && ((constant == 1) == wanted) == (condition.condition() == Condition.EQ);
  }

  /** Whether a condition holds wherever the guard of a rule does, which it {@link #has}. */
  boolean implies(Comparison condition, SendRule rule) {
    return switch (algebra.get(0)) {
      case MIN, MAX ->
          IMPLIED_BY_LESS.contains(
              againstReceiver(condition, rule.message().get(0), rule.receiver()));
      default -> is(condition, rule);
    };
  }
}
