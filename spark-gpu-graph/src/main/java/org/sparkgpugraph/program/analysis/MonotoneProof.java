package org.sparkgpugraph.program.analysis;

import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.expression.Comparison;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * Decides the first three conditions under which a program may be run out of order: (1) the merge
 * is MIN, MAX, OR or AND in every column; (2) the vertex program is that same merge of value and
 * message; (3) a message depends on the sender, the edge and the ids, monotonically in the sender,
 * and on the receiver only through a guard that drops exactly the messages that would not improve
 * it. (The fourth is about the active direction and is the engine's to check.)
 *
 * <p>Everything that is not understood is a reason against. On floating point the guard must be a
 * strict {@code <} or {@code >}: it also drops NaN. Such a program's result does not depend on the
 * order of messages, except that 0.0 and −0.0, which no guard tells apart, may stand for each
 * other.
 */
final class MonotoneProof {
  private static final Set<Role> STATIC =
      Set.of(Role.SOURCE_ID, Role.DESTINATION_ID, Role.EDGE, Role.CAPTURE, Role.VERTEX_COUNT);

  private static final String UNKNOWN =
      "a message is computed from the sender in a way that is not known to be monotone";

  private final List<MergeAlgebra> algebra;
  private final Guard guard;

  private MonotoneProof(List<MergeAlgebra> algebra) {
    this.algebra = algebra;
    guard = new Guard(algebra);
  }

  /** Why the program is not monotone; null when it is. */
  static String obstacle(
      List<MergeAlgebra> merge,
      IrFunction vertexProgram,
      IrFunction send,
      IrFunction activeWhen,
      List<Aggregate> aggregates) {
    if (vertexProgram.results().stream().anyMatch(ColumnType::isArray)) {
      return "values have arrays";
    }
    for (int i = 0; i < merge.size(); i++) {
      if (!merge.get(i).isPushable()) {
        return "message column " + i + " is merged by " + merge.get(i);
      }
    }
    List<MergeAlgebra> update = ColumnAlgebra.of(vertexProgram, Role.VALUE, Role.MESSAGE);
    if (!update.equals(merge)) {
      return "the vertex program is " + update + " of value and message, the merge " + merge;
    }
    if (!aggregates.isEmpty()) {
      return "it has aggregates";
    }
    if (activeWhen != null && !isChanged(activeWhen)) {
      return "activeWhen is not (before, after) -> before != after";
    }
    return new MonotoneProof(merge).sendObstacle(send);
  }

  /** Whether the function is true exactly when its one column changed. */
  private static boolean isChanged(IrFunction activeWhen) {
    ExpressionPool pool = ExpressionPool.commuting();
    List<Path> paths = Path.of(activeWhen, pool);
    if (paths == null || paths.size() != 2) {
      return false;
    }
    for (Path path : paths) {
      if (path.results() == null
          || path.conditions().size() != 1
          || !(path.results().get(0).constant() instanceof Integer active)) {
        return false;
      }
      Comparison only = path.conditions().get(0);
      boolean both =
          (only.left().input(Role.BEFORE) != null && only.right().input(Role.AFTER) != null)
              || (only.left().input(Role.AFTER) != null && only.right().input(Role.BEFORE) != null);
      if (!both || only.condition() != (active == 1 ? Condition.NE : Condition.EQ)) {
        return false;
      }
    }
    return true;
  }

  private String sendObstacle(IrFunction send) {
    List<Path> paths = Path.of(send, ExpressionPool.commuting());
    if (paths == null) {
      return "the send function has a loop or too many paths";
    }
    if (paths.stream().anyMatch(path -> path.results() == null)) {
      return "the send function can stop the run with an error";
    }
    List<SendRule> rules = SendRule.of(paths);
    if (rules == null) {
      return "the send function sends its messages under too many combinations of conditions";
    }
    for (SendRule rule : rules) {
      String obstacle = ruleObstacle(rule);
      if (obstacle != null) {
        return obstacle;
      }
    }
    return null;
  }

  private String ruleObstacle(SendRule rule) {
    Role sender = rule.sender();
    Role receiver = rule.receiver();
    boolean guarded = guard.has(rule);
    for (Comparison condition : rule.conditions()) {
      if (isStatic(condition.left()) && isStatic(condition.right())) {
        continue;
      }
      boolean understood =
          (guarded && guard.implies(condition, rule))
              || improvesWithSender(condition, sender, guarded);
      if (!understood) {
        return "a message to the "
            + (rule.side() == Side.DESTINATION ? "destination" : "source")
            + (condition.left().reads(receiver) || condition.right().reads(receiver)
                ? " depends on the receiver's value in another way than by an exact guard"
                : " is sent under a condition that is not monotone in the sender");
      }
    }
    for (int i = 0; i < rule.message().size(); i++) {
      String obstacle =
          messageObstacle(
              rule.message().get(i), algebra.get(i), sender, guarded, rule.conditions());
      if (obstacle != null) {
        return obstacle;
      }
    }
    return null;
  }

  private static boolean isStatic(Expression expr) {
    return expr.readsOnly(STATIC);
  }

  /** Whether a condition on one column of the sender stays true when that column improves. */
  private boolean improvesWithSender(Comparison condition, Role sender, boolean guarded) {
    Expression value =
        condition.left().input(sender) != null ? condition.left() : condition.right();
    Expression other = value == condition.left() ? condition.right() : condition.left();
    Operation.Input input = value.input(sender);
    if (input == null || !isStatic(other)) {
      return false;
    }
    MergeAlgebra column = algebra.get(input.index());
    return switch (column) {
      case MIN, MAX ->
          switch (Guard.whereLessIsBetter(condition.between(value, other), column)) {
            case NOT_GT, NOT_GE -> true;
            // NaN counts as the best value of all, but LT and GT are false on it. Behind a guard
            // that does not matter, for the guard drops the NaN message too.
            case LT, LE -> guarded || value.kind().isIntegral();
            case NE ->
                other.constant() != null && other.constant().equals(column.identity(value.kind()));
            default -> false;
          };
      case OR -> Guard.isBooleanTest(condition, sender, true);
      case AND -> Guard.isBooleanTest(condition, sender, false);
      default -> false;
    };
  }

  /** Why a message's column is not known to be monotone in the sender; null when it is. */
  private String messageObstacle(
      Expression expr,
      MergeAlgebra column,
      Role sender,
      boolean guarded,
      Set<Comparison> conditions) {
    for (Expression part : expr.parts()) {
      String obstacle =
          isStatic(part) ? null : partObstacle(part, column, sender, guarded, conditions);
      if (obstacle != null) {
        return obstacle;
      }
    }
    return null;
  }

  /** Why one operation is not known to be monotone in its operands; null when it is. */
  private String partObstacle(
      Expression expr,
      MergeAlgebra column,
      Role sender,
      boolean guarded,
      Set<Comparison> conditions) {
    if (expr.operation() instanceof Operation.Input input) {
      if (input.role() != sender) {
        return "a message reads " + input.role();
      }
      MergeAlgebra from = algebra.get(input.index());
      return from == column ? null : "a message of " + column + " is made from a column of " + from;
    }
    if (expr.is(Intrinsic.MIN) || expr.is(Intrinsic.MAX)) {
      return null;
    }
    boolean bits = column == MergeAlgebra.OR || column == MergeAlgebra.AND;
    if (bits) {
      return expr.is(BinaryOp.AND) || expr.is(BinaryOp.OR) ? null : UNKNOWN;
    }
    if (expr.operation() instanceof Operation.Unary unary
        && unary.op() == UnaryOp.CONVERT
        && expr.operand(0).kind().ordinal() < expr.kind().ordinal()) {
      return null;
    }
    if (expr.is(BinaryOp.ADD) && expr.kind().isIntegral()) {
      return isSafeAddition(expr, sender, conditions)
          ? null
          : "the integer addition in a message may overflow (test the sender against the largest"
              + " value before, or use double)";
    }
    if (!expr.kind().isIntegral() && expr.operands().size() == 2) {
      boolean add = expr.is(BinaryOp.ADD);
      boolean shift = add || (expr.is(BinaryOp.SUBTRACT) && isStatic(expr.operand(1)));
      boolean scale =
          expr.is(BinaryOp.MULTIPLY)
              && (isPositive(expr.operand(0)) || isPositive(expr.operand(1)));
      boolean finite = isFinite(expr.operand(0)) || isFinite(expr.operand(1));
      if ((shift && (guarded || finite)) || scale) {
        return null;
      } else if (shift) {
        return "an unguarded message may become NaN (infinity minus infinity)";
      }
    }
    return UNKNOWN;
  }

  private static boolean isFinite(Expression expr) {
    return expr.constant() instanceof Number number && Double.isFinite(number.doubleValue());
  }

  private static boolean isPositive(Expression expr) {
    return isFinite(expr) && ((Number) expr.constant()).doubleValue() > 0;
  }

  /** Integer addition is monotone only where it cannot overflow. */
  private static boolean isSafeAddition(Expression expr, Role sender, Set<Comparison> conditions) {
    Expression value = expr.operand(0).constant() == null ? expr.operand(0) : expr.operand(1);
    Expression other = value == expr.operand(0) ? expr.operand(1) : expr.operand(0);
    if (value.input(sender) == null || !(other.constant() instanceof Number number)) {
      return false;
    }
    long added = number.longValue();
    boolean isInt = expr.kind() == Kind.INT;
    long limit =
        added >= 0
            ? (isInt ? Integer.MAX_VALUE : Long.MAX_VALUE) - added
            : (isInt ? Integer.MIN_VALUE : Long.MIN_VALUE) - added;
    return conditions.stream()
        .anyMatch(condition -> added == 0 || bounds(condition, value, limit, added > 0));
  }

  /** Whether a condition keeps a value at or below (above) a limit. */
  private static boolean bounds(Comparison condition, Expression value, long limit, boolean above) {
    Expression other = condition.left() == value ? condition.right() : condition.left();
    Condition is = condition.between(value, other);
    if (is == null || !(other.constant() instanceof Number number)) {
      return false;
    }
    Object extreme = (above ? MergeAlgebra.MIN : MergeAlgebra.MAX).identity(value.kind());
    Condition towards = above ? is : is.mirrored();
    // x != MAX_VALUE is x < MAX_VALUE
    boolean strict = towards == Condition.LT || towards == Condition.NE && number.equals(extreme);
    long constant = number.longValue();
    if (!strict && towards != Condition.LE
        || strict && constant == (above ? Long.MIN_VALUE : Long.MAX_VALUE)) {
      return false;
    }
    long last = !strict ? constant : above ? constant - 1 : constant + 1;
    return above ? last <= limit : last >= limit;
  }
}
