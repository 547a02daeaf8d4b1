package org.sparkgpugraph.program.analysis;

import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * Which way messages go with the edge value that they depend on ({@link ImprovingSends}), whoever
 * sends; and no message is larger (less) than another one of a larger (smaller) value over the same
 * edge. So it is of programs that send one message to one end, floating point, which rounds
 * monotonically, or the sum of an integer value and an integer of the edge, where that does not
 * overflow.
 */
public enum EdgeCourse {
  /** The larger the edge value, the larger the message, or it stays the same. */
  RISES,
  /** The larger the edge value, the smaller the message, or it stays the same. */
  FALLS;

  /** The course of a program's messages, where it is known. */
  public static Optional<EdgeCourse> of(LiftedProgram program) {
    if (ImprovingSends.of(program).filter(ImprovingSends::readsEdge).isEmpty()) {
      return Optional.empty();
    }
    List<SendRule> rules = SendRule.of(Path.of(program.send(), ExpressionPool.commuting()));
    if (rules.size() != 1) {
      return Optional.empty();
    }
    SendRule rule = rules.get(0);
    Expression message = rule.message().get(0);
    if (!isFloating(message.kind())) {
      return isSum(message, rule.sender()) ? Optional.of(RISES) : Optional.empty();
    }
    return of(message, rule.sender()) == RISES
        ? Optional.ofNullable(of(message, Role.EDGE))
        : Optional.empty();
  }

  private static boolean isFloating(Kind kind) {
    return kind == Kind.FLOAT || kind == Kind.DOUBLE;
  }

  private static boolean isSum(Expression message, Role sender) {
    if (!message.is(BinaryOp.ADD)) {
      return false;
    }
    boolean first = message.operand(0).input(sender) != null;
    Expression value = message.operand(first ? 0 : 1);
    Expression edge = message.operand(first ? 1 : 0);
    boolean widened = isConversion(edge) && edge.operand(0).kind().isIntegral();
    return value.input(sender) != null
        && (widened ? edge.operand(0) : edge).input(Role.EDGE) != null;
  }

  private static boolean isConversion(Expression of) {
    return of.operation() instanceof Operation.Unary unary && unary.op() == UnaryOp.CONVERT;
  }

  /**
   * By operations each of which goes one way, one upon the other; null when one is not known to.
   */
  private static EdgeCourse of(Expression message, Role varies) {
    if (message.operation() instanceof Operation.Input) {
      return RISES;
    }
    List<Expression> varying =
        message.operands().stream().filter(operand -> operand.reads(varies)).toList();
    EdgeCourse before = varying.size() == 1 ? of(varying.get(0), varies) : null;
    if (before == null || !isFloating(message.kind())) {
      return null;
    }
    boolean first = message.operand(0) == varying.get(0);
    if (message.is(Intrinsic.MIN)
        || message.is(Intrinsic.MAX)
        || message.is(BinaryOp.ADD)
        || message.is(BinaryOp.MULTIPLY) && isPositive(message.operand(first ? 1 : 0))
        || isConversion(message)) {
      return before;
    }
    if (message.is(BinaryOp.SUBTRACT)) {
      return first ? before : before.turned();
    }
    boolean negates =
        message.operation() instanceof Operation.Unary unary && unary.op() == UnaryOp.NEGATE;
    return negates ? before.turned() : null;
  }

  private static boolean isPositive(Expression expr) {
    return expr.constant() instanceof Number number
        && number.doubleValue() > 0
        && Double.isFinite(number.doubleValue());
  }

  private EdgeCourse turned() {
    return this == RISES ? FALLS : RISES;
  }
}
